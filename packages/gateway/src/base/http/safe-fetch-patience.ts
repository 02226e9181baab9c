// Time limits of a fetch: for all of it, and for standing still; also carries the caller's wish to stop.
import { GatewayError, type Clock } from "@chela/sdk";

export interface Patience extends Disposable {
  /** Aborts with the error the caller shall see. */
  readonly signal: AbortSignal;
  /** Something arrived: the wait begins anew. */
  touch(): void;
  /** What `work` gives, unless patience ends first. */
  race<T>(work: Promise<T>): Promise<T>;
}

export interface PatienceLimits {
  readonly totalMs: number;
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

export function startPatience(clock: Clock, limits: PatienceLimits): Patience {
  const abort = new AbortController();
  const give = (why: string): void => abort.abort(new GatewayError("FETCH_TIMEOUT", why));
  const stop = (): void => abort.abort(abortError(limits.signal?.reason));
  const waitForMore = (): (() => void) =>
    clock.after(limits.idleMs, () => give(`nothing arrived for ${seconds(limits.idleMs)}`));
  const cancelTotal = clock.after(limits.totalMs, () => give(`it was not done after ${seconds(limits.totalMs)}`));
  let cancelIdle = waitForMore();

  if (limits.signal?.aborted) stop();
  else limits.signal?.addEventListener("abort", stop, { once: true });

  return {
    signal: abort.signal,
    touch() {
      cancelIdle();
      cancelIdle = waitForMore();
    },
    async race<T>(work: Promise<T>): Promise<T> {
      abort.signal.throwIfAborted();
      const { promise, reject } = Promise.withResolvers<never>();
      const leave = (): void => reject(abort.signal.reason as Error);
      abort.signal.addEventListener("abort", leave, { once: true });
      try {
        return await Promise.race([work, promise]);
      } finally {
        abort.signal.removeEventListener("abort", leave);
      }
    },
    [Symbol.dispose]() {
      cancelIdle();
      cancelTotal();
      limits.signal?.removeEventListener("abort", stop);
    },
  };
}

/** An Error named AbortError, because that name is what callers look for. */
function abortError(reason: unknown): Error {
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  return Object.assign(new Error("The fetch was stopped", { cause: reason }), { name: "AbortError" });
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} seconds`;
}
