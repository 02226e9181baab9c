// Asks Twilio from time to time for what did not reach us, which also tells whether the account is still good.
import type { ChannelHost, Disconnect } from "@chela/sdk";
import type { CallFailed } from "./failures.ts";

const EVERY_MS = 10 * 60 * 1000;
const SOON_MS = 30 * 1000;

interface Watch {
  /** There is something to fetch. */
  soon(): void;
  stop(): Promise<void>;
}

/** Begins at once. `look` says what went wrong, or rejects. */
export function startWatch(
  host: ChannelHost,
  look: (signal: AbortSignal) => Promise<CallFailed | undefined>,
  end: (why: Disconnect) => void,
): Watch {
  const stopped = new AbortController();
  let cancel = (): void => undefined;
  let isOwed = false;
  let running: Promise<void> | undefined;

  const plan = (ms: number): void => {
    cancel();
    cancel = host.clock.after(ms, begin);
  };
  const begin = (): void => {
    isOwed = false;
    running = run().finally(() => (running = undefined));
  };
  const run = async (): Promise<void> => {
    const failure = await look(stopped.signal).catch(asUnwritten);
    if (stopped.signal.aborted) return;
    if (failure?.reason === "unauthorised") return end({ why: failure.why, isFinal: true });
    if (failure) host.log.debug("missed messages could not be fetched", { why: failure.why });
    else host.alive();
    plan(failure || isOwed ? SOON_MS : EVERY_MS);
  };
  begin();
  return {
    soon() {
      if (!isOwed && !running && !stopped.signal.aborted) plan(SOON_MS);
      isOwed = true;
    },
    async stop() {
      stopped.abort();
      cancel();
      await running;
    },
  };
}

function asUnwritten(): CallFailed {
  return { kind: "failed", reason: "unavailable", why: "a message could not be written down" };
}
