// What WhatsApp can do besides the contract, as far as a server we did not write shows it.
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelConnection, OutboundMessage } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { channel } from "../src/channel.ts";
import { PERSON, startCrabline, type Crabline } from "./crabline.test-support.ts";

const TO = { to: `+${PERSON}` };
const GROUP = "120363001234567890@g.us";
const never = new AbortController().signal;
const text = (key: string, markdown: string, more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  key,
  target: TO,
  content: { kind: "text", markdown },
  mayHaveArrived: false,
  ...more,
});

function accountOf(settings: unknown) {
  const configured = channel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return configured.account;
}

const directories: string[] = [];
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "chela-whatsapp-"));
  directories.push(directory);
  return directory;
}
afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

const said = (words: string) => (event: { content: { kind: string; text?: string } }) => event.content.text === words;

describe("a linked account", () => {
  let crabline: Crabline;
  let host: FakeHost;
  let connection: ChannelConnection;
  beforeAll(async () => {
    crabline = await startCrabline();
    const directory = newDirectory();
    crabline.link(directory);
    host = createFakeHost({ directory });
    connection = await channel.start(accountOf(crabline.straight), host);
  });
  afterAll(async () => {
    await connection.close();
    await crabline[Symbol.asyncDispose]();
  });

  it("says who it is and shows that it lives", async () => {
    expect(host.reported).toMatchObject({ linked: true, connected: true, self: { id: "+15550000000", name: "bot" } });
    expect(host.signs.count).toBeGreaterThan(0);
    expect(await connection.probe?.()).toMatchObject({ isOpen: true, id: "+15550000000" });
    expect(await connection.directory?.self()).toEqual({ kind: "user", id: "+15550000000", name: "bot" });
  });

  it("fetches and decrypts a voice message, and refuses one that was changed", async () => {
    const content = Buffer.from("OggS and then the voice of somebody".repeat(50));
    await crabline.say({ audio: { contentBase64: content.toString("base64"), mimeType: "audio/ogg", ptt: true } });
    const event = await host.next(({ content }) => content.kind === "message" && content.media !== undefined);
    const media = event.content.kind === "message" ? event.content.media?.[0] : undefined;
    expect(media).toMatchObject({ kind: "voice", mimeType: "audio/ogg", bytes: content.length });
    const ref = media?.ref ?? "";
    expect(await read(connection, ref)).toEqual(content);
    const otherKey = JSON.stringify({ ...JSON.parse(ref), mediaKey: Buffer.alloc(32, 1).toString("base64") });
    await expect(read(connection, otherKey)).rejects.toMatchObject({ code: "MEDIA_FETCH" });
  });

  it("follows no address for a file but those of WhatsApp", async () => {
    const mediaKey = Buffer.alloc(32, 1).toString("base64");
    for (const url of ["http://127.0.0.1:1/x", "https://mmg.whatsapp.net.evil.example/x", "file:///etc/passwd"]) {
      const ref = JSON.stringify({ keys: "Image", mediaKey, url });
      await expect(read(connection, ref)).rejects.toMatchObject({ code: "MEDIA_FETCH", detail: /did not say where/ });
    }
  });

  it("answers with a quote, reacts, shows that it writes, and marks as read", async () => {
    await crabline.say({ text: "a question", messageId: "3AQUESTION" });
    const event = await host.next(said("a question"));
    expect(event.messageId).toBe("3AQUESTION");
    const outcome = await connection.send(text("quote", "an *answer*", { replyTo: "3AQUESTION" }), never);
    expect(outcome.kind).toBe("sent");
    expect((await crabline.heard(1)).at(-1)).toBe("an _answer_");
    await connection.react?.(TO, "3AQUESTION", "👍", false);
    await connection.typing?.(TO);
    await connection.markRead?.(TO, "3AQUESTION");
  });

  it("hands on other chats while one waits", async () => {
    const release = Promise.withResolvers<void>();
    host.answer(async (event) => {
      if (event.chat.kind === "group") await release.promise;
      return { kind: "accepted" };
    });
    await crabline.say({ text: "slow", chatJid: GROUP });
    await crabline.say({ text: "quick" });
    expect((await host.next(said("quick"))).chat.kind).toBe("direct");
    release.resolve();
    expect((await host.next(said("slow"))).chat.id).toBe(GROUP);
  });

  it("keeps a message on the disk until the gateway has it, and not longer", async () => {
    const journal = join(host.directory, "inbox.jsonl");
    let onDisk = "";
    host.answer(async () => {
      onDisk = readFileSync(journal, "utf8");
      return { kind: "settled", why: "seen" };
    });
    await crabline.say({ text: "write me down", messageId: "3AKEEPME" });
    await host.next(said("write me down"));
    expect(onDisk).toContain("3AKEEPME");
    await crabline.say({ text: "and go on" });
    await host.next(said("and go on"));
    expect(readFileSync(journal, "utf8")).not.toContain("3AKEEPME");
  });

  it("says what is wrong with an address, an old message or a poll, and goes on", async () => {
    expect(await connection.send(text("k1", "hi", { target: { to: "Ada" } }), never)).toMatchObject({
      kind: "failed",
      reason: "rejected",
    });
    const poll = { kind: "poll" as const, poll: { question: "?", options: ["only one"] } };
    expect(await connection.send({ ...text("k2", ""), content: poll }, never)).toMatchObject({ reason: "rejected" });
    expect(await connection.send(text("k3", "   "), never)).toMatchObject({ reason: "rejected" });
    expect(await connection.send(text("k4", "hi"), AbortSignal.abort())).toMatchObject({ reason: "unavailable" });
    await expect(connection.react?.({ to: GROUP }, "3ALONGAGO", "👍", false)).rejects.toMatchObject({
      code: "CHANNEL_REFUSED",
    });
    expect((await connection.send(text("k5", "still here"), never)).kind).toBe("sent");
  });
});

async function read(connection: ChannelConnection, ref: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of (await connection.download?.(ref, never)) ?? []) parts.push(part);
  return Buffer.concat(parts);
}

describe("an account", () => {
  it("that was never linked says how to link it", async () => {
    await using crabline = await startCrabline();
    const host = createFakeHost({ directory: newDirectory() });
    const failure = channel.start(accountOf(crabline.settings), host);
    await expect(failure).rejects.toMatchObject({ code: "CHANNEL_AUTH", detail: /channels login/ });
    expect(host.reported).toMatchObject({ linked: false });
  });

  it("that is linked already needs no new link", async () => {
    await using crabline = await startCrabline();
    const directory = newDirectory();
    crabline.link(directory);
    const host = createFakeHost({ directory });
    await channel.login?.(accountOf(crabline.settings), host, never);
    expect(host.links).toEqual([{ kind: "linked" }]);
  });

  it("whose linking is stopped leaves nothing behind", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const host = createFakeHost({ directory: newDirectory() });
    const abort = new AbortController();
    const account = accountOf({ waWebSocketUrl: `ws://127.0.0.1:${port}/ws/chat`, phoneNumber: "+1 555 000 0000" });
    const linking = channel.login?.(account, host, abort.signal);
    const [wire] = (await once(silent, "connection")) as [Socket];
    abort.abort();
    await expect(linking).rejects.toMatchObject({ code: "CHANNEL_OFFLINE", detail: /stopped/ });
    expect(host.links).toEqual([]);
    expect(readdirSync(host.directory)).toEqual([]);
    wire.destroy();
    silent.close();
  });

  it("finds its credentials again when they were damaged", async () => {
    await using crabline = await startCrabline();
    const directory = newDirectory();
    crabline.link(directory);
    const account = accountOf(crabline.settings);
    await (await channel.start(account, createFakeHost({ directory }))).close();
    writeFileSync(join(directory, "creds.json"), '{"noiseKey":');
    const again = await channel.start(account, createFakeHost({ directory }));
    await again.close();
    expect(existsSync(join(directory, "creds.json.bak"))).toBe(true);
  });

  it("whose server is not there can be tried again", async () => {
    await using crabline = await startCrabline();
    const directory = newDirectory();
    crabline.link(directory);
    const account = accountOf({ waWebSocketUrl: "ws://127.0.0.1:9/ws/chat" });
    await expect(channel.start(account, createFakeHost({ directory }))).rejects.toMatchObject({
      code: "CHANNEL_OFFLINE",
    });
  });

  it("whose server breaks off at a message says so, and that the connection is over", async () => {
    await using crabline = await startCrabline();
    const directory = newDirectory();
    crabline.link(directory);
    const host = createFakeHost({ directory });
    const connection = await channel.start(accountOf(crabline.settings), host);
    // The server knows nothing of messages to groups, and hangs up.
    const outcome = await connection.send(text("g", "hi all", { target: { to: GROUP } }), never);
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringMatching(/^(unavailable|uncertain)$/) });
    expect((await connection.ended).why).not.toBe("");
    expect(host.reported.connected).toBe(false);
    await connection.close();
  });

  it("takes what was left over from before it takes what is new", async () => {
    await using crabline = await startCrabline();
    const directory = newDirectory();
    crabline.link(directory);
    const account = accountOf(crabline.settings);
    const first = createFakeHost({ directory });
    first.answer(() => Promise.reject(new Error("the disk is full")));
    const connection = await channel.start(account, first);
    await crabline.say({ text: "one" });
    await crabline.say({ text: "two", chatJid: GROUP });
    await crabline.say({ text: "three" });
    const journal = join(directory, "inbox.jsonl");
    while (readFileSync(journal, "utf8").trim().split(/\n+/).length < 3)
      await new Promise((done) => setImmediate(done));
    await connection.close();
    const second = createFakeHost({ directory });
    const again = await channel.start(account, second);
    await crabline.say({ text: "four" });
    await second.next(said("four"));
    const direct = second.events.filter(({ chat }) => chat.kind === "direct");
    expect(direct.map(({ content }) => "text" in content && content.text)).toEqual(["one", "three", "four"]);
    expect((await second.next(said("two"))).chat.id).toBe(GROUP);
    await again.close();
  });
});

describe("settings of WhatsApp", () => {
  it.each([
    ["phoneNumber", { phoneNumber: "12" }],
    ["waWebSocketUrl", { waWebSocketUrl: "http://example.org" }],
    ["authDir", { authDir: "relative" }],
    ["selfChatMode", { selfChatMode: "yes" }],
  ])("with a wrong %s say so", (name, settings) => {
    const configured = channel.configure(settings, () => undefined);
    expect(configured).toMatchObject({ kind: "incomplete", why: expect.stringContaining(name) });
  });

  it("are complete without any", () => {
    expect(channel.configure({}, () => undefined)).toEqual({
      kind: "configured",
      account: { takesSelfChat: false, sendsReadReceipts: true, tables: "bullets" },
    });
  });
});
