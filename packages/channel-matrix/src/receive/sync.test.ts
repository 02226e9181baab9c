// The sync loop when something goes wrong: one room costs no other its messages, and an end is always told.
import { describe, expect, it } from "vitest";
import type { Disconnect } from "@chela/sdk";
import { createFakeHost } from "@chela/sdk/testing";
import type { Api, ApiCall, ApiResult } from "../api.ts";
import type { Crypto } from "../crypto/crypto.ts";
import { startSync, type SyncParts } from "./sync.ts";
import type { RoomEvent } from "../wire.ts";

const done = (body: unknown): ApiResult => ({ kind: "done", body });
const refused = (status: number, code: string): ApiResult => ({ kind: "refused", status, code, why: code });
const said = (id: string): RoomEvent => ({
  type: "m.room.message",
  event_id: id,
  sender: "@alice:x.org",
  origin_server_ts: 1,
  content: { body: id },
});
const room = (id: string, limited = false) => ({ timeline: { events: [said(id)], limited, prev_batch: "before" } });

interface Scene {
  /** What the homeserver answers; the first sync, and then the others. */
  readonly syncs: readonly ApiResult[];
  readonly messages?: (roomId: string) => ApiResult;
  readonly retryWaiting?: () => Promise<void>;
  readonly crypto?: Crypto;
  readonly tokenRefused?: () => Promise<Disconnect>;
}

function stage(scene: Scene) {
  const host = createFakeHost({ directory: "/nowhere", memory: new Map([["since", "s0"]]) });
  const taken: string[] = [];
  const syncs = [...scene.syncs];
  const over = Promise.withResolvers<ApiResult>();
  const api = {
    call: async ({ path }: ApiCall): Promise<ApiResult> => {
      if (path.endsWith("/messages")) return scene.messages?.(decodeURIComponent(path)) ?? done({ chunk: [] });
      return syncs.shift() ?? over.promise;
    },
  } as unknown as Api;
  const parts = {
    host,
    api,
    crypto: scene.crypto,
    rooms: { takeName() {}, takeChange() {}, forget() {}, takeDirect() {} },
    inbound: {
      take: async (_roomId: string, events: readonly RoomEvent[]) => void taken.push(...events.map((e) => e.event_id)),
      retryWaiting: scene.retryWaiting ?? (async () => {}),
    },
    invites: { take: async () => {}, follow: async () => {} },
    waiting: { save: async () => {} },
    us: "@agent:x.org",
    tokenRefused: scene.tokenRefused ?? (async () => ({ why: "the token is over", isFinal: true })),
  } as unknown as SyncParts;
  return {
    host,
    parts,
    taken,
    end: () => over.resolve({ kind: "unreachable", why: "the end", mayHaveArrived: false }),
  };
}

describe("a sync", () => {
  it("goes on when the homeserver refuses to say what was missed in one room", async () => {
    const join = { "!broken:x.org": room("$broken", true), "!fine:x.org": room("$fine", true) };
    const { host, parts, taken, end } = stage({
      syncs: [done({ next_batch: "s1", rooms: { join } })],
      messages: (path) =>
        path.includes("!broken") ? refused(403, "M_FORBIDDEN") : done({ chunk: [said("$missed")], end: "before" }),
    });
    const syncing = await startSync(parts);
    end();
    expect((await syncing.ended).why).toBe("the end");
    expect(taken.toSorted()).toEqual(["$broken", "$fine", "$missed"]);
    expect(host.memory.get("since")).toBe("s1");
  });

  it("hands over what was said in rooms though an older message still cannot be written down, and comes again", async () => {
    const crypto = { takeSync: async () => ({ hasNewKeys: false }), flush: async () => {} } as unknown as Crypto;
    const { host, parts, taken } = stage({
      syncs: [done({ next_batch: "s1", rooms: { join: { "!fine:x.org": room("$fine") } } })],
      crypto,
      retryWaiting: () => Promise.reject(new Error("it cannot be written")),
    });
    const syncing = await startSync(parts);
    expect((await syncing.ended).why).toMatch(/asked for again/);
    expect(taken).toEqual(["$fine"]);
    expect(host.memory.get("since")).toBe("s0");
  });

  it("tells that it ended, and does not end the process, when a refused token cannot be forgotten", async () => {
    const { parts } = stage({
      syncs: [done({ next_batch: "s1" }), refused(401, "M_UNKNOWN_TOKEN")],
      tokenRefused: () => Promise.reject(new Error("the disk is full")),
    });
    const syncing = await startSync(parts);
    expect((await syncing.ended).why).not.toBe("");
    await syncing.stop();
  });

  it.each<[string, Disconnect, string]>([
    ["for good when there is only this token", { why: "over", isFinal: true }, "CHANNEL_AUTH"],
    ["for now when a new one is to be had with the password", { why: "over" }, "CHANNEL_OFFLINE"],
  ])("whose token is refused at once fails %s", async (_what, end, code) => {
    const { parts } = stage({ syncs: [refused(401, "M_UNKNOWN_TOKEN")], tokenRefused: async () => end });
    await expect(startSync(parts)).rejects.toMatchObject({ code });
  });
});
