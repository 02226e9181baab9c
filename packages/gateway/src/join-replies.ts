// Joins what a turn says with the channel it goes to: how it is cut, what stands before it, what is shown meanwhile.
import { chunkMarkdown } from "@chela/sdk/markdown";
import type { ChannelEvent, Clock, Ledger, OutboundMedia, RunRecord } from "@chela/sdk";
import type { LogSink } from "./base/log.ts";
import type { Channels } from "./channels/room.ts";
import { agentIdentity, replySettings, type ConfigStore } from "./config/room.ts";
import { composeReply, responsePrefix, type Reply, type ReplyShape } from "./delivery/room.ts";
import { LiveReplies } from "./flow/live-replies.ts";
import type { MessageBody, MessageOrigin } from "./flow/message-body.ts";
import type { FinishedReply, NewDelivery } from "./flow/reply-delivery.ts";
import type { TurnBus } from "./flow/turn-bus.ts";
import type { Media } from "./media/room.ts";

export interface ReplyParts {
  readonly clock: Clock;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly ledger: Ledger;
  readonly bus: TurnBus;
  readonly channels: Channels;
  media(): Promise<Media>;
  deliver(item: Parameters<Deliver>[0]): Promise<void>;
}
type Deliver = (item: NewDelivery & { attempts: number; state: "pending" }) => Promise<void>;

export interface Replies {
  /** The rows of an answer to somebody in a channel. */
  write(record: RunRecord, body: MessageBody, reply: FinishedReply): Promise<readonly NewDelivery[]>;
  /** Rows for a text that nobody asked for. */
  compose(address: Address, reply: Reply): Promise<readonly NewDelivery[]>;
  accepted(channel: string, account: string, event: ChannelEvent, run: { runId: string; wasMentioned: boolean }): void;
  stop(): Promise<void>;
}

/** Where rows go, and what they are called. */
export interface Address {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly threadId?: string;
  readonly agentId: string;
  readonly at: number;
  readonly prefix?: string;
}

const DEFAULT_CAPTION = 1000;

export function joinReplies(parts: ReplyParts): Replies {
  const { channels, config, ledger } = parts;
  const live = new LiveReplies({ ...parts, settings: (channel, account) => settingsOf(channel, account) });
  parts.bus.onAny((event) => live.hear(event));

  function settingsOf(channel: string, account: string) {
    return replySettings(config.current(), channels.settings(channel, account) ?? {});
  }

  async function shapeFor(address: Address): Promise<ReplyShape> {
    const { channel, account, agentId, threadId, prefix } = address;
    const { traits } = await channels.channel(channel);
    const settings = settingsOf(channel, account);
    const limit = Math.min(settings.textChunkLimit ?? traits.textLimit, traits.textLimit);
    const measure = (markdown: string) => traits.measure(markdown);
    const { pause } = humanDelay(config, agentId);
    return {
      cut: (markdown) => chunkMarkdown(markdown, { limit, measure, mode: settings.chunkMode }),
      fitsCaption: (markdown) => measure(markdown) <= (traits.captionLimit ?? DEFAULT_CAPTION),
      replyToMode: settings.replyToMode,
      ...(prefix ? { prefix } : {}),
      ...(threadId === undefined ? {} : { threadId }),
      ...(pause ? { pause } : {}),
    };
  }

  async function compose(address: Address, reply: Reply): Promise<NewDelivery[]> {
    const { runId, channel, account, to, at } = address;
    const payloads = composeReply(reply, await shapeFor(address));
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

  /** Files a tool attached in this very session; whatever else the model names leads nowhere. */
  async function attached(sessionKey: string, handles: readonly string[]): Promise<OutboundMedia[]> {
    if (handles.length === 0) return [];
    const media = await parts.media();
    const found = await Promise.all(handles.map((handle) => media.resolveHandle(sessionKey, handle)));
    return found.flatMap((one) =>
      one ? [{ kind: one.kind, path: one.path, mimeType: one.mimeType, name: one.name, bytes: one.bytes }] : [],
    );
  }

  return {
    compose,
    accepted: (channel, account, event, run) => live.accepted(channel, account, event, run),
    stop: () => live.stop(),
    async write(record, body, finished) {
      const { runId, channel, account, agentId, sessionKey } = record.message;
      const { origin } = body;
      const shown = await live.settle(runId);
      const texts = textsOf(finished, shown.said);
      const media = finished.outcome.status === "ok" ? await attached(sessionKey, finished.media) : [];
      if (!origin || (texts.length === 0 && media.length === 0)) return [];
      const preview = shown.preview ?? (await ledger.delivery(`${runId}:preview`))?.receipt?.messageId;
      const settings = settingsOf(channel, account);
      const prefix = responsePrefix(settings.responsePrefix, {
        ...(finished.model ? { model: finished.model.id, provider: finished.model.provider } : {}),
        ...(finished.thinking ? { thinking: finished.thinking } : {}),
        ...optionalName(agentIdentity(config.current(), agentId).name),
      });
      const { to, threadId } = origin.target;
      const address = { runId, channel, account, agentId, to, at: finished.at };
      return compose(
        { ...address, ...(threadId === undefined ? {} : { threadId }), ...(prefix ? { prefix } : {}) },
        { texts, media, ...replyWish(finished, origin), ...(preview ? { preview } : {}) },
      );
    },
  };
}

/** An error is told, a stop is not; what was sent while the turn ran is not sent again. */
function textsOf({ outcome }: FinishedReply, said: readonly string[]): readonly string[] {
  if (outcome.status === "error") return [`⚠️ ${outcome.error ?? "Something went wrong."}`];
  if (outcome.status === "aborted") return [];
  return withoutSaid(outcome.texts, said);
}

/** Blocks that went out early are taken off the beginning of what they were part of. */
function withoutSaid(texts: readonly string[], said: readonly string[]): readonly string[] {
  if (said.length === 0) return texts;
  let rest = texts.join("\n\n");
  for (const block of said) {
    const at = rest.indexOf(block);
    if (at >= 0 && rest.slice(0, at).trim() === "") rest = rest.slice(at + block.length);
  }
  return rest.trim() === "" ? [] : [rest.trim()];
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
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(isReplyAsked ? { isReplyAsked } : {}),
    ...(words.includes("audio_as_voice") ? { asVoice: true } : {}),
  };
}

function optionalName(name: string | undefined): { identityName?: string } {
  return name ? { identityName: name } : {};
}

/** `humanDelay`: somebody who writes needs a moment between two messages. */
function humanDelay(config: ConfigStore, agentId: string): { pause?: () => number } {
  const { mode, minMs, maxMs } = config.current().agents?.list?.find(({ id }) => id === agentId)?.humanDelay ??
    config.current().agents?.defaults?.humanDelay ?? { mode: "off" };
  if (!mode || mode === "off") return {};
  const [least, most] = mode === "custom" ? [minMs ?? 800, maxMs ?? 2500] : [800, 2500];
  return { pause: () => Math.round(least + Math.random() * Math.max(0, most - least)) };
}
