// The arguments of a tool call as the audit trail keeps them: without secrets, and short.
import { hash } from "node:crypto";
import { redactSecrets } from "@chela/sdk/base";

export interface ShownArguments {
  /** As they were, when they are short enough; else the beginning of their JSON. */
  readonly args: unknown;
  /** Of the whole JSON in UTF-8, when only a part of it is shown. */
  readonly argsDigest?: string;
  readonly argsChars?: number;
}

const MOST_CHARS = 2048;
/** What is looked at behind the part that is shown, so that no half of a secret is left at its end. */
const MARGIN_CHARS = 8192;

export function shownArguments(args: unknown): ShownArguments {
  const text = JSON.stringify(args ?? {}) ?? "{}";
  if (text.length <= MOST_CHARS) return { args: parsedOr(redactSecrets(text)) };
  const isLong = text.length > MOST_CHARS + MARGIN_CHARS;
  const redacted = redactSecrets(isLong ? text.slice(0, MOST_CHARS + MARGIN_CHARS) : text);
  const end = isLong ? Math.max(0, redacted.length - MARGIN_CHARS) : redacted.length;
  const shown = redacted.slice(0, Math.min(MOST_CHARS, end));
  return { args: shown, argsDigest: hash("sha256", text), argsChars: text.length };
}

/** What was taken out may have broken the JSON; then the text says as much. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
