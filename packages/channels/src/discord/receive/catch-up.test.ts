// Messages that were missed: what is odd about one of them must not cost us the others.
import { expect, it } from "vitest";
import { createFakeHost } from "@chela/sdk/testing";
import type { DiscordApi } from "../api.ts";
import { catchUp } from "./catch-up.ts";
import type { Inbound } from "./inbound.ts";
import type { Places } from "../places.ts";
import type { Progress } from "./progress.ts";

it("missed messages are taken though one among them cannot be read", async () => {
  const message = (id: string) => ({
    id,
    channel_id: "300000000000000001",
    type: 0,
    timestamp: "2026-01-01T00:00:00Z",
    author: { id: "500000000000000001" },
    content: id,
  });
  const odd = { ...message("900000000000000002"), author: null };
  const taken: string[] = [];
  const done = Promise.withResolvers<void>();
  catchUp({
    api: {
      call: async () => [message("900000000000000003"), odd, message("900000000000000001")],
    } as unknown as DiscordApi,
    places: { find: async (id: string) => ({ id, type: 1 }) } as unknown as Places,
    progress: {
      lastRead: () => [{ channelId: "300000000000000001", messageId: "900000000000000000" }],
    } as unknown as Progress,
    inbound: {
      inLane: (_channelId: string, work: () => Promise<void>) => work().then(done.resolve, done.reject),
      takeMissed: async ({ id }: { id: string }) => void taken.push(id),
    } as unknown as Inbound,
    log: createFakeHost({ directory: "/nowhere" }).log,
  });
  await done.promise;
  expect(taken).toEqual(["900000000000000001", "900000000000000003"]);
});
