// Tells in the next message what happened or was said between turns. Pure.
import type { Aside, Change } from "@chela/sdk";
import { systemLine } from "../../base/text/written-text.ts";

export interface Heard {
  readonly sender: string;
  readonly timestampMs: number;
  readonly body: string;
}

/** A flood of events must not become a message that fills the conversation. */
const MOST_NEWS_CHARS = 24_000;

/** What the gateway has to tell, one line each: the newest that fit, behind how many do not. */
export function happened(asides: readonly Aside[]): string[] {
  const notes = asides.filter(({ kind }) => kind === "note");
  let chars = 0;
  const tooMuch = notes.findLastIndex(({ body }) => (chars += textOf(body).length) > MOST_NEWS_CHARS);
  const told = notes.slice(tooMuch + 1).map(({ body, at }) => systemLine(textOf(body), at));
  const lastLeftOut = notes[tooMuch];
  return lastLeftOut ? [systemLine(`${tooMuch + 1} earlier events are left out.`, lastLeftOut.at), ...told] : told;
}

function textOf(body: Aside["body"]): string {
  return String(body["text"]).slice(0, MOST_NEWS_CHARS).toWellFormed();
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
