// Finds the room in which a person is answered: where they wrote last, or one made for the two of us.
import * as z from "zod";
import { GatewayError, once, type ChannelHost } from "@chela/sdk";
import type { Api, ApiResult } from "./api.ts";
import type { Rooms } from "./rooms.ts";

export interface DirectRooms {
  /** A person wrote in this room. */
  note(userId: string, roomId: string): Promise<void>;
  /** A room with this person; made if there is none. */
  find(userId: string): Promise<FoundRoom>;
}

type FoundRoom =
  | { readonly kind: "found"; readonly roomId: string }
  | { readonly kind: "none"; readonly result: Exclude<ApiResult, { kind: "done" }> };

const Created = once(() => z.object({ room_id: z.string() }));
const LEFT: FoundRoom = {
  kind: "none",
  result: { kind: "refused", status: 403, code: "M_FORBIDDEN", why: "there is no direct chat with them any more" },
};
const NO_ROOM: FoundRoom = {
  kind: "none",
  result: { kind: "refused", status: 400, code: "M_UNKNOWN", why: "the homeserver made no room" },
};

export function createDirectRooms(host: ChannelHost, api: Api, rooms: Rooms, isEncrypting: boolean): DirectRooms {
  const latest = new Map<string, string>();
  const nameFor = (userId: string): string => `direct-room:${userId}`;

  /** Still one for the two of us; somebody who was invited has not come yet. Anybody else there would read along. */
  const isUsable = async (roomId: string, userId: string): Promise<boolean> => {
    if ((await rooms.view(roomId)).peer === userId) return true;
    const readers = await rooms.readers(roomId).catch((error: unknown): string[] => {
      if (GatewayError.is(error) && error.code === "CHANNEL_REFUSED") return [];
      throw error;
    });
    return readers.length <= 2 && readers.includes(userId);
  };

  const create = async (userId: string): Promise<FoundRoom> => {
    const encryption = { type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } };
    const result = await api.call({
      method: "POST",
      path: "/client/v3/createRoom",
      body: {
        preset: "trusted_private_chat",
        is_direct: true,
        invite: [userId],
        ...(isEncrypting ? { initial_state: [encryption] } : {}),
      },
    });
    if (result.kind !== "done") return { kind: "none", result };
    const created = Created().safeParse(result.body);
    if (!created.success) return NO_ROOM;
    const roomId = created.data.room_id;
    // Until they have joined, the room does not look like one for two; it is used all the same.
    latest.set(userId, roomId);
    await rooms.addDirect(userId, roomId);
    await host.remember(nameFor(userId), roomId);
    return { kind: "found", roomId };
  };
  let making: Promise<unknown> = Promise.resolve();

  return {
    async note(userId, roomId) {
      if (latest.get(userId) === roomId) return;
      await host.remember(nameFor(userId), roomId);
      latest.set(userId, roomId);
    },
    async find(userId) {
      const known = latest.get(userId) ?? (await host.recall(nameFor(userId)));
      const candidates = new Set([...(known === undefined ? [] : [known]), ...rooms.directRooms(userId).toReversed()]);
      for (const roomId of candidates) {
        if (await isUsable(roomId, userId)) return { kind: "found", roomId };
      }
      // Whoever left does not want to be invited again and again.
      if (candidates.size > 0) return LEFT;
      // One after the other, or two messages at once would make two rooms.
      const mine = making.then(async (): Promise<FoundRoom> => {
        const made = latest.get(userId);
        return made === undefined ? create(userId) : { kind: "found", roomId: made };
      });
      making = mine.catch(() => {});
      return mine;
    },
  };
}
