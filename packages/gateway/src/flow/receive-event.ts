// The way in from a channel: every event, of every kind, passes one gate; what is let in walks on like any message.
import { hash } from "node:crypto";
import {
  lesserOf,
  readPressed,
  toGatewayError,
  type Change,
  type ChannelContent,
  type ChannelEvent,
  type ChannelSender,
  type Clock,
  type GatewayError,
  type GroupPolicy,
  type KnownPerson,
  type Ledger,
  type Logger,
  type OutboxItem,
  type Received,
  type Standing,
} from "@chela/sdk";
import { OneAtATime } from "../base/one-at-a-time.ts";
import type { ChannelMessage, InboundOutcome } from "./receive.ts";
import type { MessageBody, MessageOrigin } from "./message-body.ts";
import { ownReplyId, type NewDelivery } from "./reply/delivery.ts";

/** What the gate says about an event. */
export type Judgement =
  | {
      readonly kind: "allowed";
      readonly isAuthorised: boolean;
      readonly isOwner: boolean;
      readonly person?: KnownPerson;
      readonly wasMentioned: boolean;
      readonly group?: GroupPolicy;
    }
  | { readonly kind: "needs-pairing" }
  /** Said by somebody who may speak, but not to us. */
  | { readonly kind: "heard"; readonly why: string }
  | { readonly kind: "ignored" | "denied"; readonly why: string };

/** Somebody may speak, decided then. */
type Verdict = Extract<Judgement, { kind: "allowed" }> & {
  readonly standing: Standing;
  readonly times: NonNullable<MessageBody["times"]>;
};

export interface Introduction {
  readonly code: string;
  readonly text: string;
}

export interface EventRoute {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly matchedBy: string;
}

export interface ChannelInboundParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the sender is to this gateway, before anything else is known of the event. */
  standingOf(channel: string, account: string, event: ChannelEvent): Promise<Standing>;
  route(channel: string, account: string, event: ChannelEvent, standing: Standing): EventRoute;
  judge(channel: string, account: string, event: ChannelEvent, route: EventRoute): Promise<Judgement>;
  /** Whether words of this person may be shown to the agent here. */
  mayQuote(channel: string, account: string, event: ChannelEvent, quoted: ChannelSender): Promise<boolean>;
  /** What to tell somebody who is not known yet, once for each `code`; undefined when there is nothing to tell. */
  introduce(channel: string, account: string, event: ChannelEvent): Promise<Introduction | undefined>;
  receive(message: ChannelMessage): Promise<InboundOutcome>;
  deliver(item: OutboxItem): Promise<void>;
  /** It is accepted and will be answered: time to show that it was seen. */
  accepted(
    channel: string,
    account: string,
    event: ChannelEvent,
    run: { runId: string; agentId: string; wasMentioned: boolean },
  ): void;
}

export type ReceiveEvent = (channel: string, account: string, event: ChannelEvent) => Promise<Received>;

function stoppedText(runs: number, helpers: number, isLeft: boolean): string {
  if (runs + helpers === 0 && isLeft)
    return "⚙️ What is running here was asked for by somebody else: they or an owner can stop it.";
  if (runs + helpers === 0) return "⚙️ There is nothing to stop.";
  if (helpers === 0) return "⚙️ Stopped.";
  return `⚙️ Stopped, and ${helpers === 1 ? "1 sub-agent" : `${helpers} sub-agents`} with it.`;
}

export function createChannelInbound(parts: ChannelInboundParts): ReceiveEvent {
  const { log, ledger, clock } = parts;
  /** Events of one chat are taken in the order they came. */
  const chats = new OneAtATime();

  async function take(channel: string, account: string, event: ChannelEvent): Promise<Received> {
    const receivedAt = clock.now();
    const standing = await parts.standingOf(channel, account, event);
    const route = parts.route(channel, account, event, standing);
    const judgement = await parts.judge(channel, account, event, route);
    const times = { receivedAt, decidedAt: clock.now() };
    const facts = { channel, account, event: event.id, kind: event.content.kind, sender: event.sender.id };
    switch (judgement.kind) {
      case "allowed":
        return isForAgent(event)
          ? admit(channel, account, event, route, { ...judgement, standing, times })
          : hear(channel, account, event, route);
      case "heard":
        log.debug("event heard", { ...facts, why: judgement.why });
        return hear(channel, account, event, route);
      case "needs-pairing":
        log.info("event of somebody who is not known yet", facts);
        return introduce(channel, account, event);
      default:
        log.info(`event ${judgement.kind}`, { ...facts, why: judgement.why });
        return { kind: "settled", why: judgement.why };
    }
  }

  async function admit(
    channel: string,
    account: string,
    event: ChannelEvent,
    route: EventRoute,
    verdict: Verdict,
  ): Promise<Received> {
    const runId = runIdOf(channel, account, event);
    const body = await bodyOf(channel, account, event, verdict);
    const outcome = await receive({ runId, channel, account, messageId: event.id, route, body });
    if (outcome.kind === "failed") {
      await say(runId, { channel, account }, event, `⚠️ ${outcome.error.explain()}`);
      return { kind: "settled", why: outcome.error.detail };
    }
    if (outcome.kind === "stopped") {
      const text = stoppedText(outcome.runIds.length, outcome.helpers, outcome.isLeft ?? false);
      await say(runId, { channel, account }, event, text);
    }
    if (outcome.kind === "refused" && outcome.tell) {
      const { once, text } = outcome.tell;
      await say(`refused-${runIdOf(channel, account, { id: once })}`, { channel, account }, event, text);
      return { kind: "settled", why: outcome.why };
    }
    if (outcome.kind !== "accepted") return { kind: "settled", why: outcome.kind };
    parts.accepted(channel, account, event, { runId, agentId: route.agentId, wasMentioned: verdict.wasMentioned });
    return { kind: "accepted" };
  }

  /** Only while nothing can be written does it help when the event comes again; all else is told to its sender. */
  async function receive(
    message: ChannelMessage,
  ): Promise<InboundOutcome | { readonly kind: "failed"; readonly error: GatewayError }> {
    try {
      return await parts.receive(message);
    } catch (thrown) {
      const error = toGatewayError(thrown, "TURN_FAILED");
      if (error.code.startsWith("STORE_")) throw error;
      log.error("a message could not be taken", { run: message.runId, code: error.code, error: error.stack });
      return { kind: "failed", error };
    }
  }

  /** Kept for the next turn; nobody is answered because of it. */
  async function hear(channel: string, account: string, event: ChannelEvent, route: EventRoute): Promise<Received> {
    const text = wordsOf(event);
    if (text === "") return { kind: "settled", why: "it has no text" };
    const sender = event.sender.name ?? event.sender.username ?? event.sender.id;
    const key = `${channel}:${account}:${event.id}`;
    const aside = { sessionKey: route.sessionKey, kind: "heard" as const, key, at: event.at, body: { sender, text } };
    await ledger.commit([{ kind: "aside-add", aside }]);
    return { kind: "settled", why: "kept for the next turn" };
  }

  async function introduce(channel: string, account: string, event: ChannelEvent): Promise<Received> {
    const told = await parts.introduce(channel, account, event);
    // Named after the code: whoever got one is told of it, once, whatever happens in between.
    if (told) {
      const id = runIdOf(channel, account, { id: `${event.sender.id} ${told.code}` });
      await say(`pairing-${id}`, { channel, account }, event, told.text);
    }
    return { kind: "settled", why: "the sender has to be approved first" };
  }

  async function say(
    runId: string,
    from: { readonly channel: string; readonly account: string },
    event: ChannelEvent,
    text: string,
  ): Promise<void> {
    const { to, threadId } = event.replyTarget;
    const payload = { content: { kind: "text", markdown: text }, ...(threadId === undefined ? {} : { threadId }) };
    const item: NewDelivery = { id: ownReplyId(runId), runId, ...from, to, payload, createdAt: clock.now() };
    const known = await ledger.delivery(item.id);
    if (known) return;
    const row: Change = { kind: "outbox-add", item };
    await ledger.commit([row]);
    await parts.deliver({ ...item, attempts: 0, state: "pending" });
  }

  async function bodyOf(channel: string, account: string, event: ChannelEvent, judged: Verdict): Promise<MessageBody> {
    const { sender, content } = event;
    const { name, username, id } = sender;
    const media = content.kind === "message" ? content.media : undefined;
    const verdict = rightsBehind(content, judged);
    return {
      text: textOf(event),
      ...(isPassedOn(content) ? { isPassedOn: true } : {}),
      sender: {
        kind: "sender",
        id,
        isOwner: verdict.isOwner,
        standing: verdict.standing,
        isAuthorised: verdict.isAuthorised,
        canApprove: verdict.isOwner || (verdict === judged && verdict.person?.role === "approver"),
        ...(verdict.person ? { person: verdict.person } : {}),
        ...((name ?? username) ? { name: name ?? username ?? "" } : {}),
      },
      ...(media && media.length > 0 ? { media: [...media] } : {}),
      origin: await originOf(channel, account, event, verdict),
      times: verdict.times,
    };
  }

  async function originOf(
    channel: string,
    account: string,
    event: ChannelEvent,
    { wasMentioned, group }: Extract<Judgement, { kind: "allowed" }>,
  ): Promise<MessageOrigin> {
    const { chat, replyTarget, content, sender, messageId } = event;
    const message = content.kind === "message" ? content : undefined;
    const quoted = message?.replyTo;
    const isShown = quoted && (quoted.isOurs || (await mayShow(channel, account, event, quoted.sender)));
    return {
      chat: { ...chat },
      target: { ...replyTarget },
      at: event.at,
      wasMentioned,
      ...(messageId === undefined ? {} : { messageId }),
      ...(sender.username ? { username: sender.username } : {}),
      ...(quoted
        ? {
            repliedTo: {
              id: quoted.id,
              ...(isShown && quoted.text ? { body: quoted.text } : {}),
              ...(isShown && quoted.sender?.name ? { sender: quoted.sender.name } : {}),
            },
          }
        : {}),
      ...(message?.forwardedFrom ? { forwardedFrom: message.forwardedFrom } : {}),
      ...(message?.albumId ? { albumId: message.albumId } : {}),
      ...(group ? { group: trusted(group) } : {}),
    };
  }

  async function mayShow(
    channel: string,
    account: string,
    event: ChannelEvent,
    quoted: ChannelSender | undefined,
  ): Promise<boolean> {
    return quoted !== undefined && parts.mayQuote(channel, account, event, quoted);
  }

  return (channel, account, event) =>
    chats.run(JSON.stringify([channel, account, event.chat.id]), () => take(channel, account, event));
}

/** The same event has the same run, however often it comes. */
export function runIdOf(channel: string, account: string, { id }: Pick<ChannelEvent, "id">): string {
  return `ch-${hash("sha256", JSON.stringify([channel, account, id])).slice(0, 32)}`;
}

function isForAgent({ content }: ChannelEvent): boolean {
  return content.kind === "message" || content.kind === "command" || content.kind === "button";
}

function textOf({ content }: ChannelEvent): string {
  if (content.kind === "button") return readPressed(content.data).text;
  return content.kind === "message" || content.kind === "command" ? content.text : "";
}

/** Words of somebody else: forwarded, or behind a button whose label is all that one sees before pressing it. */
function isPassedOn(content: ChannelContent): boolean {
  if (content.kind === "button") return readPressed(content.data).kind === "words";
  return content.kind === "message" && content.forwardedFrom !== undefined;
}

/** Of whoever presses a button, and of whoever had it made, the lesser. */
function rightsBehind(content: ChannelContent, verdict: Verdict): Verdict {
  const pressed = content.kind === "button" ? readPressed(content.data) : undefined;
  if (pressed?.kind !== "words" || pressed.madeFor === "owner") return verdict;
  const standing = lesserOf(verdict.standing, pressed.madeFor);
  return { ...verdict, standing, isOwner: false, isAuthorised: false };
}

/** What an agent is told of something that was not said to it. */
function wordsOf(event: ChannelEvent): string {
  const { content } = event;
  switch (content.kind) {
    case "reaction":
      return `[${content.isRemoved ? "took back" : "reacted with"} ${content.emoji} ${content.onOurs ? "to your message" : "to message"} ${content.on}]`;
    case "edit":
      return `[changed message ${content.of} to] ${content.text}`;
    case "notice":
      return `[${content.text}]`;
    case "message":
      return [content.text, ...(content.media ?? []).map(({ kind, name }) => `[${name ?? kind}]`)].join(" ").trim();
    default:
      return textOf(event);
  }
}

/** Of a group's settings only what a turn needs. */
function trusted({ systemPrompt, tools, toolsBySender }: GroupPolicy): NonNullable<MessageOrigin["group"]> {
  return {
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(tools ? { tools: { ...tools } } : {}),
    ...(toolsBySender ? { toolsBySender: { ...toolsBySender } } : {}),
  };
}
