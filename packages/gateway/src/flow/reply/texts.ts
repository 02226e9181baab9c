// The texts a person gets at the end of a turn: what was said, and what they asked to be told besides. Pure.
import { type SessionEntry, type ThinkingBlock, type Usage } from "@chela/sdk";
import type { LoopOutcome } from "../../rooms/agent/room.ts";

export interface SaidSoFar {
  /** What earlier steps of the turn said. */
  readonly texts: readonly string[];
  /** Answers to what was asked of the gateway in the same message. */
  readonly asides: readonly string[];
  readonly notices: readonly string[];
  readonly entry: SessionEntry | undefined;
  readonly spent: Usage;
}

/** `text`: what of the last message is meant for people. */
export function finalTexts({ message }: LoopOutcome, text: string, so: SaidSoFar): string[] {
  const said = text ? [...so.texts, text] : [...so.texts];
  const last = said.pop();
  const footer = last === undefined ? undefined : usageFooter(so.entry, so.spent);
  // In one text with the answer: a chat window that shows one message for each question would drop the others.
  const answer = [...so.asides, last, footer, ...so.notices].filter((part) => part !== undefined).join("\n\n");
  if (last === undefined) return answer ? [answer] : [];
  return [...reasoning(message.content, so.entry), ...said, answer];
}

/** `/reasoning on`: what the model thought comes first, as a message of its own. */
function reasoning(content: LoopOutcome["message"]["content"], entry: SessionEntry | undefined): string[] {
  if (entry?.reasoningLevel !== "on") return [];
  const thought = content.flatMap((block) =>
    block.type === "thinking" && !block["redacted"] ? [(block as ThinkingBlock).thinking.trim()] : [],
  );
  const lines = thought.join("\n").split("\n").filter(Boolean);
  return lines.length > 0 ? [`Reasoning:\n${lines.map((line) => `_${line}_`).join("\n")}`] : [];
}

function usageFooter(entry: SessionEntry | undefined, spent: Usage): string | undefined {
  const mode = entry?.responseUsage;
  if (!mode || mode === "off" || spent.totalTokens === 0) return undefined;
  const tokens = `Usage: ${short(spent.input + spent.cacheRead + spent.cacheWrite)} in / ${short(spent.output)} out`;
  return mode === "full" && spent.cost.total > 0 ? `${tokens} · est $${spent.cost.total.toFixed(4)}` : tokens;
}

function short(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`;
}
