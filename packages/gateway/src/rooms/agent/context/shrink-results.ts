// The last resort against an overflow: cuts tool results that alone take too much of the window.
import { textOf, type AgentMessage, type ToolResultMessage } from "@chela/sdk";
import type { CountMessage } from "./count-tokens.ts";
import { firstChars, lastChars } from "./cut-text.ts";

const MAX_CHARS = 400_000;
const MIN_CHARS = 2000;
const SHARE = 0.3;
/** The beginning says what a result is, the end how it came out. */
const HEAD_SHARE = 0.7;

export interface ResultLimits {
  readonly window: number;
  readonly count: CountMessage;
  /** How much of the window one result may take. */
  readonly share?: number;
}

export function shrinkOversizedResults(
  messages: readonly AgentMessage[],
  limits: ResultLimits,
): { readonly messages: AgentMessage[]; readonly shrunk: number } {
  let shrunk = 0;
  const shorter = messages.map((message) => {
    if (message.role !== "toolResult") return message;
    const result = message as ToolResultMessage;
    const text = textOf(result);
    const allowed = charsAllowed(result, text.length, limits);
    if (text.length <= allowed) return message;
    shrunk++;
    return withText(result, cutMiddle(text, allowed));
  });
  return { messages: shorter, shrunk };
}

/** Tokens decide, because the same number of characters takes a different room in each language. */
function charsAllowed(
  result: ToolResultMessage,
  chars: number,
  { window, count, share = SHARE }: ResultLimits,
): number {
  const tokens = count(textOnly(result));
  const byTokens = tokens > window * share ? Math.floor((chars * window * share) / tokens) : Infinity;
  return Math.max(MIN_CHARS, Math.min(MAX_CHARS, byTokens));
}

function cutMiddle(text: string, chars: number): string {
  const note = `\n\n[... cut here: the result had ${text.length} characters, too many for the context. Ask for a smaller part if you need it. ...]\n\n`;
  const room = Math.max(0, chars - note.length);
  const head = Math.floor(room * HEAD_SHARE);
  return firstChars(text, head) + note + lastChars(text, room - head);
}

function withText(result: ToolResultMessage, text: string): ToolResultMessage {
  const images = result.content.filter(({ type }) => type === "image");
  return { ...result, content: [{ type: "text", text }, ...images] };
}

function textOnly(result: ToolResultMessage): ToolResultMessage {
  if (result.content.every(({ type }) => type === "text")) return result;
  return { ...result, content: result.content.filter(({ type }) => type === "text") };
}
