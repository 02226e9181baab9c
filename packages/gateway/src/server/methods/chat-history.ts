// A transcript as a chat window shows it: messages only, nothing secret, nothing endless.
import { mediaOf, noUsage, type MediaRef, type TranscriptEntry } from "@chela/sdk";
import type { HistoryMessage } from "@chela/sdk/protocol";
import { jobOf } from "../../base/text/job-prompt.ts";
import { COMMAND_NOTE } from "../../flow/commands/command-note.ts";
import type { House } from "../../house/house.ts";
import { mediaBlocks } from "../media-blocks.ts";
import { shownWords } from "../../base/text/shown-words.ts";

const MAX_TEXT_CHARS = 12_000;
const MAX_MESSAGE_CHARS = 128 * 1024;
const MAX_HISTORY_CHARS = 6 * 1024 * 1024;

type Json = Record<string, unknown>;

/** Where an entry stands in the branch that is being talked in; the first is 1. */
export interface NumberedEntry {
  readonly entry: TranscriptEntry;
  readonly seq: number;
}

/** The newest entries of the branch that is being talked in. */
export async function numberedPath(
  { transcripts, sessionPaths }: Pick<House, "transcripts" | "sessionPaths">,
  sessionId: string,
  newest: number,
): Promise<NumberedEntry[]> {
  const path = await transcripts.path(sessionId, newest);
  const { total } = await sessionPaths.tip(sessionId);
  const before = Math.max(0, total - path.length);
  return path.map((entry, at) => ({ entry, seq: before + at + 1 }));
}

/** How messages look that the gateway wrote itself, without a model. */
export const WRITTEN_HERE = {
  stopReason: "stop",
  api: "openai-responses",
  provider: "openclaw",
  model: "gateway-injected",
};

/** `path` is the branch that is being talked in. */
export function historyMessages(path: readonly NumberedEntry[], limit: number): HistoryMessage[] {
  const shown = path.flatMap(toShown).slice(-limit);
  return capTotal(shown.map(capOne));
}

function toShown({ entry, seq }: NumberedEntry): HistoryMessage[] {
  // What the gateway and the model settle among themselves is not for people.
  if (entry["internal"] === true) return [];
  if (entry.type === "compaction") {
    const timestamp = Date.parse(entry.timestamp);
    const mark = { kind: "compaction", id: entry.id, seq };
    return [{ role: "system", content: [{ type: "text", text: "Compaction" }], timestamp, __openclaw: mark }];
  }
  if (entry.type === "custom" && entry["customType"] === COMMAND_NOTE) return showCommand(entry, seq);
  if (entry.type !== "message" || typeof entry["message"] !== "object" || entry["message"] === null) return [];
  const { details: _details, usage, cost: _cost, media: _media, ...message } = entry["message"] as Json;
  const content = withFiles(cleanContent(message), mediaOf(entry["message"]));
  // A message in which nothing was said to people, such as a wish to stay silent.
  if (Array.isArray(content) && content.length === 0 && hadContent(message)) return [];
  const more = { ...shownUsage(usage), ...senderLabel(entry) };
  const role = String(message["role"]);
  return [{ ...message, ...more, role, content, __openclaw: { id: entry.id, seq } }];
}

/** What a person asked of the gateway, and its answer. */
function showCommand({ id, timestamp, data }: TranscriptEntry, seq: number): HistoryMessage[] {
  const { text, reply } = (data ?? {}) as { text?: unknown; reply?: unknown };
  const said = (role: string, words: unknown): HistoryMessage[] =>
    typeof words === "string" && words !== ""
      ? [
          {
            role,
            content: [{ type: "text", text: cut(words) }],
            timestamp: Date.parse(timestamp),
            ...(role === "assistant" ? { ...WRITTEN_HERE, usage: noUsage() } : {}),
            __openclaw: { id, kind: "command", seq },
          },
        ]
      : [];
  return [...said("user", text), ...said("assistant", reply)];
}

/** Numbers only: what a provider counted besides is its own business. */
function shownUsage(usage: unknown): Json {
  if (typeof usage !== "object" || usage === null) return {};
  const counted = usage as Json;
  const { total } = (counted["cost"] ?? {}) as Json;
  const names = ["input", "output", "totalTokens", "cacheRead", "cacheWrite"];
  const numbers = names.flatMap((name) => (typeof counted[name] === "number" ? [[name, counted[name]]] : []));
  const cost = typeof total === "number" ? { cost: { total } } : {};
  return { usage: { ...Object.fromEntries(numbers), ...cost } };
}

/** The window it was typed into. */
function senderLabel({ senderLabel: label }: TranscriptEntry): Json {
  return typeof label === "string" ? { senderLabel: cut(label) } : {};
}

type Content = HistoryMessage["content"];

/** Blocks are as they were written, most of them by this program; what cannot be shown is cut out or named. */
function cleanContent(message: Json): Content {
  const { content, role } = message;
  const job = jobOf(message);
  const clean = (text: string): string => cut(shownWords(role, text, job));
  if (typeof content === "string") return clean(content);
  if (!Array.isArray(content)) return [];
  const shown = content.map((block: Json) => {
    if (block["type"] === "text") return { ...block, text: clean(String(block["text"])) };
    if (block["type"] === "thinking") {
      const { thinkingSignature: _signature, ...rest } = block;
      return rest;
    }
    if (block["type"] === "image") {
      const { data, ...rest } = block;
      return { ...rest, omitted: true, bytes: Math.floor((String(data).length * 3) / 4) };
    }
    return block;
  });
  const isEmpty = (block: Json) => role === "assistant" && block["type"] === "text" && block["text"] === "";
  return shown.filter((block) => !isEmpty(block)) as unknown as Content;
}

function withFiles(content: Content, files: readonly MediaRef[]): Content {
  if (files.length === 0) return content;
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return [...blocks, ...mediaBlocks(files)];
}

function hadContent({ content }: Json): boolean {
  return Array.isArray(content) && content.length > 0;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}\n...(truncated)...`;
}

function capOne(message: HistoryMessage): { message: HistoryMessage; chars: number } {
  const chars = JSON.stringify(message).length;
  if (chars <= MAX_MESSAGE_CHARS) return { message, chars };
  const text = "[chat.history omitted: message too large]";
  return {
    message: {
      role: message.role,
      timestamp: message.timestamp,
      content: [
        {
          type: "text",
          text,
        },
      ],
      __openclaw: {
        truncated: true,
        reason: "oversized",
      },
    },
    chars: text.length,
  };
}

/** The oldest go first when the whole is too large. */
function capTotal(all: ReadonlyArray<{ message: HistoryMessage; chars: number }>): HistoryMessage[] {
  let chars = 0;
  const from = all.findLastIndex((one) => (chars += one.chars) > MAX_HISTORY_CHARS);
  return all.slice(from + 1).map(({ message }) => message);
}
