// A JSON object from text that a model or a transcript holds.

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
