// Events that others are about: who wrote what was answered, reacted to or deleted. The latest are kept, others are asked for.
import { Recent } from "@chela/sdk/channel-kit";
import { route, type Api } from "../api.ts";
import type { Crypto } from "../crypto/crypto.ts";
import type { Original } from "./parse.ts";
import { readPlainText, readPollParts } from "./parse-message.ts";
import { relationOf, RoomEvent } from "../wire.ts";

export interface Originals {
  /** Takes note of an event in clear. */
  note(roomId: string, event: RoomEvent): void;
  /** What is kept of an event of this room, without asking. Whoever names one of another room is told nothing of it. */
  recall(roomId: string, eventId: string): Original | undefined;
  find(roomId: string, eventId: string): Promise<Original | undefined>;
}

const KEPT = 1_000;

export function createOriginals(api: Api, crypto: Crypto | undefined): Originals {
  const kept = new Recent<Original>(KEPT);

  const keyOf = (roomId: string, eventId: string): string => `${roomId}\n${eventId}`;
  const note = (roomId: string, event: RoomEvent): Original => {
    const original = originalOf(event);
    kept.set(keyOf(roomId, event.event_id), original);
    return original;
  };
  return {
    note: (roomId, event) => void note(roomId, event),
    recall: (roomId, eventId) => kept.get(keyOf(roomId, eventId)),
    async find(roomId, eventId) {
      const known = kept.get(keyOf(roomId, eventId));
      if (known) return known;
      const event = await fetchEvent(api, crypto, roomId, eventId);
      return event && note(roomId, event);
    },
  };
}

/** One event in clear; undefined when it is not to be had. */
export async function fetchEvent(
  api: Api,
  crypto: Crypto | undefined,
  roomId: string,
  eventId: string,
): Promise<RoomEvent | undefined> {
  const result = await api.call({ method: "GET", path: route`/client/v3/rooms/${roomId}/event/${eventId}` });
  const read = result.kind === "done" ? RoomEvent().safeParse(result.body) : undefined;
  return read?.success ? inClear(crypto, roomId, read.data) : undefined;
}

/** An event that cannot be read is handed back as it is: who wrote it is known all the same. */
export async function inClear(crypto: Crypto | undefined, roomId: string, event: RoomEvent): Promise<RoomEvent> {
  if (event.type !== "m.room.encrypted" || !crypto) return event;
  const read = await crypto.decrypt(roomId, event);
  return read.kind === "clear" ? read.event : event;
}

function originalOf(event: RoomEvent): Original {
  const { event_id: on, key: emoji } = relationOf(event.content);
  const isReaction = event.type === "m.reaction" && on !== undefined && emoji !== undefined;
  const text = readPlainText(event);
  const poll = readPollParts(event);
  return {
    sender: event.sender,
    ...(text ? { text } : {}),
    ...(isReaction ? { reaction: { emoji, on } } : {}),
    ...(poll ? { answers: poll.answers } : {}),
  };
}
