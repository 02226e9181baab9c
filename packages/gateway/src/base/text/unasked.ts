// Source of words in a person's place in a conversation that nobody typed there.
import type { ShownMessage } from "@chela/sdk/protocol";
import { jobOf } from "./job-prompt.ts";

type Source = Pick<ShownMessage, "kind" | "webhook" | "fromSession">;

/** Nothing for the words of people. */
export function sourceOf(message: Readonly<Record<string, unknown>>): Source {
  if (jobOf(message)) return { kind: "errand" };
  const { kind, hook, sourceSessionKey } = (message["provenance"] ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === "hook" && typeof hook === "string") return { kind: "errand", webhook: hook };
  if (kind === "inter_session" && typeof sourceSessionKey === "string")
    return { kind: "errand", fromSession: sourceSessionKey };
  return {};
}
