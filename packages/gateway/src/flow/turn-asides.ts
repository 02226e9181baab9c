// What happened or was said between turns, as the next message tells it. Pure.
import type { Aside, Change } from "@chela/sdk";
import { systemLine } from "../base/written-text.ts";

export interface Heard {
  readonly sender: string;
  readonly timestampMs: number;
  readonly body: string;
}

/** What the gateway has to tell, one line each. */
export function happened(asides: readonly Aside[]): string[] {
  return asides.flatMap(({ kind, body, at }) => (kind === "note" ? [systemLine(String(body["text"]), at)] : []));
}

/** The last of what people said, but not to us. */
export function heard(asides: readonly Aside[], atMost: number): readonly Heard[] {
  const all = asides.flatMap(({ kind, body, at }) =>
    kind === "heard"
      ? [{ sender: String(body["sender"] ?? ""), timestampMs: at, body: String(body["text"] ?? "") }]
      : [],
  );
  return atMost > 0 ? all.slice(-atMost) : [];
}

export function asidesTold(asides: readonly Aside[]): Change[] {
  const last = asides.at(-1);
  return last ? [{ kind: "asides-told", sessionKey: last.sessionKey, upTo: last.seq }] : [];
}
