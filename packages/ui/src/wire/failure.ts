// A call that did not work, in words a person can use.
import type { ErrorShape } from "@chela/sdk/protocol";

export class WireFailure extends Error {
  /** The protocol's code, or "OFFLINE" when nobody could be asked. */
  readonly code: ErrorShape["code"] | "OFFLINE";
  readonly details: unknown;
  readonly retryAfterMs: number | undefined;

  constructor(error: {
    code: WireFailure["code"];
    message: string;
    details?: unknown;
    retryAfterMs?: number | undefined;
  }) {
    super(error.message);
    this.name = "WireFailure";
    this.code = error.code;
    this.details = error.details;
    this.retryAfterMs = error.retryAfterMs;
  }
}

/** The sentence to show for anything that was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
