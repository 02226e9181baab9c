// Fetches updates. The place to go on from lies with Telegram, and is moved only past what is on the disk.
import { pause, type ChannelHost, type Disconnect } from "@chela/sdk";
import { failureOf, type NotDone, type TelegramApi } from "./api.ts";
import type { ReadUpdate, UpdateReader } from "./inbound-updates.ts";
import { WANTED_UPDATES } from "./update-schema.ts";

const WAIT_SECONDS = 25;
/** Telegram answers after `WAIT_SECONDS` at the latest; later the connection is dead. */
const GIVE_UP_AFTER_MS = 40_000;
const RETRY_AFTER_MS = 2_000;
/** A server that does not wait must not be asked without a pause. */
const AT_ONCE_MS = 100;
const MAX_PAUSE_MS = 45_000;

export interface Polling {
  readonly ended: Promise<Disconnect>;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

export function startPolling(host: ChannelHost, api: TelegramApi, read: UpdateReader): Polling {
  const stopped = new AbortController();
  const ended = Promise.withResolvers<Disconnect>();
  const rest = (ms: number): Promise<void> => pause(host.clock, ms, stopped.signal);

  const poll = async (): Promise<Disconnect | undefined> => {
    const place = createPlace();
    while (!stopped.signal.aborted) {
      const asked = host.clock.steady();
      const fetched = await api.call(
        "getUpdates",
        { ...place.offset(), timeout: WAIT_SECONDS, allowed_updates: WANTED_UPDATES },
        { timeoutMs: GIVE_UP_AFTER_MS, signal: stopped.signal },
      );
      if (stopped.signal.aborted) return undefined;
      if (fetched.kind === "done") {
        host.alive();
        const isAllTaken = await takeBatch(fetched.result, read, place, host);
        if (!isAllTaken) await rest(RETRY_AFTER_MS);
        else if (fetched.result.length === 0 && host.clock.steady() - asked < AT_ONCE_MS) await rest(AT_ONCE_MS);
      } else if (failureOf(fetched) === "rate-limited") {
        host.alive();
        await rest(Math.min(retryAfter(fetched), MAX_PAUSE_MS));
      } else return disconnectOf(fetched);
    }
    return undefined;
  };
  const done = poll().then(
    (disconnect) => disconnect && ended.resolve(disconnect),
    () => ended.resolve({ why: "fetching messages failed in a way nobody foresaw" }),
  );
  return {
    ended: ended.promise,
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

/** How many updates Telegram hands out at once: what comes after them waits until the first are behind us. */
const WINDOW = 100;
const MOST_TRIES = 20;

/** How far updates were taken, and which of the later ones already are. */
interface Place {
  offset(): { offset?: number };
  isTaken(updateId: number): boolean;
  taken(updateId: number): void;
  /** It could not be written down, and is tried again. */
  failed(updateId: number): void;
  /** The first update that is open, if it failed again and again while others were written down. */
  hopeless(updateIds: readonly number[]): number | undefined;
  passOver(updateId: number): void;
  /** Everything up to the first update that was not taken is behind us. */
  move(updateIds: readonly number[]): void;
}

function createPlace(): Place {
  const done = new Set<number>();
  /** How often an update failed, and how many others had been written down when it did for the first time. */
  const failures = new Map<number, { readonly tries: number; readonly writtenBefore: number }>();
  let written = 0;
  let next: number | undefined;
  return {
    offset: () => (next === undefined ? {} : { offset: next }),
    isTaken: (updateId) => done.has(updateId),
    taken(updateId) {
      done.add(updateId);
      failures.delete(updateId);
      written += 1;
    },
    failed(updateId) {
      const { tries, writtenBefore } = failures.get(updateId) ?? { tries: 0, writtenBefore: written };
      failures.set(updateId, { tries: tries + 1, writtenBefore });
    },
    hopeless(updateIds) {
      const first = Math.min(...updateIds.filter((updateId) => !done.has(updateId)));
      const { tries, writtenBefore } = failures.get(first) ?? { tries: 0, writtenBefore: written };
      return tries >= MOST_TRIES && written > writtenBefore ? first : undefined;
    },
    passOver(updateId) {
      done.add(updateId);
      failures.delete(updateId);
    },
    move(updateIds) {
      const open = updateIds.filter((updateId) => !done.has(updateId));
      const last = updateIds.length > 0 ? Math.max(...updateIds) + 1 : undefined;
      next = open.length > 0 ? Math.min(...open) : (last ?? next);
      for (const updateId of done) if (next !== undefined && updateId < next) done.delete(updateId);
    },
  };
}

interface Fetched {
  readonly update_id: number;
}

/** Different chats do not wait for each other; after a failure the rest of that chat waits for the next attempt. */
async function takeBatch(
  updates: readonly Fetched[],
  read: UpdateReader,
  place: Place,
  host: ChannelHost,
): Promise<boolean> {
  const fresh = updates.filter(({ update_id }) => !place.isTaken(update_id));
  const chats = Map.groupBy(
    fresh.map((update) => ({ id: update.update_id, update: read(update) })),
    ({ update }) => update.chatId,
  );
  const results = await Promise.all([...chats.values()].map((chat) => takeInOrder(chat, place, host)));
  const updateIds = updates.map(({ update_id }) => update_id);
  const hopeless = updates.length >= WINDOW ? place.hopeless(updateIds) : undefined;
  if (hopeless !== undefined) {
    host.log.error("an update was given up: it cannot be written down, and all others wait behind it", {
      update: hopeless,
    });
    place.passOver(hopeless);
  }
  place.move(updateIds);
  return results.every(Boolean);
}

async function takeInOrder(
  updates: ReadonlyArray<{ id: number; update: ReadUpdate }>,
  place: Place,
  host: ChannelHost,
): Promise<boolean> {
  for (const { id, update } of updates) {
    try {
      await update.take();
    } catch (error) {
      host.log.warn("an update could not be written down and will be fetched again", { update: id, error });
      place.failed(id);
      return false;
    }
    place.taken(id);
  }
  return true;
}

function disconnectOf(failed: NotDone): Disconnect {
  const why = `Telegram did not hand out messages: ${failed.why}`;
  if (failed.kind === "refused" && failed.code === 409) return { why, isConflict: true };
  return failureOf(failed) === "unauthorised" ? { why, isFinal: true } : { why };
}

function retryAfter(failed: NotDone): number {
  return failed.kind === "refused" ? (failed.retryAfterMs ?? RETRY_AFTER_MS) : RETRY_AFTER_MS;
}
