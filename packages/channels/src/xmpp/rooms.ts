// The rooms we want to be in: joins them, comes back after a kick, and knows who is behind which nick.
import type { ChannelHost, ChannelSender } from "@chela/sdk";
import type { XmlElement } from "@xmpp/client";
import { occupantId, parseAddress } from "./address.ts";
import type { WantedRoom } from "./config.ts";
import type { RealNames } from "./real-names.ts";
import type { RoomView } from "./receive/parse.ts";
import { featuresOf } from "./server/services.ts";
import { conditionOf, NS } from "./server/stanza.ts";
import type { Stream } from "./server/stream.ts";

export interface Rooms {
  hear(presence: XmlElement): void;
  /** Resolves when each was joined or refused. */
  joinAll(): Promise<void>;
  view(jid: string): RoomView | undefined;
  isIn(jid: string): boolean;
  hasArchive(jid: string): boolean;
  list(): string[];
  members(jid: string): ChannelSender[];
  stop(): void;
}

export interface RoomNeeds {
  readonly wanted: readonly WantedRoom[];
  readonly stream: Stream;
  readonly host: ChannelHost;
  readonly realNames: RealNames;
  /** From when on messages are wanted, where the room keeps no archive. */
  historySince(jid: string): Promise<number | undefined>;
  /** We are about to come in. */
  joining(jid: string): void;
  /** We are in: what was said in between can be asked for. */
  joined(jid: string): Promise<void>;
}

interface Occupant {
  readonly jid: string | undefined;
  readonly occupant: string | undefined;
}

interface Room {
  readonly wanted: WantedRoom;
  nick: string;
  isIn: boolean;
  features: ReadonlySet<string>;
  occupants: Map<string, Occupant>;
  selfOccupant: string | undefined;
  answered: ((refusal: string | undefined) => void) | undefined;
}

const JOIN_MS = 15_000;
const COME_BACK_MS = 30_000;
const MOST_NICKS = 4;

export function createRooms(needs: RoomNeeds): Rooms {
  const { stream, host, realNames } = needs;
  const rooms = new Map<string, Room>(needs.wanted.map((wanted) => [wanted.jid, emptyRoom(wanted)]));
  let isStopped = false;

  const enter = async (room: Room, since: number | undefined): Promise<string | undefined> => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    room.answered = resolve;
    const cancel = host.clock.after(JOIN_MS, () => resolve("no answer"));
    await stream.send(joinStanza(room, since, stream)).catch(() => resolve("not connected"));
    return promise.finally(cancel);
  };
  const join = async (room: Room): Promise<void> => {
    const { jid } = room.wanted;
    needs.joining(jid);
    room.features = await featuresOf(stream, jid);
    const since = room.features.has(NS.mam) ? undefined : await needs.historySince(jid);
    let refusal = await enter(room, since);
    for (let count = 1; refusal === "conflict" && count < MOST_NICKS; count += 1) {
      room.nick = `${room.wanted.nick}${"_".repeat(count)}`;
      refusal = await enter(room, since);
    }
    room.answered = undefined;
    if (refusal !== undefined) {
      host.log.warn("a room could not be joined; it is tried again later", { room: jid, why: refusal });
      return comeBack(room);
    }
    // A room that was made by our coming had nothing to say about itself before.
    if (room.features.size === 0) room.features = await featuresOf(stream, jid);
    await needs.joined(jid);
  };
  const comeBack = (room: Room): void => {
    if (isStopped || stream.isOver()) return;
    host.clock.after(COME_BACK_MS, () => void (isStopped || room.isIn || join(room)));
  };

  const hearAvailable = (room: Room, nick: string, presence: XmlElement): void => {
    const item = oneItem(presence);
    const occupant = room.features.has(NS.occupant) ? occupantIn(presence) : undefined;
    const jid = parseAddress(item?.attrs["jid"] ?? "")?.bare;
    room.occupants.set(nick, { jid, occupant });
    if (jid !== undefined && occupant !== undefined) realNames.note(room.wanted.jid, occupant, jid);
    if (!hasStatus(presence, "110")) return;
    room.nick = nick;
    room.selfOccupant = occupant;
    room.isIn = true;
    room.answered?.(undefined);
  };
  const hearGone = (room: Room, nick: string, presence: XmlElement): void => {
    room.occupants.delete(nick);
    if (!hasStatus(presence, "110") && nick !== room.nick) return;
    const newNick = hasStatus(presence, "303") ? oneItem(presence)?.attrs["nick"] : undefined;
    if (newNick) return void (room.nick = newNick);
    if (!room.isIn) return;
    room.isIn = false;
    room.occupants.clear();
    host.log.warn("we were put out of a room", { room: room.wanted.jid });
    comeBack(room);
  };

  return {
    hear(presence) {
      const from = parseAddress(presence.attrs["from"] ?? "");
      const room = from && rooms.get(from.bare);
      if (!from || !room) return;
      const { type } = presence.attrs;
      if (type === "error") return room.answered?.(conditionOf(presence));
      if (from.resource === undefined) return;
      if (type === undefined) hearAvailable(room, from.resource, presence);
      else if (type === "unavailable") hearGone(room, from.resource, presence);
    },
    async joinAll() {
      await Promise.all([...rooms.values()].map(join));
    },
    view(jid) {
      const room = rooms.get(jid);
      return room && viewOf(room, realNames);
    },
    isIn: (jid) => rooms.get(jid)?.isIn === true,
    hasArchive: (jid) => rooms.get(jid)?.features.has(NS.mam) === true,
    list: () => [...rooms].filter(([, { isIn }]) => isIn).map(([jid]) => jid),
    members(jid) {
      const room = rooms.get(jid);
      if (!room) return [];
      const view = viewOf(room, realNames);
      return [...room.occupants].map(([nick, { occupant }]) => view.senderOf(nick, occupant, false));
    },
    stop: () => void (isStopped = true),
  };
}

function emptyRoom(wanted: WantedRoom): Room {
  return {
    wanted,
    nick: wanted.nick,
    isIn: false,
    features: new Set(),
    occupants: new Map(),
    selfOccupant: undefined,
    answered: undefined,
  };
}

function viewOf(room: Room, realNames: RealNames): RoomView {
  const { jid } = room.wanted;
  const trusted = (occupant: string | undefined): string | undefined =>
    room.features.has(NS.occupant) ? occupant : undefined;
  return {
    nick: room.nick,
    stampsIds: room.features.has(NS.sid),
    senderOf(nick, written, isArchived) {
      const occupant = trusted(written);
      const present = isArchived ? undefined : room.occupants.get(nick);
      const real = present?.jid ?? (occupant === undefined ? undefined : realNames.find(jid, occupant));
      const id = real ?? (occupant === undefined ? "" : occupantId(jid, occupant));
      return { id, name: nick };
    },
    isUs(nick, written, isArchived) {
      const occupant = trusted(written);
      if (occupant !== undefined && room.selfOccupant !== undefined) return occupant === room.selfOccupant;
      return nick === room.nick && (!isArchived || occupant === undefined);
    },
  };
}

function joinStanza(room: Room, since: number | undefined, { xml }: Stream): XmlElement {
  const history = since === undefined ? { maxstanzas: "0" } : { since: new Date(since).toISOString() };
  const password = room.wanted.password?.reveal();
  return xml(
    "presence",
    { to: `${room.wanted.jid}/${room.nick}` },
    xml(
      "x",
      { xmlns: NS.muc },
      xml("history", history),
      ...(password === undefined ? [] : [xml("password", {}, password)]),
    ),
  );
}

/** More than one means that somebody else than the room wrote one of them. */
function oneItem(presence: XmlElement): XmlElement | undefined {
  const items = presence.getChildren("x", NS.mucUser).flatMap((x) => x.getChildren("item"));
  return items.length === 1 ? items[0] : undefined;
}

function occupantIn(presence: XmlElement): string | undefined {
  return presence.getChild("occupant-id", NS.occupant)?.attrs["id"];
}

function hasStatus(presence: XmlElement, code: string): boolean {
  return presence
    .getChildren("x", NS.mucUser)
    .some((x) => x.getChildren("status").some(({ attrs }) => attrs["code"] === code));
}
