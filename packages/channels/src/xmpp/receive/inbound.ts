// Hands events to the gateway, those of one chat in order, and notes how far each archive was read without a gap.
import * as z from "zod";
import { once, type ChannelEvent, type ChannelHost, OneAtATime } from "@chela/sdk";
import { Noted, RecentIds, recallAs, UnderWay } from "@chela/sdk/channel-kit";

/** The last message of an archive before which nothing is missing; `id` is "" where there is none yet. */
export interface Cursor {
  readonly id: string;
  readonly at: number;
}

export interface Delivery {
  /** A room, or our own address. */
  readonly archive: string;
  readonly cursor: Cursor | undefined;
  readonly events: readonly ChannelEvent[];
}

export interface Inbound {
  /** What comes now; waits while older messages are fetched. `release` is called when all of it is on the disk. */
  take(delivery: Delivery, release: () => void): void;
  /** What was fetched. Rejects when it cannot be written. */
  takeArchived(delivery: Delivery): Promise<void>;
  cursorOf(archive: string): Promise<Cursor | undefined>;
  setCursor(archive: string, cursor: Cursor): Promise<void>;
  /** From now on messages of this archive wait for older ones that are still to be fetched; so it is at the start. */
  holdBack(archive: string): void;
  caughtUp(archive: string): void;
  close(): Promise<void>;
}

const StoredCursor = once(() => z.object({ id: z.string(), at: z.number() }));
const NOTE_EVERY_MS = 1000;
const MOST_SEEN = 2000;
const MOST_HELD = 1000;

interface Entry {
  readonly cursor: Cursor | undefined;
  isDone: boolean;
}

interface Progress {
  /** In the order they came; what is done at the front is behind us. */
  readonly entries: Entry[];
  /** Until older messages are here. */
  held: Array<() => void> | undefined;
  cursor: Cursor | undefined;
  readonly noted: Noted;
}

export function createInbound(host: ChannelHost, giveUp: (why: string) => void): Inbound {
  const chats = new OneAtATime();
  const archives = new Map<string, Progress>();
  const seen = new RecentIds(MOST_SEEN);
  const underWay = new UnderWay();
  let hasFailed = false;

  const progressOf = (archive: string): Progress => {
    const known = archives.get(archive);
    if (known) return known;
    const progress: Progress = {
      entries: [],
      held: [],
      cursor: undefined,
      noted: new Noted(host, {
        name: nameOf(archive),
        afterMs: NOTE_EVERY_MS,
        read: () => progress.cursor && JSON.stringify(progress.cursor),
      }),
    };
    archives.set(archive, progress);
    return progress;
  };
  const settle = (progress: Progress, entry: Entry): void => {
    entry.isDone = true;
    while (progress.entries[0]?.isDone) {
      const { cursor } = progress.entries.shift() as Entry;
      if (!cursor) continue;
      progress.cursor = cursor;
      progress.noted.changed();
    }
  };
  const receive = async (events: readonly ChannelEvent[]): Promise<void> => {
    for (const event of events) {
      if (seen.has(event.id)) continue;
      await host.receive(event);
      seen.add(event.id);
    }
  };
  const run = async ({ archive, cursor, events }: Delivery): Promise<void> => {
    const progress = progressOf(archive);
    const entry: Entry = { cursor, isDone: false };
    progress.entries.push(entry);
    if (hasFailed) throw new Error("an earlier message could not be written down");
    await chats.run(events[0]?.chat.id ?? archive, () => receive(events));
    settle(progress, entry);
  };
  const runNow = (delivery: Delivery, release: () => void): void => {
    const running = run(delivery)
      .then(release)
      .catch((error: unknown) => {
        if (hasFailed) return;
        hasFailed = true;
        host.log.warn("a message could not be written down; it is asked for again", { error: String(error) });
        giveUp("messages cannot be written down");
      });
    void underWay.add(running);
  };

  return {
    take(delivery, release) {
      const { held } = progressOf(delivery.archive);
      if (!held) return runNow(delivery, release);
      held.push(() => runNow(delivery, release));
      if (held.length > MOST_HELD) giveUp("too many messages wait for older ones");
    },
    takeArchived: run,
    async cursorOf(archive) {
      const { cursor } = progressOf(archive);
      return cursor ?? recallAs(host, nameOf(archive), StoredCursor);
    },
    async setCursor(archive, cursor) {
      progressOf(archive).cursor = cursor;
      await host.remember(nameOf(archive), JSON.stringify(cursor));
    },
    holdBack(archive) {
      progressOf(archive).held ??= [];
    },
    caughtUp(archive) {
      const progress = progressOf(archive);
      const held = progress.held ?? [];
      progress.held = undefined;
      for (const start of held) start();
    },
    async close() {
      await underWay.idle();
      for (const { noted } of archives.values()) await noted.save();
    },
  };
}

const nameOf = (archive: string): string => `archive:${archive}`;
