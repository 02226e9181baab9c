// The arguments of a tool call from the text a model wrote, which is not always JSON.
import JSON5 from "json5";
import type { ModelEvent } from "@chela/sdk";
import { isTooDeep } from "@chela/sdk/base";

type Arguments = Record<string, unknown>;
type CallEvent = Extract<ModelEvent, { kind: "tool-call" }>;

/** As much of unreadable arguments as a model needs to know again what it wrote. */
const MOST_SHOWN = 2_000;

/** The part of a call's event that its arguments make up: what they say, or that they say nothing. */
export function readArguments(text: string): Pick<CallEvent, "arguments" | "unreadable"> {
  const args = parse(text);
  return args ? { arguments: args } : { arguments: {}, unreadable: text.slice(0, MOST_SHOWN) };
}

/**
 * Only what cannot be misunderstood is put right. An object without its end is none of it: nobody knows what else it
 * would have said.
 */
function parse(written: string): Arguments | undefined {
  const text = withoutFence(written.trim());
  if (text === "") return {};
  if (isTooDeep(text)) return undefined;
  for (const reading of READINGS) {
    const value = reading(text);
    if (value !== undefined) return toArguments(value);
  }
  return undefined;
}

const READINGS: readonly ((text: string) => unknown)[] = [
  (text) => attempt(() => JSON.parse(text)),
  (text) => attempt(() => JSON.parse(escapeControls(text))),
  // Single quotes, names without quotes, commas before the end, comments. The library complains of bare line separators aloud.
  (text) => attempt(() => JSON5.parse(text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"))),
  (text) => attempt(() => JSON.parse(withoutTail(text) ?? "")),
];

/** `null` is how some models call a tool without arguments; others write the object as a text, or into a list. */
function toArguments(value: unknown): Arguments | undefined {
  const inner: unknown = typeof value === "string" && !isTooDeep(value) ? attempt(() => JSON.parse(value)) : value;
  if (inner === null) return {};
  const only: unknown = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
  return typeof only === "object" && only !== null && !Array.isArray(only) ? (only as Arguments) : undefined;
}

function withoutFence(text: string): string {
  return /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}

/** Line ends and tabs that stand in a string as they are. */
function escapeControls(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
    // eslint-disable-next-line no-control-regex -- these characters are what it looks for
    string.replace(/[\u0000-\u001f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** The object at the beginning, when nothing stands behind it but braces too many or the same object once more. */
function withoutTail(text: string): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}]/g)) {
    if (token === "{") depth++;
    else if (token === "}") depth--;
    if (depth > 0 || token !== "}") continue;
    const object = text.slice(0, index + 1);
    const rest = text.slice(index + 1);
    return /^[\s}\]]*$/.test(rest) || rest.trim() === object.trim() ? object : undefined;
  }
  return undefined;
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
