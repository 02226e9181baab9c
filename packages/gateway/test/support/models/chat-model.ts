// What has to come of what somebody does in a chat, worked out a second time and without the gateway's own code; with the
// people and places to try it with.
import type { ChannelContent, ChannelEvent, ChannelSender } from "@chela/sdk";
import { castOf, type Cast, type World } from "./chat-cast.ts";

/** "heard": kept for the next turn. "code": asked to be approved first. */
export type Effect = "turn" | "heard" | "code" | "nothing";
export type Kind = ChannelContent["kind"];

export interface Somebody {
  readonly what: string;
  /** Who it really is: nobody has no id of a person, or is no person. */
  readonly is: "known" | "somebody" | "nobody";
  readonly sender: ChannelSender;
}

export interface Place {
  readonly what: string;
  /** "room" is the one that is listed. */
  readonly is: "direct" | "room" | "elsewhere";
  readonly chat: unknown;
}

export const WORLDS: readonly World[] = [
  { name: "known", direct: "allowlist", listed: "known", group: "allowlist", inRoom: "known" },
  { name: "nobody", direct: "allowlist", listed: "nobody", group: "allowlist", inRoom: "nobody" },
  { name: "off", direct: "disabled", listed: "everybody", group: "disabled", inRoom: "everybody" },
  { name: "open-to-write", direct: "open", listed: "everybody", group: "allowlist" },
  { name: "open-without-star", direct: "open", listed: "known", group: "disabled" },
  { name: "open-groups", direct: "allowlist", listed: "nobody", group: "open" },
  { name: "pairing", direct: "pairing", listed: "nobody", group: "allowlist", inRoom: "known" },
  { name: "no-rooms", direct: "allowlist", listed: "known", group: "allowlist" },
];

export function effectOf(channel: string, world: World, who: Somebody, place: Place, kind: Kind): Effect {
  const { groups } = castOf(channel);
  if (who.is === "nobody") return "nothing";
  if (place.is === "direct") {
    if (world.direct === "disabled") return "nothing";
    if (isListed(world.listed, who)) return doneBy(kind);
    return world.direct === "pairing" && (kind === "message" || kind === "command") ? "code" : "nothing";
  }
  if (groups === "none") return world.listed === "known" && who.is === "known" ? doneBy(kind) : "nothing";
  if (world.group === "disabled") return "nothing";
  if (world.inRoom) {
    const isLetIn = place.is === "room" || groups === "people";
    return isLetIn && isListed(world.inRoom, who) ? doneBy(kind) : "nothing";
  }
  // Nothing is said about rooms: then people who are named may speak, but on Slack, where rooms are let in and not people.
  const may = world.group === "open" || (channel !== "slack" && world.listed === "known" && who.is === "known");
  return may ? doneBy(kind) : "nothing";
}

const isListed = (list: World["listed"], { is }: Somebody): boolean =>
  list === "everybody" || (list === "known" && is === "known");

/** Everything here is addressed to us, as far as its kind can be. */
function doneBy(kind: Kind): Effect {
  return kind === "message" || kind === "command" || kind === "button" ? "turn" : "heard";
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { a: "а", e: "е", o: "о", "0": "О", "1": "l", c: "с", "+": "＋" };

/** People who are not the known one, whatever they make of themselves. */
export function strangersTo(cast: Cast, ourId: string): Somebody[] {
  const { known, stranger, room, guild, names } = cast;
  const taken = [known, ...names];
  const ids = new Set<string>([
    known.toUpperCase(),
    known.toLowerCase(),
    `${known}0`,
    `0${known}`,
    known.slice(1),
    known.slice(0, -1),
    `${known} `,
    ` ${known}`,
    `${known}\n`,
    `${known}\u200b`,
    `\u202e${known}`,
    `${known},${stranger}`,
    `user:${known}`,
    `@${known}`,
    known.replace(/[aeoc01+]/, (letter) => LOOK_ALIKES[letter] ?? letter),
    known.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    "__proto__",
    "constructor",
    "null",
    "undefined",
  ]);
  ids.delete(known);
  ids.delete("");
  const places = [room, ...(guild ? [guild] : [])];
  return [
    { what: "a stranger", is: "somebody", sender: { id: stranger } },
    ...taken.flatMap((name): Somebody[] => [
      { what: `a stranger called ${name}`, is: "somebody", sender: { id: stranger, name, username: name } },
    ]),
    { what: "a stranger with a role of that id", is: "somebody", sender: { id: stranger, roles: [known, ...places] } },
    { what: "a stranger who says other ids", is: "somebody", sender: { id: stranger, otherIds: ["", " ", "*"] } },
    ...[...ids].map((id): Somebody => ({ what: `the id ${JSON.stringify(id)}`, is: "somebody", sender: { id } })),
    ...["", " ", "\t", "*"].map((id): Somebody => ({
      what: `no id: ${JSON.stringify(id)}`,
      is: "nobody",
      sender: { id, name: known },
    })),
    { what: "an id that is no text", is: "nobody", sender: { id: 7 as unknown as string, name: known } },
    { what: "no id at all", is: "nobody", sender: { name: known } as ChannelSender },
    { what: "a bot with the known id", is: "nobody", sender: { id: known, isBot: true } },
    { what: "ourselves", is: "nobody", sender: { id: ourId, name: known } },
  ];
}

export const knownOf = ({ known }: Cast): Somebody => ({
  what: "the known person",
  is: "known",
  sender: { id: known },
});

/** Who speaks in a place's own name is nobody there. */
export const placesAsPeople = ({ room, guild }: Cast): Somebody[] =>
  [room, ...(guild ? [guild] : [])].map((id) => ({ what: `the place ${id}`, is: "nobody", sender: { id } }));

export function directWith({ sender }: Somebody): Place {
  return { what: "directly", is: "direct", chat: { kind: "direct", id: String(sender.id) } };
}

export function roomsOf(cast: Cast): Place[] {
  const { room, otherRoom } = cast;
  const inside = guildOf(cast);
  return [
    { what: "in the room", is: "room", chat: { kind: "group", id: room, ...inside } },
    { what: "in the room, as a channel", is: "room", chat: { kind: "channel", id: room, ...inside } },
    { what: "in a thread of it", is: "room", chat: { kind: "group", id: room, threadId: "5", ...inside } },
    {
      what: "in a thread of its own",
      is: "room",
      chat: { kind: "channel", id: "thread-1", parentId: room, ...inside },
    },
    {
      what: "in another room with its name",
      is: "elsewhere",
      chat: { kind: "group", id: otherRoom, title: room, ...inside },
    },
  ];
}

/** Chats of which nobody can tell what they are have the rules of a group, and are in no list. */
export function oddPlacesOf({ sender }: Somebody, cast: Cast): Place[] {
  const kinds: readonly unknown[] = [undefined, null, "", "dm", "Direct", "private", "im", "supergroup", 0, ["direct"]];
  const odd = kinds.map((kind): Place => ({
    what: `of the kind ${JSON.stringify(kind)}`,
    is: "elsewhere",
    chat: { kind, id: sender.id },
  }));
  const others = [cast.otherRoom, "", ...(sender.id === cast.known ? [cast.stranger] : [cast.known])];
  return [
    ...odd,
    ...others.map((id): Place => ({
      what: `directly with ${JSON.stringify(id)}`,
      is: "elsewhere",
      chat: { kind: "direct", id },
    })),
  ];
}

function guildOf({ guild }: Cast): object {
  if (guild === undefined) return {};
  return guild.startsWith("T") ? { teamId: guild } : { guildId: guild };
}

let made = 0;
export function eventOf({ sender }: Somebody, { chat }: Place, content: ChannelContent): ChannelEvent {
  const id = `made-${(made += 1)}`;
  const { id: to } = chat as { id: unknown };
  return {
    id,
    messageId: id,
    at: 1_700_000_000_000,
    chat: chat as ChannelEvent["chat"],
    sender,
    replyTarget: { to: String(to) },
    content,
  };
}
