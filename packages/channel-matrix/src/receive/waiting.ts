// Encrypted messages whose keys have not come yet: they are on the disk before their sync is acknowledged.
import { join } from "node:path";
import * as z from "zod";
import { once, type ChannelHost } from "@chela/sdk";
import { readIfThere, writePrivateFile } from "@chela/sdk/channel-kit";
import { RoomEvent } from "../wire.ts";

interface WaitingEvent {
  readonly roomId: string;
  readonly event: RoomEvent;
}

export interface Waiting {
  add(one: WaitingEvent): void;
  /** Tries each again; those that `take` says are done with are forgotten. Rejects in the end when one of them failed. */
  retry(take: (one: WaitingEvent) => Promise<"done" | "still waiting">): Promise<void>;
  /** What was added or forgotten is on the disk when this resolves. */
  save(): Promise<void>;
}

const Kept = once(() => z.array(z.object({ roomId: z.string(), event: RoomEvent() })));
const MAX_KEPT = 500;
const MAX_AGE_MS = 7 * 24 * 3_600_000;

export async function openWaiting(host: ChannelHost): Promise<Waiting> {
  const path = join(host.directory, "waiting.json");
  let events = await readKept(path, host);
  let isChanged = false;
  return {
    add(one) {
      if (events.some(({ event }) => event.event_id === one.event.event_id)) return;
      events = [...events, one].slice(-MAX_KEPT);
      isChanged = true;
    },
    async retry(take) {
      const oldest = host.clock.now() - MAX_AGE_MS;
      const failed: unknown[] = [];
      for (const one of events) {
        try {
          const isOver = one.event.origin_server_ts < oldest || (await take(one)) === "done";
          if (!isOver) continue;
          events = events.filter((other) => other !== one);
          isChanged = true;
        } catch (error) {
          failed.push(error);
        }
      }
      if (failed.length > 0) throw failed[0];
    },
    async save() {
      if (!isChanged) return;
      await writePrivateFile(path, JSON.stringify(events));
      isChanged = false;
    },
  };
}

async function readKept(path: string, host: ChannelHost): Promise<WaitingEvent[]> {
  const written = await readIfThere(path);
  if (!written) return [];
  try {
    return Kept().parse(JSON.parse(written.toString("utf8")));
  } catch {
    host.log.warn("messages that waited for their keys cannot be read any more", { path });
    return [];
  }
}
