// The words of a message as people see them: not what was added for the model, nor what was meant for the gateway.
import { asWritten } from "../base/written-text.ts";
import { visibleText } from "../flow/visible-text.ts";

export function shownWords(role: unknown, text: string): string {
  if (role === "user") return asWritten(text);
  return role === "assistant" ? visibleText(text).text : text;
}
