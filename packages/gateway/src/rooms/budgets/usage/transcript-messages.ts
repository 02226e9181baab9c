// The messages of a transcript one after the other, with what matters for counting them.
import type { Ledger, TranscriptEntry } from "@chela/sdk";
import { asWritten } from "../../../base/text/written-text.ts";

export interface SeenMessage {
  readonly at: number;
  readonly role: "user" | "assistant" | "toolResult";
  readonly text: string;
  readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: unknown }>;
  readonly isError: boolean;
  /** Only of a model's answer. */
  readonly spent?: SeenUsage;
}

interface SeenUsage {
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly tokens: number;
  readonly cost: number;
}

const AT_ONCE = 500;

/** Also what was cut out of the live conversation: it was said, and it was paid for. */
export async function* messagesOf(ledger: Pick<Ledger, "entries">, sessionId: string): AsyncGenerator<SeenMessage> {
  for (let afterSeq = 0; ;) {
    const entries = await ledger.entries(sessionId, { afterSeq, limit: AT_ONCE, all: true });
    for (const { line } of entries) {
      const message = readMessage(JSON.parse(line) as TranscriptEntry);
      if (message) yield message;
    }
    const last = entries.at(-1);
    if (!last || entries.length < AT_ONCE) return;
    afterSeq = last.seq;
  }
}

interface WrittenMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly timestamp?: unknown;
  readonly isError?: unknown;
  readonly stopReason?: unknown;
  readonly provider?: unknown;
  readonly model?: unknown;
  readonly usage?: Record<string, unknown> & { readonly cost?: { readonly total?: unknown } };
}

function readMessage(entry: TranscriptEntry): SeenMessage | undefined {
  const message = entry["message"] as WrittenMessage | undefined;
  const role = message?.role;
  if (entry.type !== "message" || !message) return undefined;
  // The gateway's own instructions are nobody's words; what they cost is.
  if (role === "user" && entry["internal"] === true) return undefined;
  if (role !== "user" && role !== "assistant" && role !== "toolResult") return undefined;
  const blocks = blocksOf(message.content);
  const text = blocks.flatMap((block) => (block["type"] === "text" ? [String(block["text"] ?? "")] : [])).join("\n");
  const spent = role === "assistant" ? usageOf(message) : undefined;
  return {
    at: typeof message.timestamp === "number" ? message.timestamp : Date.parse(entry.timestamp),
    role,
    text: role === "user" ? asWritten(text) : text,
    calls: blocks.flatMap((block) =>
      block["type"] === "toolCall" ? [{ name: String(block["name"]), arguments: block["arguments"] }] : [],
    ),
    isError: message.isError === true || message.stopReason === "error",
    ...(spent ? { spent } : {}),
  };
}

function blocksOf(content: unknown): Array<Record<string, unknown>> {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as Array<Record<string, unknown>>) : [];
}

function usageOf({ usage, provider, model }: WrittenMessage): SeenUsage | undefined {
  const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
  const tokens = number(usage?.["totalTokens"]);
  if (!usage || tokens === 0) return undefined;
  return {
    provider: String(provider ?? ""),
    model: String(model ?? ""),
    input: number(usage["input"]),
    output: number(usage["output"]),
    cacheRead: number(usage["cacheRead"]),
    cacheWrite: number(usage["cacheWrite"]),
    tokens,
    cost: number(usage.cost?.total),
  };
}
