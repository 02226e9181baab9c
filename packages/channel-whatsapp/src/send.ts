// Sends messages, and says of each what became of it.
import { createHash } from "node:crypto";
import type { AnyMessageContent, BinaryNode, MiscMessageGenerationOptions, WAMessage, WASocket } from "baileys";
import type { ChannelConnection, ChannelHost, OutboundMessage, SendOutcome, Target } from "@chela/sdk";
import { isGroupId, isHidden, jidOf } from "./address.ts";
import { captionApart, compose } from "./compose.ts";
import type { WhatsAppAccount } from "./config.ts";
import { writeText } from "./format.ts";
import type { RecentMessages } from "./receive/recent-messages.ts";
import { failed, failureOfError, failureOfStatus } from "./send-failure.ts";

export interface SenderParts {
  readonly socket: WASocket;
  readonly host: ChannelHost;
  readonly account: WhatsAppAccount;
  readonly recent: RecentMessages;
}

const ANSWER_MS = 20_000;
const UPLOAD_MS = 180_000;
const EDITABLE_MS = 15 * 60 * 1000;

export function createSender(parts: SenderParts): Pick<ChannelConnection, "send" | "edit"> {
  const { host, account, recent } = parts;
  return {
    async send(message, signal) {
      if (signal.aborted) return failed("unavailable", "sending was stopped");
      const stopped = Promise.withResolvers<SendOutcome>();
      const stop = (): void => stopped.resolve(failed("uncertain", "sending was stopped"));
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await Promise.race([sendMessage(parts, message), stopped.promise]);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async edit(target: Target, messageId: string, markdown: string) {
      const jid = jidOf(target.to);
      if (!jid) return failed("rejected", `"${target.to}" is no address on WhatsApp`);
      const sent = recent.find(messageId);
      if (sent && host.clock.now() - sent.at > EDITABLE_MS) {
        return failed("rejected", "messages can be changed for 15 minutes, and this one is older");
      }
      const { text, mentions } = writeText(markdown, account.tables);
      const key = { remoteJid: jid, fromMe: true, id: messageId };
      const content = { text, mentions: [...mentions], linkPreview: null, edit: key };
      const outcome = await relay(parts, jid, content, { messageId: messageIdFor(host.ids.uuid()) });
      return outcome.kind === "sent" ? { ...outcome, messageId } : outcome;
    },
  };
}

async function sendMessage(parts: SenderParts, message: OutboundMessage): Promise<SendOutcome> {
  const { content, target, key } = message;
  const jid = jidOf(target.to);
  if (!jid) return failed("rejected", `"${target.to}" is no address on WhatsApp`);
  const composed = compose(content, parts.account.tables);
  if (composed.kind === "impossible") return failed("rejected", composed.why);
  const nobody = await findNobody(parts, jid);
  if (nobody) return nobody;
  const caption = captionApart(content);
  if (caption) {
    const text = { ...message, key: `${key}/caption`, content: { kind: "text", markdown: caption } } as const;
    const outcome = await sendMessage(parts, text);
    if (outcome.kind === "failed") return outcome;
  }
  const quoted = quotedFor(parts.recent, message);
  const options = { messageId: messageIdFor(key), mediaUploadTimeoutMs: UPLOAD_MS, ...(quoted ? { quoted } : {}) };
  return relay(parts, jid, composed.content, options);
}

/** Made from the key, so that a second attempt is the same message to whoever gets both. */
function messageIdFor(key: string): string {
  return `3EB0${createHash("sha256").update(key).digest("hex").slice(0, 18).toUpperCase()}`;
}

type RelayOptions = MiscMessageGenerationOptions & { readonly messageId: string };

/** A message counts as sent when WhatsApp has said so, and not when it is on its way. */
async function relay(
  { socket, recent, host }: SenderParts,
  jid: string,
  content: AnyMessageContent,
  options: RelayOptions,
): Promise<SendOutcome> {
  const { messageId } = options;
  const answered = Promise.withResolvers<BinaryNode | undefined>();
  socket.ws.once(`TAG:${messageId}`, answered.resolve);
  let cancel = (): void => {};
  try {
    const sent = await socket.sendMessage(jid, content, options);
    if (sent?.message) recent.note({ key: sent.key, message: sent.message, at: host.clock.now() });
    // Only now: a file may have taken long to upload.
    cancel = host.clock.after(ANSWER_MS, () => answered.resolve(undefined));
    const answer = await answered.promise;
    if (!answer) return failed("uncertain", "WhatsApp did not say whether it took the message");
    return answer.attrs.error ? failureOfStatus(answer.attrs.error) : { kind: "sent", messageId };
  } catch (error) {
    return failureOfError(error);
  } finally {
    cancel();
    socket.ws.off(`TAG:${messageId}`, answered.resolve);
  }
}

/** To answer in the form of a quote the message itself is needed; without it the answer goes out alone. */
function quotedFor(recent: RecentMessages, { replyTo }: OutboundMessage): WAMessage | undefined {
  const found = replyTo === undefined ? undefined : recent.find(replyTo);
  return found && { key: found.key, message: found.message };
}

/** Somebody we never heard of may not be there; WhatsApp takes such messages without a word. */
async function findNobody({ socket, recent }: SenderParts, jid: string): Promise<SendOutcome | undefined> {
  if (isGroupId(jid) || isHidden(jid) || recent.hasChat(jid)) return undefined;
  try {
    const found = await socket.onWhatsApp(jid);
    if (!found) return failed("unavailable", "WhatsApp did not say whether this number is there");
    return found[0]?.exists ? undefined : failed("unreachable", "this number is not on WhatsApp");
  } catch (error) {
    return failureOfError(error);
  }
}
