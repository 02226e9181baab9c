// The words of a message as people see them: not what was added for the model, nor what was meant for the gateway.
// Not by way of the room's door: the rest of that room is loaded with the first turn.
import { stripInboundBlocks } from "../agent/prompt/strip-blocks.ts";
import { withoutTimePrefix } from "../base/time-prefix.ts";
import { visibleText } from "../flow/visible-text.ts";

export function shownWords(role: unknown, text: string): string {
  if (role === "user") return withoutTimePrefix(stripInboundBlocks(text));
  return role === "assistant" ? visibleText(text).text : text;
}
