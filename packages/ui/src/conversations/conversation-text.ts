// A conversation as a text to keep: Markdown for people, JSON Lines for programs.
import type { ShownBlock, ShownMessage } from "@chela/sdk/protocol";
import type { InOtherWords, Sections } from "../words/index.ts";
import { resultText, tellingArgument } from "./tool-call.ts";

export interface TextRules {
  readonly words: InOtherWords<Sections["conversation"]>;
  date(ms: number): string;
  bytes(count: number): string;
}

/** One line, pictures without their data. */
export function toLine(message: ShownMessage): string {
  const content = message.content?.map((block) => (block.type === "image" ? withoutData(block) : block));
  return `${JSON.stringify(content ? { ...message, content } : message)}\n`;
}

function withoutData(block: Extract<ShownBlock, { type: "image" }>): ShownBlock {
  const { type, mimeType, bytes, mediaId } = block;
  return { type, mimeType, bytes, omitted: true, ...(mediaId === undefined ? {} : { mediaId }) };
}

/** Empty when there is nothing for people in it. */
export function toMarkdown(message: ShownMessage, rules: TextRules): string {
  if (message.hidden) return "";
  if (message.role === "toolResult") return quoteResult(message, rules);
  const blocks = withoutTwins(message.content ?? []).map((block) => blockToMarkdown(block, rules));
  const reply = message.reply ? [`**${rules.words.result}:** ${message.reply}`] : [];
  const problem = message.errorMessage ? [`> ${message.errorMessage}`] : [];
  const parts = [...blocks, ...reply, ...problem].filter(Boolean);
  return parts.length === 0 ? "" : `${headingOf(message, rules)}\n\n${parts.join("\n\n")}\n\n`;
}

/** A picture that is a kept file as well is mentioned once. */
function withoutTwins(content: readonly ShownBlock[]): ShownBlock[] {
  const kept = new Set(content.flatMap((block) => (block.type === "media" ? [block.id] : [])));
  return content.filter((block) => block.type !== "image" || !kept.has(block.mediaId ?? ""));
}

function headingOf({ role, kind, timestamp }: ShownMessage, { words, date }: TextRules): string {
  const isSummary = kind === "compaction" || kind === "summary";
  const who = isSummary ? words.summary : role === "assistant" ? words.assistant : words.you;
  return `## ${who}${timestamp ? ` · ${date(timestamp)}` : ""}`;
}

function blockToMarkdown(block: ShownBlock, rules: TextRules): string {
  switch (block.type) {
    case "text":
      return block.text.trim();
    case "thinking":
      return block.thinking.trim().replace(/^/gm, "> ");
    case "toolCall": {
      const telling = tellingArgument(block);
      return `**${block.name}**${telling ? ` ${inlineCode(telling)}` : ""}`;
    }
    case "image":
      return `*[${rules.words.picture}: ${block.mimeType}, ${rules.bytes(block.bytes)}]*`;
    case "media":
      return `*[${rules.words.file}: ${block.fileName ?? block.mimeType}, ${rules.bytes(block.bytes)}]*`;
  }
}

function quoteResult(message: ShownMessage, rules: TextRules): string {
  const text = resultText(message).trimEnd();
  const others = (message.content ?? [])
    .filter(({ type }) => type === "image" || type === "media")
    .map((block) => blockToMarkdown(block, rules));
  const parts = [...(text ? [fenced(text)] : []), ...others];
  return parts.length === 0 ? "" : `${parts.join("\n\n")}\n\n`;
}

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function inlineCode(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return longest > 0 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

/** A name that every system takes. */
export function fileNameOf(title: string, day: string, ending: string): string {
  const safe = title
    .replace(/[\p{C}\\/:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 60);
  return `${safe || "conversation"} ${day}.${ending}`;
}
