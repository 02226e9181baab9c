// Counts what was handled, for stream management (XEP-0198): a message counts only when it is on the disk.
import type { Client } from "@xmpp/client";

export interface Acknowledger {
  /** Keeps the stanza that came last, and whatever follows, from being acknowledged. The returned function lets it go. */
  hold(): () => void;
}

const MANAGEMENT = "urn:xmpp:sm:3";
const STREAMS = "http://etherx.jabber.org/streams";
const STANZAS = new Set(["message", "presence", "iq"]);

/**
 * We put our count in the place of the library's, from which it answers the server. Its own counts a stanza when it comes,
 * and miscounts those that come together with the server's word that counting begins; servers end the stream for that.
 */
export function createAcknowledger(client: Client): Acknowledger & { readonly agreed: () => Promise<void> } {
  const held = new Set<number>();
  const answered = Promise.withResolvers<void>();
  let isOffered = false;
  let received = 0;
  Object.defineProperty(client.streamManagement, "inbound", {
    get: () => (held.size === 0 ? received : Math.min(...held) - 1),
    set() {},
  });
  client.on("element", (element) => {
    if (STANZAS.has(element.name)) received += 1;
    else if (element.is("features", STREAMS)) isOffered = element.getChild("sm", MANAGEMENT) !== undefined;
    else if (element.is("enabled", MANAGEMENT) || element.is("failed", MANAGEMENT)) {
      received = 0;
      answered.resolve();
    }
  });
  client.on("disconnect", () => answered.resolve());
  return {
    /** What is sent before both sides count is counted by one of them only. */
    agreed: () => (isOffered ? answered.promise : Promise.resolve()),
    hold() {
      const position = received;
      held.add(position);
      return () => void held.delete(position);
    },
  };
}
