// Takes up what was written while we were away, in every channel we are in or knew before.
import * as z from "zod";
import type { ChannelHost } from "@chela/sdk";
import type { MattermostApi } from "./api.ts";
import type { Inbound } from "./inbound.ts";
import { EVERYWHERE, type Notes } from "./notes.ts";
import { MattermostChannel, Post, Posts, type MattermostPost } from "./wire.ts";

export interface CatchUpNeeds {
  readonly api: MattermostApi;
  readonly host: ChannelHost;
  readonly notes: Notes;
  readonly inbound: Inbound;
  /** The notes as they were before anything newer came. */
  readonly before: ReadonlyMap<string, number>;
  isOver(): boolean;
}

const OLDEST_MS = 7 * 24 * 60 * 60_000;
const MOST_CHANNELS = 100;

/** False when something could not be read or written down. */
export async function catchUp(needs: CatchUpNeeds): Promise<boolean> {
  const { host, notes, before } = needs;
  if (before.size === 0) {
    // The first time everything that is there is old.
    notes.settled(EVERYWHERE, host.clock.now());
    return true;
  }
  try {
    for (const [channel, since] of await channelsToRead(needs)) {
      if (needs.isOver()) return true;
      await readChannel(channel, Math.max(since, host.clock.now() - OLDEST_MS), needs);
    }
    return true;
  } catch (error) {
    host.log.warn("mattermost: what came while we were away cannot be taken up", { error: String(error) });
    return false;
  }
}

/** With the server's list also those are found in which somebody wrote to us for the first time. */
async function channelsToRead({ api, before: known }: CatchUpNeeds): Promise<Array<readonly [string, number]>> {
  const everywhere = known.get(EVERYWHERE) ?? 0;
  const listed = await api.ask("GET", "/users/me/channels", z.array(MattermostChannel()));
  if (listed.kind === "failed") return [...known].filter(([id]) => id !== EVERYWHERE).slice(-MOST_CHANNELS);
  return listed.answer
    .filter(({ delete_at: gone }) => !gone)
    .map(({ id, last_post_at: last }) => ({ id, last: last ?? Infinity, since: known.get(id) ?? everywhere }))
    .filter(({ last, since }) => last > since)
    .sort((a, b) => b.last - a.last)
    .slice(0, MOST_CHANNELS)
    .map(({ id, since }) => [id, since] as const);
}

async function readChannel(channel: string, since: number, { api, host, inbound }: CatchUpNeeds): Promise<void> {
  const path = `/channels/${encodeURIComponent(channel)}/posts?since=${since}`;
  const asked = await api.ask("GET", path, Posts());
  if (asked.kind === "failed") {
    const { reason, why } = asked.failure;
    if (reason !== "unreachable" && reason !== "rejected") throw new Error(why);
    // A channel we were put out of cannot be read; others must not suffer for it.
    host.log.warn("mattermost: a channel could not be read", { channel, why });
    return;
  }
  const posts = Object.values(asked.answer.posts)
    .flatMap((post): MattermostPost[] => {
      const read = Post().safeParse(post);
      return read.success ? [read.data] : [];
    })
    .filter((post) => post.channel_id === channel && post.create_at > since && !post.delete_at)
    .sort((a, b) => a.create_at - b.create_at);
  for (const post of posts) await inbound.takePost(post);
}
