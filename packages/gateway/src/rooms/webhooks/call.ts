// A request to a webhook as this room sees it, and what is answered.

/** One guess at a secret, taken out of what its sender has left. */
type Attempt =
  | { readonly kind: "allowed"; succeed(): void; fail(): void }
  | { readonly kind: "limited"; readonly retryAfterMs: number };

export interface HookCall {
  /** What stands behind `hooks.path`, without slashes at its ends. */
  readonly path: string;
  readonly url: URL;
  /** By lowercase names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Where it comes from, for the log. */
  readonly from: string;
  attempt(): Attempt;
  /** Reads it within the limit. Throws what its door answers with when that fails. */
  body(maxBytes: number): Promise<Uint8Array>;
}

export interface HookAnswer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

export function answerText(status: number, body: string, headers?: Readonly<Record<string, string>>): HookAnswer {
  return { status, body, type: TEXT, ...(headers ? { headers } : {}) };
}

export function answerJson(status: number, body: object): HookAnswer {
  return { status, body: JSON.stringify(body), type: JSON_TYPE };
}
