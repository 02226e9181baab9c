// Replies to channels: how an answer is cut, what stands before it, what is shown of it meanwhile.
import { defined } from "@chela/sdk/base";
import type { House } from "../../house/house.ts";
import { chunkMarkdown } from "@chela/sdk/markdown";
import type { ChannelEvent, ChannelTraits, InboxMessage, OutboundMedia, OutboxItem, RunRecord } from "@chela/sdk";
import type { Channels } from "../../rooms/channels/room.ts";
import { agentIdentity, replySettings, writtenAgent, type ConfigStore } from "../../rooms/config/room.ts";
import { composeReply, responsePrefix, type Reply, type ReplyShape } from "../../rooms/delivery/room.ts";
import type { LiveChat } from "./live-line.ts";
import { previewRow, UNFINISHED } from "./live-preview.ts";
import { LiveReplies, type Accepted, type ShownReply } from "./live-replies.ts";
import { withoutSaid } from "./live-said.ts";
import type { MessageBody, MessageOrigin } from "../message-body.ts";
import type { FinishedReply, NewDelivery } from "./delivery.ts";
import { withoutAlreadySent } from "../messages/already-sent.ts";

type ReplyHouse = Pick<House, "clock" | "log" | "config" | "ledger" | "bus" | "media" | "outbox">;

export interface ReplyParts {
  readonly channels: Channels;
  /** Which model answers in a conversation, and how long it thinks; nothing when there is none. */
  answererOf(agentId: string, sessionKey: string): Promise<Pick<FinishedReply, "model" | "thinking">>;
  /** Between 0 and 1. */
  random(): number;
}

type Route = Pick<Address, "channel" | "account">;

export interface Replies {
  /** The rows of an answer to somebody in a channel. */
  write(record: RunRecord, body: MessageBody, reply: FinishedReply): Promise<readonly NewDelivery[]>;
  /** The rows of an answer that also goes to a chat it was not asked for in. */
  writeTo(
    route: NonNullable<MessageBody["deliverTo"]>,
    record: RunRecord,
    reply: FinishedReply,
  ): Promise<readonly NewDelivery[]>;
  /** Rows for a text that nobody asked for. */
  compose(address: Address, reply: Reply): Promise<readonly NewDelivery[]>;
  accepted(channel: string, account: string, event: ChannelEvent, run: Accepted): void;
  stop(): Promise<void>;
}

/** Where rows go, and what they are called. */
interface Address {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly threadId?: string;
  readonly agentId: string;
  readonly at: number;
  readonly prefix?: string;
  /** Something of the same answer was sent before. */
  readonly continues?: boolean;
}

const DEFAULT_CAPTION = 1000;

type Measures = Pick<ChannelTraits, "textLimit" | "measure" | "captionLimit">;
/** Fits nearly everywhere. */
const CAREFUL: Measures = { textLimit: 1000, measure: (markdown) => markdown.length };

export function openReplies(house: ReplyHouse, parts: ReplyParts): Replies {
  const { clock, log, config, ledger, outbox } = house;
  const { channels } = parts;
  const deliver = async (item: OutboxItem) => outbox.send(item);
  const live = new LiveReplies({ clock, log, ledger, channels, deliver, settings: settingsOf, composeBlock });
  house.bus.onAny((event) => live.hear(event));
  outbox.queue.onSettled((row) => live.delivered(row));

  function settingsOf(channel: string, account: string, agentId: string) {
    return replySettings(config.current(), channels.settings({ channel, account }) ?? {}, agentId);
  }

  /** The code of a channel may be gone since it was written in; its answer is kept all the same. */
  async function traitsOf(channel: string): Promise<Measures> {
    try {
      return (await channels.channel(channel)).traits;
    } catch (error) {
      log.warn("an answer is cut without its channel", { channel, error: String(error) });
      return CAREFUL;
    }
  }

  async function shapeFor(address: Address): Promise<ReplyShape> {
    const { channel, account, agentId, threadId, prefix } = address;
    const traits = await traitsOf(channel);
    const settings = settingsOf(channel, account, agentId);
    const limit = Math.min(settings.textChunkLimit ?? traits.textLimit, traits.textLimit);
    const measure = (markdown: string) => traits.measure(markdown);
    const { pause } = humanDelay(config, agentId, parts.random);
    return {
      cut: (markdown) => chunkMarkdown(markdown, { limit, measure, mode: settings.chunkMode }),
      fitsCaption: (markdown) => measure(markdown) <= (traits.captionLimit ?? DEFAULT_CAPTION),
      replyToMode: settings.replyToMode,
      ...(prefix ? { prefix } : {}),
      ...defined({ threadId }),
      ...(pause ? { pause } : {}),
    };
  }

  async function compose(address: Address, reply: Reply): Promise<NewDelivery[]> {
    const { runId, channel, account, to, at, continues } = address;
    const payloads = composeReply(reply, await shapeFor(address), continues);
    return payloads.map((payload, index) => ({
      id: `${runId}:reply:${String(index).padStart(3, "0")}`,
      runId,
      channel,
      account,
      to,
      payload,
      createdAt: at,
    }));
  }

  /** A part of an answer looks like the answer: the first one has its prefix, and answers the message. */
  async function composeBlock(chat: LiveChat, text: string, index: number): Promise<NewDelivery[]> {
    const { runId, channel, account, agentId, target, messageId, model } = chat;
    const address = { runId, channel, account, agentId, ...target, at: clock.now(), continues: index > 0 };
    const prefix = index > 0 ? undefined : prefixFor(chat, model ? { model } : {});
    const replyTo = messageId === undefined ? {} : { replyTo: messageId };
    return compose({ ...address, ...(prefix ? { prefix } : {}) }, { texts: [text], ...replyTo });
  }

  /** What the gateway answers itself names the model that would have answered. */
  async function prefixOf(message: InboxMessage, route: Route, reply: FinishedReply): Promise<string | undefined> {
    const { agentId, sessionKey } = message;
    const isAsked = settingsOf(route.channel, route.account, agentId).responsePrefix?.includes("{") ?? false;
    const usual = isAsked && !reply.model ? await parts.answererOf(agentId, sessionKey) : {};
    return prefixFor({ ...route, agentId }, { ...usual, ...reply });
  }

  function prefixFor(
    { channel, account, agentId }: Pick<Address, "channel" | "account" | "agentId">,
    { model, thinking }: Pick<FinishedReply, "model" | "thinking">,
  ): string | undefined {
    return responsePrefix(settingsOf(channel, account, agentId).responsePrefix, {
      ...(model ? { model: model.id, provider: model.provider } : {}),
      ...(thinking ? { thinking } : {}),
      agentId,
      ...optionalName(agentIdentity(config.current(), agentId).name),
    });
  }

  /** After a restart only the ledger knows of it, and not what it says. */
  async function previewOf(runId: string, { preview }: ShownReply): Promise<ShownReply["preview"]> {
    if (preview || live.knowsAll(runId)) return preview;
    const messageId = (await ledger.delivery(previewRow(runId)))?.receipt?.messageId;
    return messageId === undefined ? undefined : { messageId, text: "" };
  }

  /** Files a tool attached in this very session; whatever else the model names leads nowhere. */
  async function attached(sessionKey: string, handles: readonly string[]): Promise<OutboundMedia[]> {
    if (handles.length === 0) return [];
    const media = await house.media();
    const found = await Promise.all(handles.map((handle) => media.resolveHandle(sessionKey, handle)));
    return found.flatMap((one) =>
      one ? [{ kind: one.kind, path: one.path, mimeType: one.mimeType, name: one.name, bytes: one.bytes }] : [],
    );
  }

  return {
    compose,
    accepted: (channel, account, event, run) => live.accepted(channel, account, event, run),
    stop: () => live.stop(),
    async writeTo({ threadId, ...route }, record, finished) {
      const { runId, agentId, sessionKey } = record.message;
      if (finished.outcome.status !== "ok") return [];
      const prefix = await prefixOf(record.message, route, finished);
      const address = { ...route, runId, agentId, at: finished.at, ...defined({ threadId }) };
      const media = await attached(sessionKey, finished.media);
      return compose({ ...address, ...(prefix ? { prefix } : {}) }, { texts: finished.outcome.texts, media });
    },
    async write(record, body, finished) {
      const { runId, channel, account, agentId, sessionKey } = record.message;
      const { origin } = body;
      const shown = await live.settle(runId);
      if (!origin) return [];
      const preview = await previewOf(runId, shown);
      const left = textsOf(finished, shown.said, preview?.text ?? "");
      const chat = { runId, channel, account, ...origin.target };
      const texts = live.knowsAll(runId) ? left : await withoutAlreadySent(left, chat, ledger);
      const media = finished.outcome.status === "ok" ? await attached(sessionKey, finished.media) : [];
      if (texts.length === 0 && preview) live.takeBack(runId, preview.messageId);
      if (texts.length === 0 && media.length === 0) return [];
      const continues = shown.said.length > 0;
      const prefix = continues ? undefined : await prefixOf(record.message, record.message, finished);
      const { to, threadId } = origin.target;
      const address = { runId, channel, account, agentId, to, at: finished.at, continues };
      const rows = await compose(
        { ...address, ...defined({ threadId }), ...(prefix ? { prefix } : {}) },
        { texts, media, ...replyWish(finished, origin), ...(preview ? { preview: preview.messageId } : {}) },
      );
      const last = rows.at(-1);
      if (last) live.expect(runId, last.id);
      return rows;
    },
  };
}

/** An error is told; of a stop only what people saw already stays; what was sent meanwhile is not sent again. */
function textsOf({ outcome }: FinishedReply, said: readonly string[], previewed: string): readonly string[] {
  if (outcome.status === "error") return [`⚠️ ${outcome.error ?? "Something went wrong."}`];
  if (outcome.status === "aborted") return previewed === "" ? [] : [previewed + UNFINISHED];
  return withoutSaid(outcome.texts, said);
}

function replyWish(
  { directives }: FinishedReply,
  { messageId }: MessageOrigin,
): Pick<Reply, "replyTo" | "isReplyAsked" | "asVoice"> {
  const words = directives.map((directive) => directive.toLowerCase().replace(/\s+/g, ""));
  const named = directives.map((directive) => /^reply_to\s*:\s*(\S+)\s*$/i.exec(directive)?.[1]).findLast(Boolean);
  const isReplyAsked = named !== undefined || words.includes("reply_to_current");
  const replyTo = named ?? messageId;
  return {
    ...defined({ replyTo }),
    ...(isReplyAsked ? { isReplyAsked } : {}),
    ...(words.includes("audio_as_voice") ? { asVoice: true } : {}),
  };
}

function optionalName(name: string | undefined): { identityName?: string } {
  return name ? { identityName: name } : {};
}

/** `humanDelay`: somebody who writes needs a moment between two messages. */
function humanDelay(config: ConfigStore, agentId: string, random: () => number): { pause?: () => number } {
  const { mode, minMs, maxMs } = writtenAgent(config.current(), agentId)?.humanDelay ??
    config.current().agents?.defaults?.humanDelay ?? { mode: "off" };
  if (!mode || mode === "off") return {};
  const [least, most] = mode === "custom" ? [minMs ?? 800, maxMs ?? 2500] : [800, 2500];
  return { pause: () => Math.round(least + random() * Math.max(0, most - least)) };
}
