// The short forms of an old tool result. A form holds all its numbers: a changed setting does not change what was sent.
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { firstChars, lastChars } from "./cut-text.ts";
import type { PruningSettings } from "./settings.ts";

export type PrunedForm =
  | { readonly kind: "trimmed"; readonly headChars: number; readonly tailChars: number }
  | { readonly kind: "cleared"; readonly placeholder: string };

/** Names a result in a way that survives reading the transcript anew. */
export function keyOf({ timestamp, toolCallId }: ToolResultMessage): string {
  return `${timestamp}:${toolCallId}`;
}

/** Undefined when the result is short enough, or would not become shorter. */
export function trimmedForm(
  result: ToolResultMessage,
  { maxChars, headChars, tailChars }: PruningSettings["softTrim"],
): PrunedForm | undefined {
  const { length } = textOf(result);
  if (length <= maxChars) return undefined;
  const form: PrunedForm = { kind: "trimmed", headChars, tailChars };
  return textOf(withForm(result, form)).length < length ? form : undefined;
}

/** Undefined when there is nothing to gain. */
export function clearedForm(result: ToolResultMessage, placeholder: string): PrunedForm | undefined {
  return textOf(result).length > placeholder.length ? { kind: "cleared", placeholder } : undefined;
}

export function withForm(original: ToolResultMessage, form: PrunedForm): ToolResultMessage {
  const text = form.kind === "cleared" ? form.placeholder : trimText(textOf(original), form);
  return { ...original, content: [{ type: "text", text }] };
}

function trimText(text: string, { headChars, tailChars }: Extract<PrunedForm, { kind: "trimmed" }>): string {
  const note = `[Shortened: the first ${headChars} and the last ${tailChars} of ${text.length} characters are shown.]`;
  return `${firstChars(text, headChars)}\n...\n${lastChars(text, tailChars)}\n\n${note}`;
}
