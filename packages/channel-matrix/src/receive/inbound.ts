// Hands events to the gateway: decrypted, with what they are about looked up, in the order of their room.
import type { ChannelHost } from "@chela/sdk";
import { route, type Api } from "../api.ts";
import type { Crypto, Decrypted } from "../crypto/crypto.ts";
import type { DirectRooms } from "../direct-rooms.ts";
import type { Originals } from "./originals.ts";
import { aboutOf, parseEvent, type Original, type ParseContext } from "./parse.ts";
import type { Rooms } from "../rooms.ts";
import type { Waiting } from "./waiting.ts";
import type { RoomEvent } from "../wire.ts";

export interface Inbound {
  /** Resolves when all of them are decided on and on the disk. Rejects when one could not be written down. */
  take(roomId: string, events: readonly RoomEvent[]): Promise<void>;
  /** New keys came: what waited for them may be readable now. */
  retryWaiting(): Promise<void>;
}

export interface InboundParts {
  readonly host: ChannelHost;
  readonly api: Api;
  readonly crypto: Crypto | undefined;
  readonly rooms: Rooms;
  readonly direct: DirectRooms;
  readonly originals: Originals;
  readonly waiting: Waiting;
  readonly us: string;
  readonly threadReplies: ParseContext["threadReplies"];
}

export function createInbound(parts: InboundParts): Inbound {
  const { host, crypto, rooms, waiting, us } = parts;
  const complained = new Set<string>();

  const decrypt = async (roomId: string, event: RoomEvent): Promise<Decrypted> => {
    if (event.type !== "m.room.encrypted") return { kind: "clear", event };
    return crypto ? crypto.decrypt(roomId, event) : { kind: "unreadable", why: "encryption is not switched on" };
  };
  const complain = (roomId: string, why: string): void => {
    if (complained.has(roomId)) return;
    complained.add(roomId);
    host.log.warn("messages of an encrypted room cannot be read", { roomId, why });
  };
  /** True when the gateway got it. */
  const takeClear = async (roomId: string, event: RoomEvent): Promise<boolean> => {
    const original = await findOriginal(parts, roomId, event);
    parts.originals.note(roomId, event);
    if (event.sender === us) return false;
    const parsed = parseEvent(event, {
      us,
      room: await rooms.view(roomId),
      threadReplies: parts.threadReplies,
      nameOf: (userId) => rooms.nameOf(userId, roomId),
      ...(original ? { original } : {}),
    });
    if (parsed.kind === "dropped") {
      host.log.trace("an event was left out", { why: parsed.why, type: event.type });
      return false;
    }
    if (parsed.event.chat.kind === "direct") await parts.direct.note(parsed.event.chat.id, roomId);
    await host.receive(parsed.event);
    return true;
  };

  return {
    async take(roomId, events) {
      let latest: string | undefined;
      for (const event of events) {
        if (event.state_key !== undefined) continue;
        const read = await decrypt(roomId, event);
        if (read.kind === "waiting" && event.sender !== us) waiting.add({ roomId, event });
        if (read.kind === "unreadable") complain(roomId, read.why);
        if (read.kind === "clear" && (await takeClear(roomId, read.event))) latest = event.event_id;
      }
      if (latest !== undefined) void sendReceipt(parts.api, roomId, latest);
    },
    retryWaiting: () =>
      waiting.retry(async ({ roomId, event }) => {
        const read = await decrypt(roomId, event);
        if (read.kind === "clear") await takeClear(roomId, read.event);
        return read.kind === "waiting" ? "still waiting" : "done";
      }),
  };
}

/** What was deleted cannot be asked for any more. */
async function findOriginal(
  { originals }: InboundParts,
  roomId: string,
  event: RoomEvent,
): Promise<Original | undefined> {
  const id = aboutOf(event);
  if (id === undefined) return undefined;
  return event.type === "m.room.redaction" ? originals.recall(roomId, id) : originals.find(roomId, id);
}

/** Only a courtesy: nothing depends on it. */
export async function sendReceipt(api: Api, roomId: string, eventId: string): Promise<void> {
  await api.call({ method: "POST", path: route`/client/v3/rooms/${roomId}/receipt/m.read/${eventId}`, body: {} });
}
