// Hands events to the gateway, those of one chat in order, and remembers up to when nothing is missing any more.
import type { ChannelEvent, ChannelHost } from "@chela/sdk";
import { OneAtATime } from "../../../base/one-at-a-time.ts";

export interface Intake {
  /** Keeps the place of an event whose sender may have to be looked up first. Never rejects. */
  take(chat: string, at: number, make: () => Promise<ChannelEvent | undefined>): void;
  /** Until it is let go, nothing after this time counts as received, whatever comes meanwhile. */
  hold(since: number): () => void;
  /** Notes how far we are, and gives up on what could not be written. */
  close(): Promise<void>;
}

export interface IntakeNeeds {
  readonly host: ChannelHost;
  /** How far we were before; what is older counts as received. */
  readonly since: number;
  /** Too much is waiting to be written. */
  onOverflow(): void;
}

/** Name of the remembered time up to which everything was received. */
export const CURSOR = "received-until";
const NOTE_EVERY_MS = 2000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
const MOST_WAITING = 500;

export function createIntake({ host, since, onOverflow }: IntakeNeeds): Intake {
  const chats = new OneAtATime();
  const waiting = new Set<{ readonly at: number }>();
  let newest = since;
  let noted = since;
  let cancelNote: (() => void) | undefined;
  const closed = Promise.withResolvers<"closed">();
  let isClosed = false;

  const note = async (): Promise<void> => {
    cancelNote?.();
    cancelNote = undefined;
    const until = [...waiting].reduce((least, { at }) => Math.min(least, at - 1), newest);
    if (until === noted) return;
    noted = until;
    await host
      .remember(CURSOR, String(until))
      .catch((error: unknown) => host.log.warn("cannot remember how far messages were read", { error: String(error) }));
  };
  const noteSoon = (): void => void (cancelNote ??= host.clock.after(NOTE_EVERY_MS, () => void note()));
  const pause = (ms: number): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = host.clock.after(ms, resolve);
    return Promise.race([promise, closed.promise]).finally(cancel);
  };
  const hand = async (event: ChannelEvent): Promise<boolean> => {
    for (let wait = FIRST_RETRY_MS; !isClosed; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        await host.receive(event);
        return true;
      } catch (error) {
        host.log.warn("a message could not be written down; it is tried again", { error: String(error) });
        await pause(wait);
      }
    }
    return false;
  };
  return {
    take(chat, at, make) {
      if (waiting.size >= MOST_WAITING) return onOverflow();
      const place = { at };
      waiting.add(place);
      const work = async (): Promise<void> => {
        const event = await make();
        if (event && !(await hand(event))) return;
        waiting.delete(place);
        // A server whose clock is wrong must not make us skip what is written until then.
        newest = Math.max(newest, Math.min(at, host.clock.now()));
        noteSoon();
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
        if (waiting.delete(place) && !isClosed) noteSoon();
      };
    },
    async close() {
      isClosed = true;
      closed.resolve("closed");
      await note();
    },
  };
}
