// Actions in a room besides sending: reactions, deletions, pins, history, people.
import * as z from "zod";
import {
  GatewayError,
  once,
  type ChannelConnection,
  type ChatMessage,
  type DirectoryEntry,
  type Target,
} from "@chela/sdk";
import { isRoomAlias } from "./address.ts";
import { route } from "./api.ts";
import { expectDone } from "./failures.ts";
import { resolveAlias } from "./receive/invites.ts";
import { sendReceipt } from "./receive/inbound.ts";
import { fetchEvent, inClear } from "./receive/originals.ts";
import { senderOf } from "./receive/parse.ts";
import { readPlainText } from "./receive/parse-message.ts";
import { openRoom, transactionId, type SendParts } from "./send.ts";
import type { Session } from "./session.ts";
import { MessagesPage, readEvents, relationOf, type RoomEvent } from "./wire.ts";

const Pinned = once(() => z.object({ pinned: z.array(z.string()).catch([]) }));
const Found = once(() =>
  z.object({ results: z.array(z.object({ user_id: z.string(), display_name: z.string().nullish() })) }),
);
const JoinedRooms = once(() => z.object({ joined_rooms: z.array(z.string()) }));
const Joined = once(() => z.object({ joined: z.record(z.string(), z.object({ display_name: z.string().nullish() })) }));
const TYPING_MS = 30_000;
const MAX_REACTIONS = 500;

type Capabilities = Omit<ChannelConnection, "ended" | "close" | "send" | "edit" | "download">;

export function capabilitiesOf(parts: SendParts, session: Session): Capabilities {
  const { api, host } = parts;
  const us = session.userId;

  const roomOf = async (target: Target): Promise<string> => {
    const room = await openRoom(parts, target);
    if (room.kind === "room") return room.roomId;
    throw new GatewayError("CHANNEL_TARGET", room.why);
  };
  const redact = async (roomId: string, eventId: string): Promise<void> => {
    const path = route`/client/v3/rooms/${roomId}/redact/${eventId}/${transactionId(host.ids.uuid())}`;
    expectDone(await api.call({ method: "PUT", path, body: {} }), "it could not be taken back");
  };
  const related = async (roomId: string, eventId: string): Promise<RoomEvent[]> => {
    const path = route`/client/v1/rooms/${roomId}/relations/${eventId}/m.annotation/m.reaction`;
    const query = { limit: String(MAX_REACTIONS) };
    const answer = expectDone(await api.call({ method: "GET", path, query }), "reactions cannot be read");
    return readEvents(MessagesPage().parse(answer).chunk);
  };
  const pinnedIn = async (roomId: string): Promise<string[]> => {
    const path = route`/client/v3/rooms/${roomId}/state/m.room.pinned_events/`;
    const result = await api.call({ method: "GET", path });
    if (result.kind === "refused" && result.status === 404) return [];
    return Pinned().parse(expectDone(result, "pinned messages cannot be read")).pinned;
  };
  const asMessage = (roomId: string, event: RoomEvent): ChatMessage[] => {
    const isEdit = relationOf(event.content).rel_type === "m.replace";
    const isMessage = ["m.room.message", "m.sticker", "org.matrix.msc3381.poll.start"].includes(event.type);
    const text = isMessage && !isEdit ? readPlainText(event) : undefined;
    if (text === undefined) return [];
    const sender = senderOf(event.sender, { nameOf: (userId) => parts.rooms.nameOf(userId, roomId) });
    return [{ id: event.event_id, at: event.origin_server_ts, sender, text, isOurs: event.sender === us }];
  };

  return {
    async unsend(target, messageId) {
      await redact(await roomOf(target), messageId);
    },
    async react(target, messageId, emoji, isRemoved) {
      const roomId = await roomOf(target);
      if (isRemoved) {
        const ours = (await related(roomId, messageId)).filter(
          (event) => event.sender === us && relationOf(event.content).key === emoji,
        );
        for (const event of ours) await redact(roomId, event.event_id);
        return;
      }
      const content = { "m.relates_to": { rel_type: "m.annotation", event_id: messageId, key: emoji } };
      const path = route`/client/v3/rooms/${roomId}/send/m.reaction/${transactionId(`${messageId} ${emoji} ${host.ids.uuid()}`)}`;
      const result = await api.call({ method: "PUT", path, body: content });
      if (result.kind === "refused" && result.code === "M_DUPLICATE_ANNOTATION") return;
      expectDone(result, "the reaction was not taken");
    },
    async reactions(target, messageId) {
      const byEmoji = new Map<string, string[]>();
      for (const event of await related(await roomOf(target), messageId)) {
        const emoji = relationOf(event.content).key;
        if (emoji) byEmoji.set(emoji, [...(byEmoji.get(emoji) ?? []), event.sender]);
      }
      return [...byEmoji].map(([emoji, userIds]) => ({ emoji, userIds }));
    },
    async typing(target) {
      const path = route`/client/v3/rooms/${await roomOf(target)}/typing/${us}`;
      expectDone(
        await api.call({ method: "PUT", path, body: { typing: true, timeout: TYPING_MS } }),
        "typing is not shown",
      );
    },
    async markRead(target, messageId) {
      await sendReceipt(api, await roomOf(target), messageId);
    },
    async history(target, { limit, before, after }) {
      const roomId = await roomOf(target);
      const page = await readHistory(parts, roomId, { limit, before, after, threadId: target.threadId });
      const clear = await Promise.all(page.map((event) => inClear(parts.crypto, roomId, event)));
      return clear.flatMap((event) => asMessage(roomId, event)).slice(after ? 0 : -limit, after ? limit : undefined);
    },
    async pin(target, messageId, isRemoved) {
      const roomId = await roomOf(target);
      const others = (await pinnedIn(roomId)).filter((id) => id !== messageId);
      const pinned = isRemoved ? others : [...others, messageId];
      const path = route`/client/v3/rooms/${roomId}/state/m.room.pinned_events/`;
      expectDone(await api.call({ method: "PUT", path, body: { pinned } }), "the message was not pinned");
    },
    async pins(target) {
      const roomId = await roomOf(target);
      const ids = (await pinnedIn(roomId)).slice(-50);
      const events = await Promise.all(ids.map((id) => fetchEvent(api, parts.crypto, roomId, id)));
      return events.flatMap((event) => (event ? asMessage(roomId, event) : []));
    },
    directory: directoryOf(parts, us),
    resolveName: async (name, kind) => (kind === "group" && isRoomAlias(name) ? resolveAlias(api, name) : undefined),
    async probe() {
      const startedAt = host.clock.steady();
      expectDone(
        await api.call({ method: "GET", path: "/client/v3/account/whoami" }),
        "the homeserver does not answer",
      );
      return {
        userId: us,
        deviceId: session.deviceId,
        encryption: parts.crypto ? `on, fingerprint ${parts.crypto.fingerprint}` : "off",
        answeredMs: host.clock.steady() - startedAt,
      };
    },
  };
}

async function readHistory(
  { api }: SendParts,
  roomId: string,
  range: { limit: number; before: string | undefined; after: string | undefined; threadId: string | undefined },
): Promise<RoomEvent[]> {
  const { limit, before, after, threadId } = range;
  const anchor = before ?? after;
  const from = anchor ? await positionOf(api, roomId, anchor, before ? "start" : "end") : undefined;
  const dir = after && !before ? "f" : "b";
  // Not every event is a message; some more are read so that enough are left.
  const query = { dir, from, limit: String(Math.min(100, limit * 2)) };
  const path = threadId
    ? route`/client/v1/rooms/${roomId}/relations/${threadId}/m.thread`
    : route`/client/v3/rooms/${roomId}/messages`;
  const answer = expectDone(await api.call({ method: "GET", path, query }), "earlier messages cannot be read");
  const events = readEvents(MessagesPage().parse(answer).chunk);
  return dir === "b" ? events.reverse() : events;
}

const Context = once(() => z.object({ start: z.string().optional(), end: z.string().optional() }));

/** Where in the room an event stands. */
async function positionOf(
  api: SendParts["api"],
  roomId: string,
  eventId: string,
  side: "start" | "end",
): Promise<string | undefined> {
  const path = route`/client/v3/rooms/${roomId}/context/${eventId}`;
  const answer = expectDone(await api.call({ method: "GET", path, query: { limit: "0" } }), "there is no such message");
  return Context().parse(answer)[side];
}

function directoryOf({ api, rooms }: SendParts, us: string): NonNullable<ChannelConnection["directory"]> {
  const user = (id: string, name: string | null | undefined): DirectoryEntry => ({
    kind: "user",
    id,
    username: id,
    ...(name ? { name } : {}),
  });
  return {
    self: async () => user(us, undefined),
    async users(query, limit) {
      const body = { search_term: query, limit };
      const result = await api.call({ method: "POST", path: "/client/v3/user_directory/search", body });
      const { results } = Found().parse(expectDone(result, "the directory cannot be searched"));
      return results.slice(0, limit).map(({ user_id, display_name }) => user(user_id, display_name));
    },
    async groups(query, limit) {
      const result = await api.call({ method: "GET", path: "/client/v3/joined_rooms" });
      const { joined_rooms } = JoinedRooms().parse(expectDone(result, "our rooms cannot be listed"));
      const wanted = query.toLowerCase();
      const found: DirectoryEntry[] = [];
      for (const roomId of joined_rooms) {
        const { peer, title } = await rooms.view(roomId);
        const isAskedFor = `${roomId} ${title ?? ""}`.toLowerCase().includes(wanted);
        if (peer === undefined && isAskedFor)
          found.push({ kind: "group", id: roomId, ...(title ? { name: title } : {}) });
        if (found.length >= limit) break;
      }
      return found;
    },
    async members(groupId, limit) {
      const path = route`/client/v3/rooms/${groupId}/joined_members`;
      const { joined } = Joined().parse(
        expectDone(await api.call({ method: "GET", path }), "the members cannot be read"),
      );
      return Object.entries(joined)
        .slice(0, limit)
        .map(([id, { display_name }]) => user(id, display_name));
    },
  };
}
