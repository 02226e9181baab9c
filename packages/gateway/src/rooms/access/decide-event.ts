// The gate for everything that comes in through a channel, of every kind. Pure; no event has an effect before it.
import type { ChannelContent, ChannelEvent } from "@chela/sdk";
import { judgeSpeaking, type Speaking } from "./judge-speaking.ts";
import { mentionsUs } from "./mentions.ts";
import type { AccessRules, EventDecision } from "./rules.ts";

type MaySpeak = Extract<Speaking, { kind: "may-speak" }>;
type Content<Kind extends ChannelContent["kind"]> = Extract<ChannelContent, { kind: Kind }>;

/** `looksLikeCommand`: the whole text is a command, which somebody who may give one need not address to us. */
export function decideEvent(event: ChannelEvent, rules: AccessRules, looksLikeCommand = false): EventDecision {
  if (![event.sender, event.chat, event.content].every(isRecord))
    return { kind: "ignored", why: "The event has no sender, no chat or no content." };
  const speaking = judgeSpeaking(event, rules);
  if (speaking.kind === "may-speak") return decideContent(event.content, speaking, rules, looksLikeCommand);
  if (speaking.kind === "needs-pairing" && !["message", "command"].includes(event.content.kind))
    return { kind: "ignored", why: "The sender is unknown, and only a message can ask to be let in." };
  return speaking;
}

function decideContent(
  content: ChannelContent,
  speaking: MaySpeak,
  rules: AccessRules,
  looksLikeCommand: boolean,
): EventDecision {
  switch (content.kind) {
    case "message":
    case "edit":
      return decideText(content, speaking, rules, looksLikeCommand);
    case "command":
    case "button":
      return allow(speaking, true);
    case "reaction":
      return decideReaction(content, speaking, rules);
    case "notice":
      return allow(speaking, false);
    default:
      return { kind: "ignored", why: "Events of this kind are not known." };
  }
}

function decideText(
  content: Content<"message" | "edit">,
  speaking: MaySpeak,
  rules: AccessRules,
  looksLikeCommand: boolean,
): EventDecision {
  const wasMentioned = mentionsUs(content, rules.mention);
  const { isAuthorised, person } = speaking.standing;
  // Whoever is asked in a group may answer there.
  const isCommand = looksLikeCommand && (isAuthorised || person?.role === "approver");
  if (wasMentioned || isCommand || !needsMention(speaking, rules)) return allow(speaking, wasMentioned);
  return { kind: "heard", why: "In this group we answer when we are mentioned, and this does not mention us." };
}

function needsMention({ place, group }: MaySpeak, { activation }: AccessRules): boolean {
  if (place === "direct" || activation === "always") return false;
  return activation === "mention" || group?.requireMention !== false;
}

function decideReaction(content: Content<"reaction">, speaking: MaySpeak, { policy }: AccessRules): EventDecision {
  const isOnOurs = content.onOurs === true;
  switch (policy.reactions) {
    case "all":
      return allow(speaking, isOnOurs);
    case "own":
      return isOnOurs
        ? allow(speaking, true)
        : { kind: "ignored", why: "Only reactions to our own messages are looked at, and this is to another." };
    case "allowlist":
      return speaking.isKnown
        ? allow(speaking, isOnOurs)
        : { kind: "ignored", why: "Only reactions of people who are named in a list are looked at." };
    default:
      return { kind: "ignored", why: "Reactions are switched off." };
  }
}

function allow({ standing, group }: MaySpeak, wasMentioned: boolean): EventDecision {
  return { kind: "allowed", sender: standing, wasMentioned, ...(group ? { group } : {}) };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
