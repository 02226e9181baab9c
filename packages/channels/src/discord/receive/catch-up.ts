// Reads what was said while nobody listened, in the channels where somebody spoke lately.
import * as z from "zod";
import type { Logger } from "@chela/sdk";
import type { DiscordApi } from "../api.ts";
import { failureOf } from "../failure.ts";
import type { Inbound } from "./inbound.ts";
import { Message } from "./payload.ts";
import type { Places } from "../places.ts";
import type { Progress } from "./progress.ts";

const MOST_PER_CHANNEL = 50;

export interface CatchUpParts {
  readonly api: DiscordApi;
  readonly inbound: Inbound;
  readonly places: Places;
  readonly progress: Progress;
  readonly log: Logger;
}

/** Each channel's lane is taken at once, so that what is said now waits for what was said before. */
export function catchUp(parts: CatchUpParts): void {
  for (const { channelId, messageId } of parts.progress.lastRead()) {
    void parts.inbound.inLane(channelId, () => readMissed(parts, channelId, messageId));
  }
}

/** Rejects when Discord cannot be reached or what it says cannot be taken in: it is tried again then. */
async function readMissed(
  { api, inbound, places, log }: CatchUpParts,
  channelId: string,
  after: string,
): Promise<void> {
  let answer: unknown;
  try {
    answer = await api.call("GET", `/channels/${channelId}/messages`, { query: { after, limit: MOST_PER_CHANNEL } });
  } catch (error) {
    const { reason, why } = failureOf(error);
    if (reason !== "unreachable" && reason !== "rejected") throw error;
    log.debug("missed messages of a channel cannot be read", { channelId, why });
    return;
  }
  // Each by itself: one that cannot be read must not cost us the others.
  const listed = z.array(z.unknown()).safeParse(answer).data ?? [];
  const missed = listed.flatMap((one) => Message().safeParse(one).data ?? []);
  if (missed.length === 0) return;
  const { guildId } = await places.find(channelId);
  for (const message of missed.sort((one, other) => compareIds(one.id, other.id))) {
    await inbound.takeMissed(message, guildId);
  }
}

function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
