// Questions with which a sender makes sure that somebody is there. They are answered, and nobody else hears of them.
import type { SignatureType } from "./mapping/mapping.ts";

export interface Greeting {
  readonly body: string;
  readonly type: string;
}

export function greetingFor(
  type: SignatureType | undefined,
  payload: unknown,
  headers: Readonly<Record<string, string | undefined>>,
): Greeting | undefined {
  if (type === "github" && headers["x-github-event"] === "ping") {
    return { body: JSON.stringify({ ok: true, ping: true }), type: "application/json; charset=utf-8" };
  }
  const { type: kind, challenge } = (payload ?? {}) as { type?: unknown; challenge?: unknown };
  if (type === "slack" && kind === "url_verification" && typeof challenge === "string") {
    return { body: challenge, type: "text/plain; charset=utf-8" };
  }
  return undefined;
}
