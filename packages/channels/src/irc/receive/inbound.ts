// Hands events to the gateway, those of one chat in order, and remembers up to when nothing is missing any more.
import { OneAtATime, type ChannelEvent, type ChannelHost } from "@chela/sdk";
import { Noted, untilAccepted } from "@chela/sdk/channel-kit";

export interface Inbound {
  /** Keeps the place of an event whose sender may have to be looked up first. Never rejects. */
  take(chat: string, at: number, make: () => Promise<ChannelEvent | undefined>): void;
  /** Until it is let go, nothing after this time counts as received, whatever comes meanwhile. */
  hold(since: number): () => void;
  /** Notes how far we are, and gives up on what could not be written. */
  close(): Promise<void>;
}

export interface InboundNeeds {
  readonly host: ChannelHost;
  /** How far we were before; what is older counts as received. */
  readonly since: number;
  /** Too much is waiting to be written. */
  onOverflow(): void;
}

/** Name of the remembered time up to which everything was received. */
export const CURSOR = "received-until";
const NOTE_EVERY_MS = 2000;
const MOST_WAITING = 500;

export function createInbound({ host, since, onOverflow }: InboundNeeds): Inbound {
  const chats = new OneAtATime();
  const waiting = new Set<{ readonly at: number }>();
  const over = new AbortController();
  let newest = since;
  const readUntil = (): string => String([...waiting].reduce((least, { at }) => Math.min(least, at - 1), newest));
  const cursor = new Noted(host, { name: CURSOR, afterMs: NOTE_EVERY_MS, read: readUntil, was: String(since) });

  return {
    take(chat, at, make) {
      if (waiting.size >= MOST_WAITING) return onOverflow();
      const place = { at };
      waiting.add(place);
      const work = async (): Promise<void> => {
        const event = await make();
        const handed = event && (await untilAccepted(host, over.signal, () => host.receive(event)));
        if (handed?.kind === "over") return;
        waiting.delete(place);
        // A server whose clock is wrong must not make us skip what is written until then.
        newest = Math.max(newest, Math.min(at, host.clock.now()));
        cursor.changed();
      };
      chats.run(chat, work).catch((error: unknown) => {
        waiting.delete(place);
        host.log.error("a line of the server could not be read", { error: String(error) });
      });
    },
    hold(at) {
      const place = { at: at + 1 };
      waiting.add(place);
      return () => {
        if (waiting.delete(place)) cursor.changed();
      };
    },
    async close() {
      over.abort();
      await cursor.close();
    },
  };
}
