// Messages whose keys come late: nothing is lost, and nothing is handed over twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import type { Api } from "../api.ts";
import type { Crypto } from "../crypto/crypto.ts";
import { createInbound, type Inbound } from "./inbound.ts";
import { createOriginals } from "./originals.ts";
import type { Rooms } from "../rooms.ts";
import { openWaiting, type Waiting } from "./waiting.ts";
import type { RoomEvent } from "../wire.ts";

let directory: string;
let host: FakeHost;
let keys: Set<string>;
let waiting: Waiting;
let inbound: Inbound;

const unreachable: Api = {
  call: async () => ({ kind: "unreachable", why: "nobody", mayHaveArrived: false }),
  stream: async () => ({ kind: "unreachable", why: "nobody", mayHaveArrived: false }),
  authorise: () => {},
  close: () => {},
};
const encrypted = (id: string): RoomEvent => ({
  type: "m.room.encrypted",
  event_id: id,
  sender: "@alice:x.org",
  origin_server_ts: Date.now(),
  content: { ciphertext: id },
});
const texts = (): string[] =>
  host.events.map(({ content }) => (content.kind === "message" ? content.text : content.kind));

async function open(): Promise<void> {
  host = createFakeHost({ directory });
  waiting = await openWaiting(host);
  const crypto = {
    decrypt: async (_room: string, event: RoomEvent) =>
      keys.has(event.event_id)
        ? { kind: "clear", event: { ...event, type: "m.room.message", content: { body: `text of ${event.event_id}` } } }
        : { kind: "waiting" },
  } as unknown as Crypto;
  const rooms = { view: async (id: string) => ({ id }), nameOf: () => undefined } as unknown as Rooms;
  const direct = { note: async () => {}, find: async () => ({ kind: "found", roomId: "!r:x.org" }) as const };
  const originals = createOriginals(unreachable, crypto);
  const us = "@agent:x.org";
  inbound = createInbound({
    host,
    api: unreachable,
    crypto,
    rooms,
    direct,
    originals,
    waiting,
    us,
    threadReplies: "off",
  });
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "chela-inbound-"));
  keys = new Set();
  await open();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("hands a message over when its key comes, also after a restart", async () => {
  await inbound.take("!r:x.org", [encrypted("$a"), encrypted("$b")]);
  await waiting.save();
  keys.add("$b");
  await inbound.retryWaiting();
  await waiting.save();
  expect(texts()).toEqual(["text of $b"]);
  await open();
  keys.add("$a");
  await inbound.retryWaiting();
  await waiting.save();
  expect(texts()).toEqual(["text of $a"]);
  await inbound.retryWaiting();
  expect(texts()).toEqual(["text of $a"]);
});

it("keeps what could not be written down", async () => {
  await inbound.take("!r:x.org", [encrypted("$a")]);
  keys.add("$a");
  host.answer(async () => {
    throw new Error("the disk is full");
  });
  await expect(inbound.retryWaiting()).rejects.toThrow("full");
  host.answer(async () => ({ kind: "accepted" }));
  await inbound.retryWaiting();
  expect(texts()).toEqual(["text of $a", "text of $a"]);
});

it("goes on with the next message when one cannot be written down", async () => {
  await inbound.take("!r:x.org", [encrypted("$a"), encrypted("$b")]);
  keys.add("$a").add("$b");
  host.answer(async ({ id }) => {
    if (id === "$a") throw new Error("it cannot be written");
    return { kind: "accepted" };
  });
  await expect(inbound.retryWaiting()).rejects.toThrow("cannot be written");
  expect((await host.next()).id).toBe("$b");
});

it("tells nothing of a message to somebody who names it in another room", async () => {
  const clear = (id: string, content: Record<string, unknown>): RoomEvent => ({
    ...encrypted(id),
    type: "m.room.message",
    content,
  });
  await inbound.take("!secret:x.org", [clear("$secret", { body: "the secret" })]);
  const answer = clear("$b", { body: "what is this?", "m.relates_to": { "m.in_reply_to": { event_id: "$secret" } } });
  await inbound.take("!public:x.org", [answer]);
  const { content } = await host.next(({ id }) => id === "$b");
  expect(content).toMatchObject({ replyTo: { id: "$secret", isOurs: false } });
  expect(JSON.stringify(content)).not.toContain("the secret");
});
