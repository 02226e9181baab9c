// Contexts for hooks, made of messages, files and conversations, in the shapes they know.
import { textOf, type AgentMessage, type HookContexts, type InboxMessage, type OutboxItem } from "@chela/sdk";
import type { MessageBody } from "../message-body.ts";
import type { Remark } from "../../rooms/hooks/room.ts";
import { shownWords } from "../../base/text/shown-words.ts";
import type { Transcripts } from "../../rooms/sessions/room.ts";
import { fitFiles, type InjectedFile } from "../../rooms/workspace/room.ts";

/** How many entries of a transcript hold one remark; the others are calls of tools and their results. */
const ENTRIES_PER_REMARK = 8;

/** What hooks are told of a message that came in. */
export function inboundContext(
  { channel, account, messageId }: Pick<InboxMessage, "channel" | "account" | "messageId">,
  { agentId, sessionKey }: Pick<InboxMessage, "agentId" | "sessionKey">,
  { text, sender, origin, media }: MessageBody,
  now: number,
): HookContexts["message:received"] {
  return {
    agentId,
    from: sender?.id ?? "",
    content: text,
    timestamp: origin?.at ?? now,
    channelId: channel,
    accountId: account,
    conversationId: origin?.target.to ?? sessionKey,
    messageId: origin?.messageId ?? messageId,
    metadata: {
      senderId: sender?.id ?? "",
      isOwner: sender?.isOwner ?? false,
      ...(sender?.name ? { senderName: sender.name } : {}),
      ...(origin?.username ? { senderUsername: origin.username } : {}),
      ...(origin ? { chatType: origin.chat.kind, wasMentioned: origin.wasMentioned } : {}),
      ...(origin?.target.threadId ? { threadId: origin.target.threadId } : {}),
      mediaCount: media?.length ?? 0,
    },
  };
}

/** The words of a message of ours. */
export function sentText({ texts, content }: OutboxItem["payload"]): string {
  if (Array.isArray(texts)) return texts.join("\n\n");
  const { markdown, caption } = (content ?? {}) as { markdown?: unknown; caption?: unknown };
  return String(markdown ?? caption ?? "");
}

/** What hooks left as it was stays as it was cut; what they brought has to fit into the rest. */
export function fitted(
  left: ReadonlyArray<{ name: unknown; path: unknown; content: unknown }>,
  before: readonly InjectedFile[],
  { perFile, total }: { readonly perFile: number; readonly total: number },
): readonly InjectedFile[] {
  const whole = left.flatMap(({ name, path, content }) =>
    typeof name === "string" && typeof content === "string"
      ? [{ name, path: String(path ?? name), text: content }]
      : [],
  );
  const same = ({ name, text }: (typeof whole)[number]) =>
    before.find((file) => file.name === name && file.content === text);
  const kept = whole.flatMap((file) => same(file) ?? []);
  if (kept.length === before.length && whole.length === before.length) return before;
  const used = kept.reduce((chars, { content }) => chars + content.length, 0);
  const fresh = fitFiles(
    whole.filter((file) => !same(file)),
    { perFile, total: Math.max(0, total - used) },
  );
  return whole.flatMap(
    (file) => same(file) ?? fresh.find(({ name, path }) => name === file.name && path === file.path) ?? [],
  );
}

/** What people and agent said at the end of a conversation, as they saw it. */
export async function lastRemarks(transcripts: Transcripts, sessionId: string, newest: number): Promise<Remark[]> {
  const entries = await transcripts.path(sessionId, newest * ENTRIES_PER_REMARK);
  const remarks = entries.flatMap((entry): Remark[] => {
    const { type, internal, message } = entry as { type: string; internal?: boolean; message?: AgentMessage };
    if (type !== "message" || internal || !message) return [];
    const { role } = message;
    if (role !== "user" && role !== "assistant") return [];
    const text = shownWords(role, textOf(message)).trim();
    return text === "" ? [] : [{ role, text }];
  });
  return remarks.slice(-newest);
}
