// Matrix against crabline: the contract of a channel, and what its unencrypted rooms can show.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelConnection, OutboundMessage } from "@chela/sdk";
import { createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { channel } from "../src/channel.ts";
import { startCrabline } from "./crabline.test-support.ts";
import { openRelay } from "./relay.test-support.ts";

const ALICE = "@alice:matrix.test";
const DIRECT = "!alice-and-bot:matrix.test";
const GROUP = "!everybody:matrix.test";

testChannel("Matrix", async () => {
  const server = await startCrabline();
  const relay = await openRelay(server.baseUrl);
  let senderName = "Alice";
  return {
    channel,
    settings: { ...server.settings, homeserver: relay.url },
    peer: {
      say: async (text) =>
        void (await server.inject({ roomId: DIRECT, senderId: ALICE, text, senderName, direct: true })),
      async heard(count) {
        const sends = new RegExp(`^PUT .*/rooms/${encodeURIComponent(DIRECT)}/send/m\\.room\\.message/`);
        await server.called(sends, count);
        const ours = (await server.timeline(DIRECT)).filter(({ sender }) => sender === server.botUserId);
        return ours.flatMap(({ content }) => (typeof content["body"] === "string" ? [content["body"]] : []));
      },
      sayInGroup: async (text) => void (await server.inject({ roomId: GROUP, senderId: ALICE, text })),
      rename: async (name) => void (senderName = name),
      nowhere: "!nowhere:matrix.test",
      cut: async () => relay.cut(),
      redelivers: true,
    },
    async [Symbol.asyncDispose]() {
      await relay.close();
      await server.close();
    },
  };
});

describe("Matrix rooms on crabline", () => {
  const directory = mkdtempSync(join(tmpdir(), "chela-matrix-"));
  let server: Awaited<ReturnType<typeof startCrabline>>;
  let host: FakeHost;
  let connection: ChannelConnection;
  const never = new AbortController().signal;

  const start = async (): Promise<void> => {
    const configured = channel.configure(server.settings, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    host = createFakeHost({ directory, ...(host ? { memory: host.memory } : {}) });
    connection = await channel.start(configured.account, host);
  };
  const text = (key: string, to: string, markdown: string, more: Partial<OutboundMessage> = {}): OutboundMessage => ({
    key,
    target: { to },
    content: { kind: "text", markdown },
    mayHaveArrived: false,
    ...more,
  });

  beforeAll(async () => {
    server = await startCrabline();
    await start();
  });
  afterAll(async () => {
    await connection.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("keeps two people apart when one takes the other's name", async () => {
    await server.inject({ roomId: GROUP, senderId: ALICE, senderName: "Alice", text: "it is me" });
    await server.inject({ roomId: GROUP, senderId: "@mallory:matrix.test", senderName: "Alice", text: "no, me" });
    const [first, second] = [await host.next(), await host.next()];
    expect(first.sender).toEqual({ id: ALICE, username: ALICE, name: "Alice" });
    expect(second.sender).toEqual({ id: "@mallory:matrix.test", username: "@mallory:matrix.test", name: "Alice" });
  });

  it("takes a room with a third person for a group, whatever the account data say", async () => {
    const roomId = "!was-direct:matrix.test";
    await server.inject({ roomId, senderId: ALICE, text: "just us", direct: true });
    expect((await host.next()).chat).toMatchObject({ kind: "direct", id: ALICE });
    await server.inject({ roomId, senderId: "@bob:matrix.test", text: "may I?" });
    expect((await host.next()).chat).toMatchObject({ kind: "group", id: roomId });
    await server.inject({ roomId, senderId: ALICE, text: "not alone" });
    expect((await host.next()).chat).toMatchObject({ kind: "group", id: roomId });
  });

  it("keeps a thread apart and answers in it", async () => {
    const root = await server.inject({ roomId: GROUP, senderId: ALICE, text: "a question" });
    await host.next();
    await server.inject({ roomId: GROUP, senderId: ALICE, text: "more of it", threadId: root.event_id });
    const event = await host.next();
    expect(event.chat).toMatchObject({ id: GROUP, threadId: root.event_id });
    expect(event.replyTarget).toEqual({ to: GROUP, threadId: root.event_id });
    await connection.send(text("in-thread", GROUP, "an answer", { target: event.replyTarget }), never);
    const last = (await server.timeline(GROUP)).at(-1);
    expect(last?.content["m.relates_to"]).toMatchObject({ rel_type: "m.thread", event_id: root.event_id });
  });

  it("tells the room that a message was read, after it was taken", async () => {
    const { event_id } = await server.inject({ roomId: GROUP, senderId: ALICE, text: "read me" });
    await host.next();
    const path = `/receipt/m.read/${encodeURIComponent(event_id)}`;
    const [receipt] = await server.called(new RegExp(`${path.replace(/[.$]/g, "\\$&")}$`), 1);
    expect(receipt?.method).toBe("POST");
  });

  it("hands over after a restart what was said meanwhile, and only that", async () => {
    await server.inject({ roomId: GROUP, senderId: ALICE, text: "before" });
    await host.next(({ content }) => content.kind === "message" && content.text === "before");
    await connection.close();
    await server.inject({ roomId: GROUP, senderId: ALICE, text: "while you were away" });
    await start();
    await host.next();
    const texts = host.events.map(({ content }) => (content.kind === "message" ? content.text : content.kind));
    expect(texts).toEqual(["while you were away"]);
  });

  it("shows edits as edits of the first message, and reactions where they belong", async () => {
    const sent = await connection.send(text("first", GROUP, "frist"), never);
    if (sent.kind !== "sent") throw new Error(sent.why);
    expect(await connection.edit?.({ to: GROUP }, sent.messageId, "first")).toMatchObject({
      kind: "sent",
      messageId: sent.messageId,
    });
    await connection.react?.({ to: GROUP }, sent.messageId, "👍", false);
    const [edit, reaction] = (await server.timeline(GROUP)).slice(-2);
    expect(edit?.content).toMatchObject({
      "m.new_content": { body: "first" },
      "m.relates_to": { rel_type: "m.replace", event_id: sent.messageId },
    });
    expect(reaction).toMatchObject({
      type: "m.reaction",
      content: { "m.relates_to": { rel_type: "m.annotation", event_id: sent.messageId, key: "👍" } },
    });
  });

  it("shows that it is typing", async () => {
    await connection.typing?.({ to: GROUP });
    const [call] = await server.called(/^PUT .*\/typing\//, 1);
    expect(call?.body).toMatchObject({ typing: true });
  });

  it("writes text with HTML beside it", async () => {
    await connection.send(text("bold", GROUP, "this is **bold**"), never);
    expect((await server.timeline(GROUP)).at(-1)?.content).toMatchObject({
      body: "this is bold",
      formatted_body: "<p>this is <strong>bold</strong></p>",
      "m.mentions": {},
    });
  });

  it("says that a token is refused, and does not tell the token", async () => {
    const accessToken = "syt_not_the_right_one";
    const configured = channel.configure({ ...server.settings, accessToken }, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    const refused = await channel.start(configured.account, host).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "CHANNEL_AUTH" });
    expect(String(refused) + JSON.stringify(refused) + JSON.stringify(configured)).not.toContain(accessToken);
  });

  it("says that nobody is there", async () => {
    const configured = channel.configure({ homeserver: "http://127.0.0.1:9", accessToken: "x" }, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    await expect(channel.start(configured.account, host)).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
  });
});
