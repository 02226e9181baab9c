// Asks a model for a summary, in parts when the material is too long for one question, and joins the parts.
import type { AgentMessage } from "@chela/sdk";
import { conversationPrompt, mergePrompt, SUMMARY_SYSTEM, withInstructions } from "./summary-prompts.ts";
import { firstChars } from "./cut-text.ts";
import { shorten } from "./tell-conversation.ts";

export type Completion =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "failed"; readonly why: string };

/** One question to a model. Never rejects. */
export type Complete = (request: {
  readonly system: string;
  readonly messages: readonly AgentMessage[];
  readonly maxTokens: number;
}) => Promise<Completion>;

export interface SummaryTask {
  readonly complete: Complete;
  /** How much material goes into one question. */
  readonly partTokens: number;
  readonly maxTokens: number;
  readonly instructions?: string;
  countText(text: string): number;
}

export async function summarise(
  texts: readonly string[],
  previous: string | undefined,
  task: SummaryTask,
): Promise<Completion> {
  const parts: string[] = [];
  const pieces = texts.flatMap((text) => splitByTokens(text, task));
  for (const [at, group] of packGroups(pieces, task.partTokens, task).entries()) {
    const earlier = at === 0 && previous ? cutToTokens(previous, task.partTokens, task) : undefined;
    const answer = await ask(conversationPrompt(group, earlier), task);
    if (answer.kind === "failed") return answer;
    parts.push(answer.text);
  }
  return joinParts(parts, task);
}

/** At least two parts go into each question, so the rounds come to an end. */
async function joinParts(parts: readonly string[], task: SummaryTask): Promise<Completion> {
  const [first = "", ...others] = parts;
  if (others.length === 0) return { kind: "text", text: first };
  const joined: string[] = [];
  for (const group of packGroups(parts, task.partTokens / 2, task)) {
    const answer: Completion =
      group.length === 1 ? { kind: "text", text: group[0] ?? "" } : await ask(mergePrompt(group), task);
    if (answer.kind === "failed") return answer;
    joined.push(answer.text);
  }
  return joinParts(joined, task);
}

async function ask(prompt: string, { complete, maxTokens, instructions }: SummaryTask): Promise<Completion> {
  const content = withInstructions(prompt, instructions);
  const answer = await complete({
    system: SUMMARY_SYSTEM,
    messages: [{ role: "user", content, timestamp: 0 }],
    maxTokens,
  });
  if (answer.kind === "failed") return answer;
  const text = answer.text.trim();
  return text ? { kind: "text", text } : { kind: "failed", why: "The model wrote an empty summary." };
}

/** Neighbours that together stay within the tokens of one question; no text is longer than `longest`. */
function packGroups(texts: readonly string[], longest: number, task: SummaryTask): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const cut = cutToTokens(text, longest, task);
    const tokens = Math.min(longest, task.countText(cut));
    if (groups.length === 0 || tokens > room) {
      groups.push([]);
      room = task.partTokens;
    }
    groups.at(-1)?.push(cut);
    room -= tokens;
  }
  return groups;
}

/** Somewhat smaller than allowed, because tokens are not spread evenly over a text. */
function splitByTokens(text: string, { partTokens, countText }: SummaryTask): string[] {
  const counted = countText(text);
  if (counted <= partTokens) return [text];
  const size = Math.ceil((text.length * partTokens * 0.8) / counted);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? size) pieces.push(firstChars(text.slice(at), size));
  return pieces;
}

function cutToTokens(text: string, tokens: number, { countText }: SummaryTask): string {
  const counted = countText(text);
  if (counted <= tokens) return text;
  const chars = Math.floor((text.length * tokens) / counted);
  return shorten(text, { head: Math.floor(chars * 0.7), tail: Math.floor(chars * 0.3) });
}
