// The sync loop: a batch of news is acknowledged, by asking for the next one, only after all of it was taken.
import { defined } from "@chela/sdk/base";
import { pause, GatewayError, type ChannelHost, type Disconnect } from "@chela/sdk";
import type { Api, ApiResult } from "../api.ts";
import { readGap, sinceOurArrival } from "./catch-up.ts";
import type { Crypto } from "../crypto/crypto.ts";
import { isSoftLogout, isTokenRefused, toError } from "../failures.ts";
import type { Inbound } from "./inbound.ts";
import type { Invites } from "./invites.ts";
import type { Rooms } from "../rooms.ts";
import type { Waiting } from "./waiting.ts";
import { readEvents, StateEvent, SyncAnswer, type JoinedRoom, type RoomEvent } from "../wire.ts";

export interface SyncParts {
  readonly host: ChannelHost;
  readonly api: Api;
  readonly crypto: Crypto | undefined;
  readonly rooms: Rooms;
  readonly inbound: Inbound;
  readonly invites: Invites;
  readonly waiting: Waiting;
  readonly us: string;
  /** The token is of no use any more. */
  tokenRefused(isSoft: boolean): Promise<Disconnect>;
}

export interface Syncing {
  readonly ended: Promise<Disconnect>;
  stop(): Promise<void>;
}

const SINCE = "since";
const POLL_MS = 25_000;
const ANSWER_MS = 50_000;
const BUSY_WAIT_MS = 5_000;
const MAX_BUSY_WAIT_MS = 30_000;

const TIMELINE_TYPES = [
  "m.room.message",
  "m.room.encrypted",
  "m.sticker",
  "m.reaction",
  "m.room.redaction",
  "m.room.member",
  "m.room.name",
  "m.room.encryption",
  "m.room.history_visibility",
  "m.poll.start",
  "m.poll.response",
  "org.matrix.msc3381.poll.start",
  "org.matrix.msc3381.poll.response",
];

const filterWith = (limit: number): string =>
  JSON.stringify({
    presence: { not_types: ["*"] },
    account_data: { types: ["m.direct"] },
    room: {
      account_data: { not_types: ["*"] },
      ephemeral: { not_types: ["*"] },
      // The members who wrote come along each time: that is how their names are known.
      state: {
        types: ["m.room.member", "m.room.encryption"],
        lazy_load_members: true,
        include_redundant_members: true,
      },
      timeline: { types: TIMELINE_TYPES, limit, lazy_load_members: true },
    },
  });

/** Resolves when the first answer has come; rejects when there is none. */
export async function startSync(parts: SyncParts): Promise<Syncing> {
  const { api, host } = parts;
  const stopping = new AbortController();
  const ask = (since: string | undefined, isFirst: boolean): Promise<ApiResult> =>
    api.call({
      method: "GET",
      path: "/client/v3/sync",
      query: {
        since,
        timeout: String(isFirst ? 0 : POLL_MS),
        filter: filterWith(since === undefined ? 1 : 50),
        set_presence: "online",
      },
      timeoutMs: ANSWER_MS,
      signal: stopping.signal,
    });

  let since = await host.recall(SINCE);
  let first = await ask(since, true);
  if (since !== undefined && isUnknownPosition(first)) {
    host.log.warn("the homeserver does not know any more how far messages were read; beginning at the newest");
    since = undefined;
    first = await ask(since, true);
  }
  if (first.kind !== "done") {
    const end = isTokenRefused(first) ? await parts.tokenRefused(isSoftLogout(first)) : undefined;
    // With the password a new token is to be had at the next start.
    if (end && !end.isFinal) throw new GatewayError("CHANNEL_OFFLINE", end.why);
    throw toError(first, "the first sync failed");
  }
  host.alive();
  const over = run(parts, ask, since, first, stopping.signal).catch((error: unknown): Disconnect => {
    host.log.error("the sync ended in a way nobody foresaw", { error: String(error) });
    return { why: "the sync ended in a way nobody foresaw" };
  });
  const ended = Promise.withResolvers<Disconnect>();
  // Whoever stopped it does not want to hear that it ended.
  void over.then((disconnect) => !stopping.signal.aborted && ended.resolve(disconnect));
  return {
    ended: ended.promise,
    async stop() {
      stopping.abort();
      await over;
    },
  };
}

function isUnknownPosition(result: ApiResult): boolean {
  return result.kind === "refused" && result.status === 400;
}

async function run(
  parts: SyncParts,
  ask: (since: string | undefined, isFirst: boolean) => Promise<ApiResult>,
  from: string | undefined,
  first: ApiResult,
  stopping: AbortSignal,
): Promise<Disconnect> {
  const { host } = parts;
  let since = from;
  let result = first;
  while (!stopping.aborted) {
    if (result.kind === "done") {
      host.alive();
      const read = SyncAnswer().safeParse(result.body);
      if (!read.success) return { why: "the homeserver does not answer as Matrix does" };
      try {
        await takeSync(parts, read.data, since, result === first);
      } catch (error) {
        host.log.error("news could not be taken; they are asked for again", { error: String(error) });
        return { why: "a message could not be written down or looked up; it is asked for again" };
      }
      if (stopping.aborted) break;
      since = read.data.next_batch;
    } else if (isTokenRefused(result)) {
      return parts.tokenRefused(isSoftLogout(result));
    } else if (result.kind === "refused" && result.status === 429) {
      host.alive();
      await pause(host.clock, Math.min(result.retryAfterMs ?? BUSY_WAIT_MS, MAX_BUSY_WAIT_MS), stopping);
    } else {
      return { why: result.why };
    }
    result = await ask(since, false);
  }
  return { why: "it was closed" };
}

async function takeSync(
  parts: SyncParts,
  sync: SyncAnswer,
  since: string | undefined,
  isFirst: boolean,
): Promise<void> {
  const { host, crypto, rooms, inbound, invites, waiting } = parts;
  const keys = await crypto?.takeSync(sync);
  void crypto?.flush();
  for (const raw of sync.account_data?.events ?? []) {
    const { type, content } = (raw ?? {}) as { type?: unknown; content?: unknown };
    if (type === "m.direct") rooms.takeDirect(content);
  }
  await invites.take(sync);
  // At the start, too: the last process may have got the keys and died before it could use them.
  const late = keys?.hasNewKeys || (crypto && isFirst) ? await Promise.allSettled([inbound.retryWaiting()]) : [];
  const joined = Object.entries(sync.rooms?.join ?? {});
  const fresh = await Promise.allSettled(joined.map(([roomId, room]) => takeRoom(parts, roomId, room, since)));
  // All were tried before one that failed ends it: nobody waits for somebody else's message.
  const taken = [...late, ...fresh];
  await waiting.save();
  const failed = taken.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  await host.remember(SINCE, sync.next_batch);
  void invites.follow();
}

async function takeRoom(parts: SyncParts, roomId: string, room: JoinedRoom, since: string | undefined): Promise<void> {
  const { rooms, api, us, inbound, crypto } = parts;
  for (const raw of room.state?.events ?? []) {
    const read = StateEvent().safeParse(raw);
    if (read.success) rooms.takeName(roomId, read.data);
  }
  const timeline = readEvents(room.timeline?.events ?? []);
  // At the very first sync there is no "since we were away": what is old stays old.
  const isGap = room.timeline?.limited === true && room.timeline.prev_batch !== undefined && since !== undefined;
  if (room.timeline?.limited) rooms.forget(roomId);
  const arrived = sinceOurArrival(timeline, us).length < timeline.length;
  const missed = isGap && !arrived ? await readGap(api, roomId, room.timeline?.prev_batch ?? "", since, us) : [];
  const events: readonly RoomEvent[] = [...missed, ...timeline];
  for (const event of events) {
    rooms.takeName(roomId, withStateKey(event));
    if (event.state_key !== undefined) rooms.takeChange(roomId, event);
  }
  const isEncrypted = [...(room.state?.events ?? []), ...events].some(
    (event) => (event as { type?: unknown } | null)?.type === "m.room.encryption",
  );
  if (isEncrypted) await crypto?.rememberEncrypted(roomId);
  if (since !== undefined) await inbound.take(roomId, sinceOurArrival(events, us));
}

function withStateKey({ type, content, state_key }: RoomEvent) {
  return { type, content, ...defined({ state_key }) };
}
