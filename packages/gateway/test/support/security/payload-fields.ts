// Every text and number in something a platform sent, each to be replaced by something else.
export interface Field {
  readonly path: string;
  readonly value: string | number;
  /** The payload with something else there. */
  with(value: string | number): unknown;
}

/** Every text and number in it. */
export function* fieldsIn(payload: unknown, at: readonly string[] = [], whole = payload): Generator<Field> {
  if (typeof payload === "string" || typeof payload === "number") {
    if (/[\p{L}\p{N}]/u.test(String(payload)))
      yield { path: at.join("."), value: payload, with: (value) => replaced(whole, at, value) };
    return;
  }
  if (typeof payload !== "object" || payload === null) return;
  for (const [key, value] of Object.entries(payload)) yield* fieldsIn(value, [...at, key], whole);
}

function replaced(payload: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(payload) ? [...payload] : { ...(payload as object) };
  (copy as Record<string, unknown>)[key] = replaced((payload as Record<string, unknown>)[key], rest, value);
  return copy;
}
