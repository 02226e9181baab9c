// Opens the store of files that come and go with messages.
import type { House } from "./house.ts";
import { Secret, type RunRecord } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import { createHttpFetch } from "@chela/sdk/http";
import { ChannelPayload } from "../rooms/delivery/room.ts";
import type { MessageBody } from "../flow/message-body.ts";
import { createMedia, mediaIdOf, type Media } from "../rooms/media/room.ts";

export type MediaRoomParts = Pick<House, "clock" | "ids" | "log" | "config" | "paths" | "ledger">;

const MOST_PENDING = 100_000;
const SWEEP_EVERY_MS = 60 * 60_000;

export function openMedia(house: MediaRoomParts): Media {
  const { clock, config, ledger, log } = house;
  const media = createMedia(house, {
    fetch: createHttpFetch(),
    environment: process.env,
    preservesNames: () => config.current().media?.preserveFilenames ?? false,
    keeping() {
      const { ttlHours } = config.current().media ?? {};
      const ms = (ttlHours ?? 0) * 3_600_000;
      return ms > 0 ? { inboundMs: ms, outboundMs: ms } : {};
    },
    async inUse() {
      const waiting = await ledger.outbox("pending", MOST_PENDING);
      const unanswered = await ledger.unfinishedRuns();
      const sent = waiting.flatMap(({ payload }) => {
        const { data } = ChannelPayload().safeParse(payload);
        const id = data?.content.kind === "media" ? mediaIdOf(data.content.media.path) : undefined;
        return id === undefined ? [] : [id];
      });
      return new Set([...sent, ...unanswered.flatMap(keptIds)]);
    },
    async access({ provider }) {
      const { apiKey, baseUrl } = config.current().models?.providers?.[provider] ?? {};
      const key = typeof apiKey === "string" ? apiKey : config.effectiveEnv()[`${provider.toUpperCase()}_API_KEY`];
      return key ? { apiKey: new Secret(key), ...(baseUrl ? { baseUrl } : {}) } : undefined;
    },
  });
  every(clock, SWEEP_EVERY_MS, async () => {
    await media
      .sweep(clock.now())
      .catch((error: unknown) => log.warn("old files stay for now", { error: String(error) }));
  });
  return media;
}

/** Files that a message brought with it, and that nobody can fetch again. */
function keptIds({ message }: RunRecord): string[] {
  const { media = [] } = message.body as Partial<MessageBody>;
  return media.flatMap(({ isKept, ref }) => (isKept ? [ref] : []));
}
