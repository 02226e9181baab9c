// An entry of a transcript as a page shows it: only what is for people, and nothing endless.
import { mediaOf, type TranscriptEntry, type Usage } from "@chela/sdk";
import { MAX_SHOWN_CHARS, ShownFailure, type ShownMessage } from "@chela/sdk/protocol";
import { jobOf, type AskingJob } from "../../base/text/job-prompt.ts";
import { COMMAND_NOTE } from "../../flow/commands/command-note.ts";
import type { PlacedEntry } from "../../rooms/sessions/room.ts";
import { mediaBlocks } from "../media-blocks.ts";
import { shownWords } from "../../base/text/shown-words.ts";
import { sourceOf } from "../../base/text/unasked.ts";
import { Shortener } from "./shortener.ts";
import { isObject } from "@chela/sdk/base";

type Json = Record<string, unknown>;
type Role = NonNullable<ShownMessage["role"]>;

const SHOWN_TYPES: ReadonlySet<string> = new Set(["message", "compaction", "branch_summary"]);

/** Whether the entry is of a kind that people see. */
export function isShownKind({ type, customType }: { readonly type: string; readonly customType?: unknown }): boolean {
  return SHOWN_TYPES.has(type) || (type === "custom" && customType === COMMAND_NOTE);
}

/** `isWhole`: nothing is shortened, and pictures come with their data. */
export function showEntry(placed: PlacedEntry, isWhole = false): ShownMessage {
  const { entry, index, siblings, labels } = placed;
  const short = new Shortener(isWhole ? Infinity : MAX_SHOWN_CHARS);
  const shown = showKind(entry, short);
  if (!shown) return { index, id: entry.id, hidden: true, ...labelOf(entry) };
  return {
    index,
    id: entry.id,
    parentId: entry.parentId,
    timestamp: Date.parse(entry.timestamp) || 0,
    ...shown,
    ...(siblings ? { siblings: [...siblings] } : {}),
    ...(labels ? { labels: [...labels] } : {}),
    ...(short.wasNeeded ? { cut: true as const } : {}),
  };
}

function labelOf({ type, label, targetId }: TranscriptEntry): Partial<ShownMessage> {
  if (type !== "label" || typeof targetId !== "string") return {};
  return { kind: "label", targetId, ...(typeof label === "string" ? { label } : {}) };
}

/** Undefined when the entry is not for people. */
function showKind(entry: TranscriptEntry, short: Shortener): Partial<ShownMessage> | undefined {
  // What the gateway and the model settle among themselves is not for people.
  if (entry["internal"] === true || !isShownKind(entry)) return undefined;
  switch (entry.type) {
    case "compaction":
      return { role: "system", kind: "compaction", content: words(short.text(String(entry["summary"] ?? ""))) };
    case "branch_summary":
      return { role: "system", kind: "summary", content: words(short.text(String(entry["summary"] ?? ""))) };
    case "custom":
      return showCommand(entry["data"], short);
    default:
      return isObject(entry["message"]) ? showMessage(entry["message"], short) : undefined;
  }
}

function showCommand(data: unknown, short: Shortener): Partial<ShownMessage> {
  const { text, reply } = (data ?? {}) as { text?: unknown; reply?: unknown };
  return {
    role: "user",
    kind: "command",
    content: words(short.text(String(text ?? ""))),
    ...(typeof reply === "string" && reply !== "" ? { reply: short.text(reply) } : {}),
  };
}

function showMessage(message: Json, short: Shortener): Partial<ShownMessage> | undefined {
  const role = roleOf(message["role"]);
  const blocks = blocksOf(message["content"]);
  const job = jobOf(message);
  const said = blocks.flatMap((block) => showBlock(block, { role, job }, short));
  const content = [...said, ...mediaBlocks(mediaOf(message))];
  // A message in which nothing was said to people, such as a wish to stay silent.
  if (role === "assistant" && content.length === 0 && blocks.length > 0) return undefined;
  return {
    role,
    content,
    ...(typeof message["timestamp"] === "number" ? { timestamp: message["timestamp"] } : {}),
    ...texts(message, ["toolCallId", "toolName", "model", "provider", "stopReason", "errorMessage"]),
    ...failureOf(message["failure"]),
    ...(job ? { job: { ...job } } : {}),
    ...(role === "user" ? sourceOf(message) : {}),
    ...(typeof message["isError"] === "boolean" ? { isError: message["isError"] } : {}),
    ...short.details(message["details"]),
    ...usageOf(message["usage"]),
  };
}

function roleOf(role: unknown): Role {
  return role === "user" || role === "assistant" || role === "toolResult" ? role : "system";
}

function blocksOf(content: unknown): Json[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function showBlock(
  block: Json,
  { role, job }: { readonly role: Role; readonly job: AskingJob | undefined },
  short: Shortener,
): NonNullable<ShownMessage["content"]> {
  switch (block["type"]) {
    case "text": {
      const text = short.text(shownWords(role, String(block["text"] ?? ""), job));
      return role === "assistant" && text === "" ? [] : words(text);
    }
    case "thinking": {
      const thinking = short.text(String(block["thinking"] ?? ""));
      return [{ type: "thinking", thinking, ...(block["redacted"] === true ? { redacted: true } : {}) }];
    }
    case "toolCall": {
      const args = short.args(isObject(block["arguments"]) ? block["arguments"] : {});
      return [{ type: "toolCall", id: String(block["id"]), name: String(block["name"]), arguments: args }];
    }
    case "image":
      return [
        { ...short.image(String(block["data"] ?? ""), String(block["mimeType"] ?? "")), ...texts(block, ["mediaId"]) },
      ];
    default:
      return [];
  }
}

function words(text: string): NonNullable<ShownMessage["content"]> {
  return [{ type: "text", text }];
}

function texts<K extends string>(message: Json, names: readonly K[]): Partial<Record<K, string>> {
  const kept: Partial<Record<K, string>> = {};
  for (const name of names) if (typeof message[name] === "string") kept[name] = message[name] as string;
  return kept;
}

/** A transcript may come from elsewhere: what is not whole is left to `errorMessage`. */
function failureOf(failure: unknown): Pick<ShownMessage, "failure"> {
  if (failure === undefined) return {};
  const { data } = ShownFailure().safeParse(failure);
  return data ? { failure: data } : {};
}

function usageOf(usage: unknown): Pick<ShownMessage, "usage"> {
  if (!isObject(usage) || typeof usage["input"] !== "number") return {};
  const { input, output, cacheRead, cacheWrite, cost } = usage as Usage;
  return { usage: { input, output, cacheRead, cacheWrite, ...(isObject(cost) ? { cost } : {}) } };
}
