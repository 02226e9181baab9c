// JSON from text that a model or a transcript holds.
import { isTooDeep } from "@chela/sdk/base";

/** One event of an answer. Throws SyntaxError, also for one that could not be walked through afterwards. */
export function parseEvent(text: string): unknown {
  refuseDeep(text);
  return JSON.parse(text);
}

export function refuseDeep(text: string): void {
  if (isTooDeep(text)) throw new SyntaxError("an event of the stream is nested too deep");
}

/** Undefined when the text is no JSON object. No text at all is an empty one: so a model calls a tool without arguments. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
