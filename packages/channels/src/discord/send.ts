// Sends a message of the gateway, and finds out afterwards whether one arrived.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import {
  GatewayError,
  once,
  type ChannelHost,
  type OutboundContent,
  type OutboundMedia,
  type OutboundMessage,
  type Poll,
  type SendOutcome,
  type Target,
} from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { recipientOf, requireSnowflake } from "./address.ts";
import type { DiscordApi } from "./api.ts";
import { writeButtons } from "./buttons.ts";
import { failureOf } from "./failure.ts";
import { toDiscord } from "./format.ts";
import type { FilePart } from "./multipart.ts";
import { Message, type Message as MessagePayload } from "./receive/payload.ts";
import { Recent } from "@chela/sdk/channel-kit";

const SILENT = 1 << 12;
const MOST_FILE_BYTES = 100 * 1024 * 1024;
const LOOK_BACK = 50;
const Opened = once(() => z.object({ id: z.string() }));

/** Nothing a model writes may call anybody. */
const CALL_NOBODY = { parse: [], replied_user: false };

interface Draft {
  readonly body: Readonly<Record<string, unknown>>;
  readonly file?: FilePart;
}

export class Sender {
  readonly #api: DiscordApi;
  readonly #memory: Pick<ChannelHost, "remember" | "recall">;
  readonly #selfId: string;
  /** Channels of direct chats, by user. */
  readonly #opened = new Recent<string>(1_000);

  constructor(api: DiscordApi, memory: Pick<ChannelHost, "remember" | "recall">, selfId: string) {
    this.#api = api;
    this.#memory = memory;
    this.#selfId = selfId;
  }

  async send(message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const { body, file } = await this.#draft(message.content);
      const channelId = await this.channelOf(message.target);
      const reply = message.replyTo === undefined ? undefined : requireSnowflake(message.replyTo);
      const answer = await this.#api.call("POST", `/channels/${channelId}/messages`, {
        body: {
          ...body,
          nonce: nonceOf(message.key),
          enforce_nonce: true,
          allowed_mentions: CALL_NOBODY,
          ...(reply ? { message_reference: { message_id: reply, fail_if_not_exists: false } } : {}),
          ...(message.isSilent ? { flags: SILENT } : {}),
        },
        ...(file ? { file } : {}),
        signal,
      });
      return { kind: "sent", messageId: Opened().parse(answer).id, chatId: channelId };
    } catch (error) {
      return failureOf(error);
    }
  }

  async edit(target: Target, messageId: string, markdown: string): Promise<SendOutcome> {
    try {
      const channelId = await this.channelOf(target);
      const route = `/channels/${channelId}/messages/${requireSnowflake(messageId)}` as const;
      await this.#api.call("PATCH", route, { body: { content: contentOf(markdown), allowed_mentions: CALL_NOBODY } });
      return { kind: "sent", messageId, chatId: channelId };
    } catch (error) {
      return failureOf(error);
    }
  }

  /**
   * Discord drops a second message with the same nonce only for some minutes, and need not show it later. But messages
   * of a chat are sent one by one: if this one arrived, it is the last we wrote there.
   */
  async findSent(message: OutboundMessage): Promise<SendOutcome | undefined> {
    try {
      const channelId = await this.channelOf(message.target);
      const answer = await this.#api.call("GET", `/channels/${channelId}/messages`, { query: { limit: LOOK_BACK } });
      const ours = z
        .array(Message())
        .parse(answer)
        .filter(({ author }) => author.id === this.#selfId);
      const newest = ours[0];
      const found =
        ours.find(({ nonce }) => nonce === nonceOf(message.key)) ??
        (newest && newest.nonce === undefined && saysTheSame(newest, message.content) ? newest : undefined);
      if (found) return { kind: "sent", messageId: found.id, chatId: channelId };
      return { kind: "failed", reason: "unavailable", why: "it is not in the channel" };
    } catch {
      return undefined;
    }
  }

  /** Opens a direct chat where there is none yet. */
  async channelOf(target: Target): Promise<string> {
    const { kind, id } = recipientOf(target);
    if (kind === "channel") return id;
    const known = this.#opened.get(id);
    if (known) return known;
    const opened = Opened().parse(await this.#api.call("POST", "/users/@me/channels", { body: { recipient_id: id } }));
    this.#opened.set(id, opened.id);
    return opened.id;
  }

  async #draft(content: OutboundContent): Promise<Draft> {
    if (content.kind === "poll") return { body: { poll: writePoll(content.poll) } };
    if (content.kind === "media") return draftMedia(content);
    const components = content.buttons?.length ? await writeButtons(content.buttons, this.#memory) : [];
    return { body: { content: contentOf(content.markdown), ...(components.length > 0 ? { components } : {}) } };
  }
}

function contentOf(markdown: string): string {
  const content = toDiscord(markdown);
  if (content.trim() === "") throw new GatewayError("CHANNEL_REFUSED", "the message is empty");
  return content;
}

async function draftMedia({ media, caption }: Extract<OutboundContent, { kind: "media" }>): Promise<Draft> {
  if (media.bytes > MOST_FILE_BYTES) throw new GatewayError("MEDIA_REFUSED", `${media.name} is larger than 100 MB`);
  return {
    body: {
      attachments: [{ id: 0, filename: media.name }],
      ...(caption?.trim() ? { content: contentOf(caption) } : {}),
    },
    file: { name: media.name, mimeType: media.mimeType, bytes: await readMedia(media) },
  };
}

async function readMedia({ path, name }: OutboundMedia): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new GatewayError("MEDIA_REFUSED", `${name} cannot be read (${errnoOf(error) ?? "unknown"})`, {
      cause: error,
    });
  }
}

const QUESTION_LIMIT = 300;
const ANSWER_LIMIT = 55;
const MOST_ANSWERS = 10;
const HOUR_SECONDS = 3_600;
const LONGEST_POLL_HOURS = 768;

function writePoll({ question, options, maxSelections, durationSeconds }: Poll): unknown {
  if (options.length > MOST_ANSWERS)
    throw new GatewayError("CHANNEL_REFUSED", `a poll has at most ${MOST_ANSWERS} answers here`);
  if (question.length > QUESTION_LIMIT || options.some((option) => option.length > ANSWER_LIMIT)) {
    const limits = `a poll's question may have ${QUESTION_LIMIT} characters here, each answer ${ANSWER_LIMIT}`;
    throw new GatewayError("CHANNEL_REFUSED", limits);
  }
  const hours = Math.round((durationSeconds ?? 24 * HOUR_SECONDS) / HOUR_SECONDS);
  return {
    question: { text: question },
    answers: options.map((text) => ({ poll_media: { text } })),
    duration: Math.min(LONGEST_POLL_HOURS, Math.max(1, hours)),
    allow_multiselect: (maxSelections ?? 1) > 1,
  };
}

/** Discord takes 25 characters. */
function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 25);
}

function saysTheSame(message: MessagePayload, content: OutboundContent): boolean {
  switch (content.kind) {
    case "text":
      return message.content === toDiscord(content.markdown).trim();
    case "media":
      return message.attachments.some(({ size }) => size === content.media.bytes);
    case "poll":
      return message.poll?.question.text === content.poll.question;
  }
}
