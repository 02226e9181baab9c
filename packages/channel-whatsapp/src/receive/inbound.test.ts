// The moment between decryption and receipt: what is written down then, and what happens when it cannot be.
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as library from "baileys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { InboxJournal } from "./inbox-journal.ts";
import { Inbound } from "./inbound.ts";
import { RecentMessages } from "./recent-messages.ts";

let directory: string;
let host: FakeHost;
let journal: InboxJournal;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "chela-inbound-"));
  host = createFakeHost({ directory });
  journal = new InboxJournal(join(directory, "inbox.jsonl"));
});
afterEach(() => {
  journal.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The few parts of a connection that are used, and the calls the library makes in this order. */
function openInbound(options: { since?: number; fail?: () => void } = {}) {
  const ws = new EventEmitter();
  const ev = new EventEmitter();
  const cached: string[] = [];
  const readReceipts: string[] = [];
  const cache = { addRecentMessage: (_chat: string, id: string, _message: unknown): void => void cached.push(id) };
  const socket = {
    ws,
    ev,
    user: { id: "15550000000:1@s.whatsapp.net", lid: "777000777:1@lid" },
    messageRetryManager: cache,
    signalRepository: { lidMapping: { getPNForLID: async () => "15557654321@s.whatsapp.net" } },
    readMessages: async ([key]: Array<{ id: string }>) => void readReceipts.push(key?.id ?? ""),
  };
  const inbound = new Inbound({
    library,
    socket: socket as unknown as library.WASocket,
    host,
    journal,
    recent: new RecentMessages(),
    since: options.since ?? 0,
    sendsReadReceipts: true,
    us: () => ({ jids: ["15550000000@s.whatsapp.net", "777000777@lid"], takesSelfChat: false }),
    fail: options.fail ?? (() => {}),
  });
  inbound.begin();
  const arrive = (attrs: Record<string, string>, message: library.proto.IMessage): void => {
    const stanza = { from: "15551234567@s.whatsapp.net", t: "1760000000", notify: "Ada", ...attrs };
    ws.emit("CB:message", { tag: "message", attrs: stanza });
    cache.addRecentMessage(stanza.from, attrs.id ?? "", library.proto.Message.fromObject(message));
  };
  return { inbound, arrive, ev, cached, readReceipts };
}

const idsOf = (): string[] => journal.waiting.map(({ key }) => key.id);

describe("a message that was decrypted", () => {
  it("is in the journal before the library can tell WhatsApp so", async () => {
    const { arrive, cached } = openInbound();
    arrive({ id: "3A01" }, { conversation: "hi" });
    expect(idsOf()).toEqual(["3A01"]);
    expect(cached).toEqual(["3A01"]);
    await host.next();
  });

  it("ends the connection when it cannot be written down, and is not handed on", () => {
    let isFailed = false;
    const { arrive } = openInbound({ fail: () => (isFailed = true) });
    journal.close();
    arrive({ id: "3A01" }, { conversation: "hi" });
    expect(isFailed).toBe(true);
    expect(host.events).toEqual([]);
  });

  it("is handed on once, though the library tells of it a second time", async () => {
    const { arrive, ev } = openInbound();
    arrive({ id: "3A01" }, { conversation: "hi" });
    const key = { remoteJid: "15551234567@s.whatsapp.net", id: "3A01", fromMe: false };
    ev.emit("messages.upsert", {
      type: "notify",
      messages: [{ key, messageTimestamp: 1, message: { conversation: "hi" } }],
    });
    await host.next();
    arrive({ id: "3A02" }, { conversation: "next" });
    await host.next();
    expect(host.events.map(({ messageId }) => messageId)).toEqual(["3A01", "3A02"]);
  });

  it("is also taken when it comes by the late way only", async () => {
    const { ev } = openInbound();
    const key = { remoteJid: "15551234567@s.whatsapp.net", id: "3A09", fromMe: false };
    ev.emit("messages.upsert", {
      type: "notify",
      messages: [{ key, messageTimestamp: 1, message: { conversation: "late" } }],
    });
    expect((await host.next()).content).toMatchObject({ text: "late" });
  });

  it("of somebody hidden gets the number that is known from before", async () => {
    const { arrive } = openInbound();
    arrive({ id: "3A01", from: "888000888@lid" }, { conversation: "hi" });
    expect((await host.next()).sender).toMatchObject({ id: "+15557654321", otherIds: ["lid:888000888"] });
  });

  it.each([
    ["our own", { id: "3A01", from: "15550000000@s.whatsapp.net", recipient: "15551234567@s.whatsapp.net" }],
    ["for our other devices", { id: "3A01", category: "peer" }],
    ["older than the link", { id: "3A01", t: "1" }],
  ])("and is %s is not kept", (_why, attrs) => {
    const { arrive } = openInbound({ since: 1_759_000_000_000 });
    arrive(attrs, { conversation: "hi" });
    expect(idsOf()).toEqual([]);
  });

  it("is shown as read once it is accepted, and not when it is not", async () => {
    const { arrive, readReceipts } = openInbound();
    host.answer(async ({ messageId }) =>
      messageId === "3A01" ? { kind: "settled", why: "a stranger" } : { kind: "accepted" },
    );
    for (const id of ["3A01", "3A02", "3A03"]) arrive({ id }, { conversation: id });
    await host.next(({ messageId }) => messageId === "3A03");
    expect(readReceipts).toEqual(["3A02"]);
  });

  it("and that nobody can read is passed over, and does not hold up the next one", async () => {
    const { arrive, ev } = openInbound();
    // A reaction to nothing: the library takes it for granted that it names a message.
    arrive({ id: "3A01" }, { reactionMessage: { text: "!" } });
    const key = { remoteJid: "15551234567@s.whatsapp.net", id: "3A02", fromMe: false };
    const late = [{ key, messageTimestamp: 1, message: { reactionMessage: { text: "!" } } }];
    ev.emit("messages.upsert", { type: "notify", messages: late });
    arrive({ id: "3A03" }, { conversation: "hi" });
    expect((await host.next()).messageId).toBe("3A03");
    expect(idsOf()).not.toContain("3A01");
  });
});

describe("a message that is left in the journal", () => {
  const kept = (id: string, message: string) => ({
    id: `15551234567@s.whatsapp.net//${id}`,
    key: { remoteJid: "15551234567@s.whatsapp.net", id },
    at: 1_760_000_000,
    message,
  });

  it("and cannot be read any more is let go, and does not end the process or hold up the next one", async () => {
    journal.keep(kept("3A01", Buffer.from([0xff, 0xff, 0xff]).toString("base64")));
    const good = library.proto.Message.encode({ conversation: "still here" }).finish();
    journal.keep(kept("3A02", Buffer.from(good).toString("base64")));
    openInbound();
    expect((await host.next()).content).toMatchObject({ text: "still here" });
    expect(idsOf()).not.toContain("3A01");
  });
});
