// Facts about the rooms we are in: who is there, whether it is direct, whether it is encrypted. Asked for when
// it is needed, kept until a sync says otherwise.
import * as z from "zod";
import { once } from "@chela/sdk";
import { route, type Api } from "./api.ts";
import { expectDone } from "./failures.ts";
import type { RoomView } from "./receive/parse.ts";
import type { RoomEvent } from "./wire.ts";

export interface Rooms {
  /** Throws a GatewayError when the homeserver cannot be asked. */
  view(roomId: string): Promise<RoomView>;
  nameOf(userId: string, roomId?: string): string | undefined;
  /** Whose eyes an encrypted message is for. */
  readers(roomId: string): Promise<string[]>;
  isEncrypted(roomId: string): Promise<boolean>;
  /** Rooms that are direct chats with somebody, as our account data say. */
  directRooms(userId: string): readonly string[];
  takeDirect(content: unknown): void;
  addDirect(userId: string, roomId: string): Promise<void>;
  /** Names of those who wrote, which come with a sync whether they are new or not. */
  takeName(
    roomId: string,
    event: { readonly type: string; readonly state_key?: string; readonly content: object },
  ): void;
  /** A change of the room, in the order of things. */
  takeChange(roomId: string, event: RoomEvent): void;
  /** Something may have been missed. */
  forget(roomId: string): void;
}

const Joined = once(() =>
  z.object({ joined: z.record(z.string(), z.object({ display_name: z.string().nullish().catch(undefined) })) }),
);
const Members = once(() =>
  z.object({ chunk: z.array(z.object({ state_key: z.string(), content: z.object({ membership: z.string() }) })) }),
);
const Direct = once(() => z.record(z.string(), z.array(z.string()).catch([])));
const MAX_NAMES = 5_000;

interface KnownRoom {
  members?: Promise<ReadonlySet<string>>;
  readers?: Promise<string[]>;
  isDirectByInvite?: Promise<boolean>;
  title?: Promise<string | undefined>;
  isEncrypted?: boolean;
}

export function createRooms(api: Api, us: string): Rooms {
  const known = new Map<string, KnownRoom>();
  const names = new Map<string, string>();
  let direct: Record<string, string[]> = {};

  const of = (roomId: string): KnownRoom => {
    const one = known.get(roomId) ?? {};
    known.set(roomId, one);
    return one;
  };
  /** An answer is kept; that there was none is not. */
  const keep = <Field extends keyof KnownRoom>(
    roomId: string,
    field: Field,
    ask: () => NonNullable<KnownRoom[Field]>,
  ) => {
    const room = of(roomId);
    const answer = (room[field] ??= ask());
    if (answer instanceof Promise) answer.catch(() => delete room[field]);
    return answer as NonNullable<KnownRoom[Field]>;
  };
  const setName = (roomId: string, userId: string, name: unknown): void => {
    if (typeof name !== "string" || name === "") return void names.delete(`${roomId}\n${userId}`);
    if (names.size >= MAX_NAMES) names.clear();
    names.set(`${roomId}\n${userId}`, name);
  };
  const state = async (roomId: string, type: string, key: string): Promise<Record<string, unknown> | undefined> => {
    const path = route`/client/v3/rooms/${roomId}/state/${type}/${key}`;
    const result = await api.call({ method: "GET", path });
    if (result.kind === "refused" && [403, 404].includes(result.status)) return undefined;
    return expectDone(result, "a room cannot be looked at") as Record<string, unknown>;
  };
  const members = (roomId: string) =>
    keep(roomId, "members", async () => {
      const path = route`/client/v3/rooms/${roomId}/joined_members`;
      const result = await api.call({ method: "GET", path });
      // Not ours to look at: as many as it takes not to be a direct chat.
      if (result.kind === "refused" && [403, 404].includes(result.status)) return new Set<string>();
      const { joined } = Joined().parse(expectDone(result, "the members of a room cannot be read"));
      for (const [userId, { display_name }] of Object.entries(joined)) setName(roomId, userId, display_name);
      return new Set(Object.keys(joined));
    });
  const wasInvitedDirectly = (roomId: string) =>
    keep(roomId, "isDirectByInvite", async () => (await state(roomId, "m.room.member", us))?.["is_direct"] === true);
  const directRooms = (userId: string): readonly string[] =>
    Object.hasOwn(direct, userId) ? (direct[userId] ?? []) : [];

  /** The one other person, when there is exactly one and the room was meant for two. */
  const peerOf = async (roomId: string): Promise<string | undefined> => {
    const isListed = Object.values(direct).some((rooms) => rooms.includes(roomId));
    if (!isListed && !(await wasInvitedDirectly(roomId))) return undefined;
    const here = await members(roomId);
    const [other] = [...here].filter((userId) => userId !== us);
    if (here.size !== 2 || !here.has(us) || other === undefined) return undefined;
    return isListed && !directRooms(other).includes(roomId) ? undefined : other;
  };

  return {
    directRooms,
    nameOf: (userId, roomId) => names.get(`${roomId}\n${userId}`),
    async view(roomId) {
      const peer = await peerOf(roomId);
      if (peer !== undefined) return { id: roomId, peer };
      const title = await keep(roomId, "title", async () => {
        const name = (await state(roomId, "m.room.name", ""))?.["name"];
        return typeof name === "string" && name ? name : undefined;
      });
      return { id: roomId, ...(title ? { title } : {}) };
    },
    readers: (roomId) =>
      keep(roomId, "readers", async () => {
        const path = route`/client/v3/rooms/${roomId}/members`;
        const answer = expectDone(await api.call({ method: "GET", path }), "the members of a room cannot be read");
        const visibility = (await state(roomId, "m.room.history_visibility", ""))?.["history_visibility"];
        const wanted = visibility === "joined" ? ["join"] : ["join", "invite"];
        const { chunk } = Members().parse(answer);
        return chunk.filter(({ content }) => wanted.includes(content.membership)).map(({ state_key }) => state_key);
      }),
    async isEncrypted(roomId) {
      const room = of(roomId);
      return (room.isEncrypted ??= (await state(roomId, "m.room.encryption", "")) !== undefined);
    },
    takeDirect(content) {
      const read = Direct().safeParse(content);
      direct = read.success ? read.data : {};
    },
    async addDirect(userId, roomId) {
      if (directRooms(userId).includes(roomId)) return;
      direct = { ...direct, [userId]: [...directRooms(userId), roomId] };
      const path = route`/client/v3/user/${us}/account_data/m.direct`;
      expectDone(await api.call({ method: "PUT", path, body: direct }), "a direct chat could not be noted");
    },
    takeName(roomId, event) {
      if (event.type !== "m.room.member" || event.state_key === undefined) return;
      setName(roomId, event.state_key, (event.content as { displayname?: unknown }).displayname);
    },
    takeChange(roomId, event) {
      const room = of(roomId);
      if (event.type === "m.room.member") {
        delete room.members;
        delete room.readers;
        if (event.state_key === us) delete room.isDirectByInvite;
      }
      if (event.type === "m.room.history_visibility") delete room.readers;
      if (event.type === "m.room.name") delete room.title;
      if (event.type === "m.room.encryption") room.isEncrypted = true;
    },
    forget: (roomId) => {
      const { isEncrypted } = of(roomId);
      known.set(roomId, isEncrypted ? { isEncrypted } : {});
    },
  };
}
