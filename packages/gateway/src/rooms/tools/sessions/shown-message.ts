// A transcript entry as another session may read it: short, without secrets, thinking and image data.
import { AgentMessage, type ImageBlock, type TextBlock, type ToolCallBlock, type TranscriptEntry } from "@chela/sdk";
import { redactSecrets } from "@chela/sdk/base";

export interface ShownMessage {
  /** The entry's id: where to go on reading. */
  readonly id: string;
  readonly role: string;
  readonly content: readonly unknown[];
  readonly [field: string]: unknown;
}

export interface Showing {
  readonly includeTools: boolean;
  readonly textChars: number;
}

export interface ShownEntry {
  readonly message: ShownMessage;
  readonly isCut: boolean;
  readonly isRedacted: boolean;
}

type Block = Exclude<AgentMessage["content"], string>[number];

/** A secret that begins in the part that is shown is seen as a whole before the text is cut. */
const LONGEST_SECRET = 10_000;
const CUT_MARK = "\n[… cut]";

/** Undefined for entries nobody said, and for messages of which nothing is left to show. */
export function showEntry(entry: TranscriptEntry, showing: Showing): ShownEntry | undefined {
  switch (entry.type) {
    case "message": {
      const message = AgentMessage().safeParse(entry["message"]);
      return message.success ? showMessage(entry, message.data, showing) : undefined;
    }
    case "compaction":
      return showText(entry, "compactionSummary", String(entry["summary"]), showing);
    case "branch_summary":
      return showText(entry, "branchSummary", String(entry["summary"]), showing);
    case "custom_message":
      return entry["display"] === false
        ? undefined
        : showMessage(entry, { role: "custom", content: entry["content"] }, showing);
    default:
      return undefined;
  }
}

function showText(entry: TranscriptEntry, role: string, text: string, showing: Showing): ShownEntry | undefined {
  return showMessage(entry, { role, content: text }, showing);
}

function showMessage(
  entry: TranscriptEntry,
  message: { readonly role: string; readonly content: unknown; readonly [field: string]: unknown },
  showing: Showing,
): ShownEntry | undefined {
  if (message.role === "toolResult" && !showing.includeTools) return undefined;
  const marks = { isCut: false, isRedacted: false };
  const clean = (text: string): string => {
    const beginning = text.slice(0, showing.textChars + LONGEST_SECRET);
    const safe = redactSecrets(beginning);
    if (safe !== beginning) marks.isRedacted = true;
    if (text.length <= beginning.length && safe.length <= showing.textChars) return safe;
    marks.isCut = true;
    return safe.slice(0, showing.textChars).toWellFormed() + CUT_MARK;
  };
  const content = blocksOf(message.content).flatMap((block) => showBlock(block, showing, clean));
  if (content.length === 0) return undefined;
  return { message: { id: entry.id, role: message.role, ...fieldsOf(entry, message, clean), content }, ...marks };
}

function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === "string") return content ? [{ type: "text", text: content }] : [];
  return Array.isArray(content) ? (content as Block[]) : [];
}

function fieldsOf(
  entry: TranscriptEntry,
  message: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Record<string, unknown> {
  const from = message["provenance"] as { kind?: unknown } | undefined;
  return {
    timestamp: typeof message["timestamp"] === "number" ? message["timestamp"] : Date.parse(entry.timestamp) || 0,
    ...(typeof from?.kind === "string" ? { provenance: { kind: from.kind } } : {}),
    ...(message["role"] === "toolResult"
      ? { toolCallId: message["toolCallId"], toolName: message["toolName"], isError: message["isError"] }
      : {}),
    ...(typeof message["errorMessage"] === "string" ? { errorMessage: clean(message["errorMessage"]) } : {}),
  };
}

function showBlock(block: Block, { includeTools }: Showing, clean: (text: string) => string): readonly unknown[] {
  switch (block.type) {
    case "text": {
      const { text } = block as TextBlock;
      return text ? [{ type: "text", text: clean(text) }] : [];
    }
    case "image": {
      const { mimeType, data } = block as ImageBlock;
      return [{ type: "image", mimeType, omitted: true, bytes: Math.floor((data.length * 3) / 4) }];
    }
    case "toolCall":
      return includeTools ? [showCall(block as ToolCallBlock, clean)] : [];
    default:
      return [];
  }
}

/** Cleaned as text, because the name before a value tells that it is a secret; arguments that are still JSON stay an object. */
function showCall({ id, name, arguments: given }: ToolCallBlock, clean: (text: string) => string): unknown {
  const text = clean(JSON.stringify(given));
  return { type: "toolCall", id, name, arguments: parsed(text) ?? text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
