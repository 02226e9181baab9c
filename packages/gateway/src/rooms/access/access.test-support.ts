// Events and rules for the tests of this room: people are called by one letter, and their ids are these letters.
import type { ChannelContent, ChannelEvent, ChannelPolicy, Chat, GroupPolicy } from "@chela/sdk";
import type { AccessRules, AllowLists } from "./room.ts";

/** One of each kind. A kind that is new to the seam does not compile until it is here, and then passes every table. */
export const CONTENTS: { readonly [Kind in ChannelContent["kind"]]: Extract<ChannelContent, { kind: Kind }> } = {
  message: { kind: "message", text: "hello", mentionsUs: false },
  command: { kind: "command", text: "/status" },
  button: { kind: "button", data: "yes", on: "m1" },
  reaction: { kind: "reaction", emoji: "👍", isRemoved: false, on: "m1", onOurs: true },
  edit: { kind: "edit", of: "m1", text: "hello again" },
  notice: { kind: "notice", text: "somebody joined" },
};
export const KINDS = Object.keys(CONTENTS) as Array<ChannelContent["kind"]>;

export const GROUP: Chat = { kind: "group", id: "g1" };

export function direct(sender: string, content: ChannelContent = CONTENTS.message): ChannelEvent {
  return event({ kind: "direct", id: sender }, sender, content);
}

export function inGroup(sender: string, content: ChannelContent = mention(), chat: Chat = GROUP): ChannelEvent {
  return event(chat, sender, content);
}

export function mention(text = "hello"): ChannelContent {
  return { kind: "message", text, mentionsUs: true };
}

function event(chat: Chat, sender: string, content: ChannelContent): ChannelEvent {
  return { id: "e1", at: 0, chat, sender: { id: sender }, replyTarget: { to: chat.id }, content };
}

const CLOSED: ChannelPolicy = { dm: "disabled", allowFrom: [], group: "disabled", groups: {}, reactions: "all" };

/** Every entry of a list is the id itself, as if the channel had read it. */
export function rulesFor(policy: Partial<ChannelPolicy>, more: Partial<AccessRules> = {}): AccessRules {
  const whole = { ...CLOSED, ...policy };
  return {
    channel: "pigeon",
    account: "default",
    policy: whole,
    allowed: listsOf(whole),
    paired: new Set(),
    pairedOwners: new Set(),
    mention: { patterns: [] },
    selfIds: new Set(["us"]),
    ...more,
  };
}

export function listsOf({ allowFrom, groupAllowFrom, groups }: ChannelPolicy, owners?: readonly string[]): AllowLists {
  const inGroup = (group: GroupPolicy): readonly string[] => [
    ...(group.allowFrom ?? []),
    ...Object.values(group.topics ?? {}).flatMap(inGroup),
  ];
  const entries = [...allowFrom, ...(groupAllowFrom ?? []), ...Object.values(groups).flatMap(inGroup)];
  return {
    people: new Map(entries.filter((entry) => entry !== "*").map((entry) => [entry, entry])),
    groups: new Map(Object.entries(groups)),
    ...(owners ? { owners: new Set(owners) } : {}),
  };
}
