// The message that an event of a channel carries: its text, its sender with their rights, where it was written. Pure, but for
// the question whose words may be quoted.
import { defined } from "@chela/sdk/base";
import { hash } from "node:crypto";
import {
  lesserOf,
  readPressed,
  type ChannelContent,
  type ChannelEvent,
  type ChannelSender,
  type GroupPolicy,
  type KnownPerson,
  type Standing,
} from "@chela/sdk";
import type { MessageBody, MessageOrigin } from "./message-body.ts";

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

type MayQuote = (quoted: ChannelSender) => Promise<boolean>;

/** The same event has the same run, however often it comes. */
export function runIdOf(channel: string, account: string, { id }: Pick<ChannelEvent, "id">): string {
  return `ch-${hash("sha256", JSON.stringify([channel, account, id])).slice(0, 32)}`;
}

export async function bodyOfEvent(event: ChannelEvent, judged: Verdict, mayQuote: MayQuote): Promise<MessageBody> {
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
    origin: await originOf(event, verdict, mayQuote),
    times: verdict.times,
  };
}

async function originOf(
  { chat, replyTarget, content, sender, messageId, at }: ChannelEvent,
  { wasMentioned, group }: Verdict,
  mayQuote: MayQuote,
): Promise<MessageOrigin> {
  const message = content.kind === "message" ? content : undefined;
  const quoted = message?.replyTo;
  const isShown = quoted && (quoted.isOurs || (quoted.sender !== undefined && (await mayQuote(quoted.sender))));
  return {
    chat: { ...chat },
    target: { ...replyTarget },
    at,
    wasMentioned,
    ...defined({ messageId }),
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
export function wordsOf(event: ChannelEvent): string {
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
function trusted({ systemPrompt, skills, tools, toolsBySender }: GroupPolicy): NonNullable<MessageOrigin["group"]> {
  return {
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(skills ? { skills: [...skills] } : {}),
    ...(tools ? { tools: { ...tools } } : {}),
    ...(toolsBySender ? { toolsBySender: { ...toolsBySender } } : {}),
  };
}
