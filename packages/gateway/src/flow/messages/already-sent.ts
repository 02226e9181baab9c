// Finds the texts of an answer that the agent has sent to the same chat itself, so that nobody reads them twice.
import type { Ledger, OutboxItem } from "@chela/sdk";
import { ChannelPayload } from "../../rooms/delivery/room.ts";

/** Shorter texts, such as "Done.", may well be meant twice. */
const LEAST_CHARS = 10;

export interface AnsweredChat {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly threadId?: string | undefined;
}

export async function withoutAlreadySent(
  texts: readonly string[],
  chat: AnsweredChat,
  ledger: Pick<Ledger, "outboxOf">,
): Promise<readonly string[]> {
  if (texts.length === 0) return texts;
  const sent = sentTexts(await ledger.outboxOf(chat.runId), chat);
  const isSent = (text: string): boolean => sent.has(normalize(text));
  if (isSent(texts.join("\n\n"))) return [];
  return texts.filter((text) => !isSent(text));
}

function sentTexts(rows: readonly OutboxItem[], chat: AnsweredChat): ReadonlySet<string> {
  const parts = new Map<string, string[]>();
  for (const row of rows) {
    const text = row.id.startsWith(`${chat.runId}:tool:`) && isFor(row, chat) ? textOf(row) : undefined;
    const letter = row.id.slice(0, row.id.lastIndexOf(":"));
    if (text) parts.set(letter, [...(parts.get(letter) ?? []), text]);
  }
  const whole = [...parts.values()].map((pieces) => normalize(pieces.join(" ")));
  return new Set(whole.filter((text) => text.length >= LEAST_CHARS));
}

/** What could not be delivered was not said. */
function isFor({ channel, account, to, payload, state }: OutboxItem, chat: AnsweredChat): boolean {
  const isThere = channel === chat.channel && account === chat.account && to === chat.to;
  return isThere && payload["threadId"] === chat.threadId && state !== "undeliverable";
}

function textOf({ payload }: OutboxItem): string | undefined {
  const content = ChannelPayload().safeParse(payload).data?.content;
  if (content?.kind === "text") return content.markdown;
  return content?.kind === "media" ? content.caption : undefined;
}

function normalize(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
