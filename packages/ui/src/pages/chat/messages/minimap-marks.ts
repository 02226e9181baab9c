// Selects messages that the map at the edge of a conversation has marks for.
import type { ShownMessage } from "@chela/sdk/protocol";
import { resultText } from "../../../conversations/tool-call.ts";

interface Mark {
  readonly id: string;
  readonly message: ShownMessage;
  readonly text: string;
}

/** More do not fit; then some between the first and the last are left out. */
const MOST_MARKS = 40;
const MOST_CHARS = 80;

/** Of what people said, in the order of the conversation. */
export function marksOf(messages: Iterable<ShownMessage>): Mark[] {
  const said = Array.from(messages)
    .filter(({ role, hidden, kind }) => role === "user" && !hidden && kind === undefined)
    .toSorted((a, b) => a.index - b.index)
    .flatMap((message) => {
      const text = beginningOf(message);
      return text ? [{ id: message.id, message, text }] : [];
    });
  return thin(said);
}

function beginningOf(message: ShownMessage): string {
  const text = resultText(message).slice(0, 400).replace(/\s+/g, " ").trim();
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text;
}

/** Evenly, with the first and the last. */
function thin(marks: readonly Mark[]): Mark[] {
  if (marks.length <= MOST_MARKS) return [...marks];
  const step = (marks.length - 1) / (MOST_MARKS - 1);
  return Array.from({ length: MOST_MARKS }, (_, at) => marks[Math.round(at * step)]).filter(
    (mark) => mark !== undefined,
  );
}
