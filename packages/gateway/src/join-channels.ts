// Joins the rooms into the way from and to messaging platforms. Loaded when a channel is configured.
import {
  GatewayError,
  type Channel,
  type ChannelEvent,
  type Clock,
  type Ids,
  type Ledger,
  type LinkStep,
  type OutboxItem,
} from "@chela/sdk";
import type { LogSink } from "./base/log.ts";
import { Channels } from "./channels/room.ts";
import type { ConfigStore, StatePaths } from "./config/room.ts";
import { ChannelPayload, PostOffice, toOutboundMessage, type PostOutcome } from "./delivery/room.ts";
import { createChannelInbound } from "./flow/channel-inbound.ts";
import type { InboundFlow } from "./flow/inbound.ts";
import type { TurnBus } from "./flow/turn-bus.ts";
import { joinGate, type Gate } from "./join-gate.ts";
import { joinReplies, type Replies } from "./join-replies.ts";
import type { Media } from "./media/room.ts";
import { routeEvent, type KeyDefaults, type ResolvedAgentRoute } from "./routing/room.ts";
import type { WebhookMounts } from "./server/http/webhook-mounts.ts";

export interface ChannelRoomParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly ledger: Ledger;
  readonly bus: TurnBus;
  readonly mounts: WebhookMounts;
  /** Channels beside those of the table, by id. */
  readonly extraChannels?: Readonly<Record<string, Channel>>;
  inbound(): InboundFlow;
  deliver(item: OutboxItem): Promise<void>;
  media(): Promise<Media>;
  keys(): KeyDefaults;
}

export interface ChannelSide {
  readonly channels: Channels;
  readonly post: PostOffice;
  readonly gate: Gate;
  readonly replies: Replies;
  /** The newest step somebody has to take to link an account. */
  linkStep(channel: string, account: string): LinkStep | undefined;
  onLinkStep(listener: (channel: string, account: string, step: LinkStep) => void): () => void;
  routeOf(channel: string, account: string, event: Pick<ChannelEvent, "chat" | "sender">): Promise<ResolvedAgentRoute>;
  /** Starts what is configured now, and stops what is not any more. */
  apply(): Promise<void>;
  stop(): Promise<void>;
}

export function joinChannels(parts: ChannelRoomParts): ChannelSide {
  const { clock, ids, log, config, paths, ledger } = parts;
  const steps = new Map<string, LinkStep>();
  const linkListeners = new Set<(channel: string, account: string, step: LinkStep) => void>();
  const random = (): number => Number.parseInt(ids.secretHex(4), 16) / 0xffffffff;

  const channels: Channels = new Channels({
    clock,
    ids,
    log,
    random,
    stateDir: paths.stateDir,
    ...(parts.extraChannels ? { extra: parts.extraChannels } : {}),
    config: () => config.current(),
    env: (name) => config.effectiveEnv()[name],
    receive: (channel, account, event) => receive(channel, account, event),
    connected(channel, account, connection) {
      post.connected(channel, account);
      void gate.connected(channel, account, connection);
    },
    link(channel, account, step) {
      steps.set(`${channel}\n${account}`, step);
      for (const listener of linkListeners) listener(channel, account, step);
    },
    recall: (key) => ledger.value(key),
    remember: (key, value) => ledger.commit([{ kind: "value-put", key, value }]),
    serve: (path, answer) => parts.mounts.serve(path, answer),
    fetch: (url, init) => fetch(url, init),
  });

  const post = new PostOffice({
    ledger,
    clock,
    log,
    random,
    post: (item, mayHaveArrived) => sendItem(channels, item, mayHaveArrived),
    pace: (channel) => channels.traits(channel)?.pace,
    async gaveUp(item, why) {
      const sessionKey = (await ledger.run(item.runId))?.message.sessionKey;
      if (!sessionKey) return;
      const text = `Your last message to ${item.channel} (${item.to}) could not be delivered: ${why}`;
      const aside = {
        sessionKey,
        kind: "note" as const,
        key: `undeliverable:${item.id}`,
        at: clock.now(),
        body: { text },
      };
      await ledger.commit([{ kind: "aside-add", aside }]);
    },
  });
  const gate = joinGate({ ...parts, channels });
  const replies = joinReplies({ ...parts, channels });

  const route = (
    channel: string,
    account: string,
    event: Pick<ChannelEvent, "chat" | "sender">,
  ): ResolvedAgentRoute => {
    const { threadWord, chatIdsArePerAccount } = channels.traits(channel) ?? {};
    const resolved = routeEvent(
      {
        channel,
        account,
        chat: event.chat,
        sender: event.sender,
        defaultAccount: channels.defaultAccount(channel),
        ...(threadWord ? { threadWord } : {}),
        ...(chatIdsArePerAccount ? { chatIdsArePerAccount } : {}),
      },
      config.current(),
      parts.keys(),
    );
    if (resolved.warning) log.warn("a binding could not be followed", { why: resolved.warning });
    return resolved;
  };

  const receive = createChannelInbound({
    ledger,
    clock,
    log,
    route,
    judge: (channel, account, event, at) => gate.judge(channel, account, event, at),
    mayQuote: (channel, account, event, quoted) => gate.mayQuote(channel, account, event, quoted),
    introduce: (channel, account, event) => gate.introduce(channel, account, event),
    receive: (message) => parts.inbound().receiveFromChannel(message),
    deliver: (item) => parts.deliver(item),
    accepted: (channel, account, event, run) => replies.accepted(channel, account, event, run),
  });

  return {
    channels,
    post,
    gate,
    replies,
    linkStep: (channel, account) => steps.get(`${channel}\n${account}`),
    onLinkStep(listener) {
      linkListeners.add(listener);
      return () => void linkListeners.delete(listener);
    },
    async routeOf(channel, account, event) {
      await channels.channel(channel);
      return route(channel, account, event);
    },
    apply: () => channels.apply(),
    async stop() {
      post.close();
      await replies.stop();
      await channels.stop();
    },
  };
}

/** One attempt: what the row says, in the channel's words. */
async function sendItem(channels: Channels, item: OutboxItem, mayHaveArrived: boolean): Promise<PostOutcome> {
  const { channel, account } = item;
  const payload = ChannelPayload().safeParse(item.payload);
  if (!payload.success) return { kind: "failed", reason: "rejected", why: "the message is not readable any more" };
  try {
    const code = await channels.channel(channel);
    const connection = channels.connection(channel, account);
    if (!connection) return offline(channels, channel, account);
    const message = toOutboundMessage(item, payload.data, mayHaveArrived);
    const { content } = message;
    if (mayHaveArrived && code.traits.dedupe === "receipt") {
      const found = await connection.findSent?.(message);
      if (found?.kind === "sent") return found;
    }
    const { edits } = payload.data;
    if (edits !== undefined && connection.edit && content.kind === "text") {
      const edited = await connection.edit(message.target, edits, content.markdown);
      // A preview that is gone is no reason to keep the answer back.
      if (edited.kind === "sent" || edited.reason !== "rejected") return edited;
    }
    const outcome = await connection.send(message, AbortSignal.timeout(SEND_PATIENCE_MS));
    if (outcome.kind === "sent") channels.noteOutbound(channel, account);
    return outcome;
  } catch (error) {
    if (error instanceof GatewayError && error.code === "CHANNEL_UNKNOWN")
      return { kind: "failed", reason: "rejected", why: error.detail };
    return { kind: "failed", reason: "unavailable", why: error instanceof GatewayError ? error.detail : String(error) };
  }
}

const SEND_PATIENCE_MS = 120_000;

function offline(channels: Channels, channel: string, account: string): PostOutcome {
  if (channels.settings(channel, account)) return { kind: "offline", why: `${channel} (${account}) is not connected` };
  return { kind: "offline", why: `${channel} has no account "${account}" in the configuration` };
}
