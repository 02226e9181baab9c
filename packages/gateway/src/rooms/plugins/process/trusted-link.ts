// A plugin in the gateway's own process: the same host, and a link that is two queues.
import { openHost } from "@chela/plugin-host/open-host";
import type { FromPlugin, Link, ToPlugin } from "@chela/plugin-host";

export function openTrustedLink(): Link<ToPlugin, unknown> {
  const [ours, theirs] = linkPair<ToPlugin, FromPlugin>();
  openHost(theirs, () => ours.close());
  return ours;
}

/** What one end sends the other hears later, as over a socket; what is sent is a copy. */
function linkPair<A, B>(): [Link<A, B>, Link<B, A>] {
  const closings: Array<(why: string) => void> = [];
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const closing of closings) closing("it was closed");
  };
  const end = <Out, In>(own: Array<(message: In) => void>, other: Array<(message: Out) => void>): Link<Out, In> => ({
    send(message) {
      const copy = JSON.parse(JSON.stringify(message)) as Out;
      setImmediate(() => isOpen && other.forEach((listener) => listener(copy)));
    },
    onMessage: (listener) => void own.push(listener),
    onClose: (listener) => void (isOpen ? closings.push(listener) : listener("it was closed")),
    close,
  });
  const [first, second]: [Array<(message: B) => void>, Array<(message: A) => void>] = [[], []];
  return [end<A, B>(first, second), end<B, A>(second, first)];
}
