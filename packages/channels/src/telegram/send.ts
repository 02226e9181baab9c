// Sends texts, files and polls, and changes texts that were sent.
import { defined } from "@chela/sdk/base";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Button, OutboundMessage, Poll, SendOutcome, Target } from "@chela/sdk";
import { chunkMarkdown } from "@chela/sdk/markdown";
import type { CallResult } from "./api.ts";
import { toKeyboard } from "./buttons.ts";
import { deliver, envelopeOf, isUnreadableMarkup, placeOf, rejected, toFailure } from "./deliver.ts";
import type { Envelope, SendParts } from "./deliver.ts";
import { MAX_CAPTION, measure, TEXT_LIMIT, toHtml, visibleText } from "./format.ts";
import { sendFile } from "./send-file.ts";

export async function sendMessage(
  parts: SendParts,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const envelope = envelopeOf(message);
  if (!envelope) return rejected(`"${message.target.to}" is no Telegram address`);
  const { content } = message;
  switch (content.kind) {
    case "text":
      return sendText(parts, envelope, content.markdown, content.buttons, signal);
    case "media":
      return sendMedia(parts, envelope, content, signal);
    case "poll":
      return sendPoll(parts, envelope, content.poll, signal);
  }
}

async function sendText(
  parts: SendParts,
  envelope: Envelope,
  markdown: string,
  buttons: ReadonlyArray<readonly Button[]> | undefined,
  signal: AbortSignal,
): Promise<SendOutcome> {
  let keyboard: { reply_markup?: InlineKeyboardMarkup } = {};
  try {
    if (buttons?.length) keyboard = { reply_markup: await toKeyboard(buttons, parts.host) };
  } catch {
    return { kind: "failed", reason: "unavailable", why: "what the buttons stand for could not be written down" };
  }
  return deliver(parts, { ...envelope, ...keyboard }, async (whole) => {
    const rich = await sendRich(parts, whole, markdown, signal);
    return rich ?? (await sendHtml(parts, whole, markdown, signal));
  });
}

type TextEnvelope = Envelope & { readonly reply_markup?: InlineKeyboardMarkup };

/** Undefined when the message has to be sent in the usual way. */
async function sendRich(parts: SendParts, envelope: TextEnvelope, markdown: string, signal: AbortSignal) {
  const { account, api, missing } = parts;
  if (!account.sendsRichMessages || missing.has("rich messages")) return undefined;
  const result = await api.call("sendRichMessage", { ...envelope, rich_message: { markdown } }, { signal });
  if (result.kind !== "refused" || ![400, 404].includes(result.code)) return result;
  if (result.code === 404) missing.add("rich messages");
  return undefined;
}

async function sendHtml(parts: SendParts, envelope: TextEnvelope, markdown: string, signal: AbortSignal) {
  const { account, api } = parts;
  const common = { ...envelope, link_preview_options: { is_disabled: !account.showsLinkPreview } };
  const html = { ...common, text: toHtml(markdown, account.tables), parse_mode: "HTML" as const };
  const result = await api.call("sendMessage", html, { signal });
  if (!isUnreadableMarkup(result)) return result;
  return api.call("sendMessage", { ...common, text: visibleText(markdown) }, { signal });
}

type Media = Extract<OutboundMessage["content"], { kind: "media" }>;

/** A caption that is too long follows as a message of its own. */
async function sendMedia(
  parts: SendParts,
  envelope: Envelope,
  { media, caption, asVoice }: Media,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const fits = caption !== undefined && measure(caption) <= MAX_CAPTION;
  const kind = asVoice && media.kind === "audio" ? "voice" : media.kind;
  const file = await sendFile(parts, envelope, { ...media, kind }, fits ? caption : undefined, signal);
  if (file.kind === "failed" || caption === undefined || fits) return file;
  const { reply_parameters: _answered, ...rest } = envelope;
  let last = file;
  for (const piece of chunkMarkdown(caption, { limit: TEXT_LIMIT, measure })) {
    const text = await sendText(parts, rest, piece, undefined, signal);
    // The file is there already: sending all of it again would show it twice.
    if (text.kind === "failed") return { ...text, reason: "uncertain", why: `its text did not follow: ${text.why}` };
    last = text;
  }
  return last;
}

function sendPoll(parts: SendParts, envelope: Envelope, poll: Poll, signal: AbortSignal): Promise<SendOutcome> {
  const { question, options, maxSelections, durationSeconds, isAnonymous } = poll;
  const written = {
    question,
    options: options.map((text) => ({ text })),
    allows_multiple_answers: (maxSelections ?? 1) > 1,
    ...defined({ open_period: durationSeconds, is_anonymous: isAnonymous }),
  };
  return deliver(parts, envelope, (whole) => parts.api.call("sendPoll", { ...whole, ...written }, { signal }));
}

export async function editMessage(
  parts: SendParts,
  target: Target,
  messageId: string,
  markdown: string,
): Promise<SendOutcome> {
  const place = placeOf(target);
  if (!place || !/^\d+$/.test(messageId)) return rejected("there is no such message to change");
  const { account, api } = parts;
  const common = {
    chat_id: place.chat_id,
    message_id: Number(messageId),
    link_preview_options: { is_disabled: !account.showsLinkPreview },
  };
  const html = { ...common, text: toHtml(markdown, account.tables), parse_mode: "HTML" as const };
  let result: CallResult<unknown> = await api.call("editMessageText", html);
  if (isUnreadableMarkup(result))
    result = await api.call("editMessageText", { ...common, text: visibleText(markdown) });
  const isAsItWas = result.kind === "refused" && /message is not modified/i.test(result.why);
  if (result.kind === "done" || isAsItWas) return { kind: "sent", messageId, chatId: String(place.chat_id) };
  return toFailure(result);
}
