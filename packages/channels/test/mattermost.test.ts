// Mattermost with crabline's server behind a fixture of ours: threads, edits, reactions, files, gaps, and refusals.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  GatewayError,
  type ChannelConnection,
  type ChannelEvent,
  type OutboundMessage,
  type SendOutcome,
} from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { mattermostChannel } from "../src/mattermost/channel.ts";
import { idOf, openMattermost, type MattermostPeer } from "./mattermost-server.test-support.ts";

const TOWN = idOf("town");
let peer: MattermostPeer;
let directory: string;
let host: FakeHost;
let connection: ChannelConnection | undefined;

async function start(settings: Record<string, unknown> = {}): Promise<ChannelConnection> {
  const configured = mattermostChannel.configure(
    { baseUrl: peer.baseUrl, botToken: peer.botToken, ...settings },
    () => undefined,
  );
  if (configured.kind !== "configured") throw new Error(configured.why);
  host = createFakeHost({ directory, memory: host?.memory ?? new Map<string, string>() });
  connection = await mattermostChannel.start(configured.account, host);
  return connection;
}
const hears = (text: string): Promise<ChannelEvent> =>
  host.next(({ content }) => "text" in content && content.text.includes(text));
const send = (message: Partial<OutboundMessage> & Pick<OutboundMessage, "target">): Promise<SendOutcome> =>
  connection?.send(
    { key: "key-1", content: { kind: "text", markdown: "hello" }, mayHaveArrived: false, ...message },
    new AbortController().signal,
  ) ?? Promise.reject(new Error("not started"));

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "chela-mattermost-"));
  peer = await openMattermost();
  host = createFakeHost({ directory });
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await peer[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

describe("people and places", () => {
  it("S-09: whoever takes the name of another stays who they are", async () => {
    await start();
    await peer.post({ sender: "alice", text: "it is alice", channel: "town" });
    const alice = await hears("it is alice");
    await peer.post({ sender: "alice", name: "alice_before", text: "renamed", channel: "town" });
    await peer.post({ sender: "mallory", name: "alice", text: "I am alice", channel: "town" });
    const mallory = await hears("I am alice");
    expect(alice).toMatchObject({ chat: { kind: "channel", id: TOWN }, sender: { id: idOf("alice") } });
    expect(mallory.sender).toMatchObject({ id: idOf("mallory"), username: "alice" });
  });

  it("an answer in a thread stays in the thread", async () => {
    await start();
    const root = await peer.post({ sender: "alice", text: "the root", channel: "town" });
    await peer.post({ sender: "alice", text: "below it", channel: "town", root: root.id });
    const event = await hears("below it");
    expect(event).toMatchObject({
      chat: { threadId: root.id },
      replyTarget: { to: `channel:${TOWN}`, threadId: root.id },
    });
    expect(await send({ target: event.replyTarget })).toMatchObject({ kind: "sent", chatId: TOWN });
    expect(peer.posts.at(-1)).toMatchObject({ user_id: peer.botUserId, root_id: root.id, message: "hello" });
  });

  it("names are looked up, and found only where they are", async () => {
    const { resolveName, directory: people } = await start();
    await peer.post({ sender: "alice", text: "hello" });
    await hears("hello");
    expect(await resolveName?.("@alice", "user")).toBe(idOf("alice"));
    expect(await resolveName?.("@nobody", "user")).toBeUndefined();
    expect(await people?.users?.("ali", 5)).toEqual([
      { kind: "user", id: idOf("alice"), name: "ali", username: "ali" },
    ]);
    expect(await people?.self()).toMatchObject({ id: peer.botUserId });
  });
});

describe("messages", () => {
  it("are edited and taken back, and edits of others are told", async () => {
    const { edit, unsend } = await start();
    const said = await peer.post({ sender: "alice", text: "hello" });
    await hears("hello");
    const target = { to: `user:${idOf("alice")}` };
    const outcome = await send({ target });
    if (outcome.kind !== "sent") throw new Error(outcome.why);
    expect(await edit?.(target, outcome.messageId, "**better**")).toMatchObject({ kind: "sent" });
    expect(await edit?.(target, said.id, "not ours")).toMatchObject({ kind: "failed", reason: "unreachable" });
    await unsend?.(target, outcome.messageId);
    await expect(unsend?.(target, outcome.messageId)).rejects.toMatchObject({ code: "CHANNEL_TARGET" });
    const edited = { ...said, message: "hello there", edit_at: said.create_at + 5 };
    peer.tell("post_edited", { post: JSON.stringify(edited) }, said.channel_id);
    expect(await hears("hello there")).toMatchObject({
      chat: { kind: "direct" },
      content: { kind: "edit", of: said.id },
    });
    expect(host.events).toHaveLength(2);
  });

  it("are reacted to, by others and by us", async () => {
    const { react, reactions } = await start();
    await peer.post({ sender: "alice", text: "hello", channel: "town" });
    await hears("hello");
    const outcome = await send({ target: { to: `channel:${TOWN}` } });
    if (outcome.kind !== "sent") throw new Error(outcome.why);
    const reaction = { user_id: idOf("alice"), post_id: outcome.messageId, emoji_name: "+1", create_at: 5 };
    peer.tell("reaction_added", { reaction: JSON.stringify(reaction) }, TOWN);
    peer.tell("reaction_added", { reaction: JSON.stringify({ ...reaction, user_id: peer.botUserId }) }, TOWN);
    expect(await host.next(({ content }) => content.kind === "reaction")).toMatchObject({
      chat: { kind: "channel", id: TOWN },
      sender: { id: idOf("alice") },
      content: { emoji: "👍", onOurs: true, isRemoved: false },
    });
    const target = { to: `channel:${TOWN}` };
    await react?.(target, outcome.messageId, "👀", false);
    expect(await reactions?.(target, outcome.messageId)).toEqual([{ emoji: "👀", userIds: [peer.botUserId] }]);
    await react?.(target, outcome.messageId, "👀", true);
    expect(await reactions?.(target, outcome.messageId)).toEqual([]);
    await expect(react?.(target, outcome.messageId, "🫠", false)).rejects.toMatchObject({ code: "CHANNEL_REFUSED" });
  });

  it("bring files, and take them", async () => {
    const { download } = await start({ mediaMaxMb: 0.001 });
    const said = await peer.post({ sender: "alice", text: "hello" });
    const file = { id: idOf("a-file"), name: "cat.png", mime_type: "image/png", size: 4 };
    const withFile = { ...said, id: idOf("with-file"), message: "", metadata: { files: [file] } };
    peer.tell("posted", { post: JSON.stringify(withFile), channel_type: "D" }, said.channel_id);
    const { content } = await host.next(({ messageId }) => messageId === withFile.id);
    expect(content).toMatchObject({ media: [{ kind: "image", ref: file.id, name: "cat.png", bytes: 4 }] });
    peer.putFile(file.id, Buffer.from("miau"));
    expect(await readAll(download, file.id)).toBe("miau");
    peer.putFile(file.id, Buffer.alloc(5000));
    await expect(readAll(download, file.id)).rejects.toMatchObject({ code: "MEDIA_REFUSED" });
    await expect(readAll(download, "../users/me")).rejects.toMatchObject({ code: "MEDIA_FETCH" });

    const path = join(directory, "note.txt");
    writeFileSync(path, "a small file");
    const media = { kind: "file", path, mimeType: "text/plain", name: "note.txt", bytes: 12 } as const;
    const outcome = await send({ target: { to: `user:${idOf("alice")}` }, content: { kind: "media", media } });
    expect(outcome).toMatchObject({ kind: "sent" });
    const [id] = (peer.posts.at(-1)?.["file_ids"] ?? []) as string[];
    expect(String(peer.files.get(id ?? ""))).toContain("a small file");
  });

  it("show that somebody is writing", async () => {
    const { typing } = await start();
    await peer.post({ sender: "alice", text: "hello", channel: "town" });
    await hears("hello");
    await typing?.({ to: `channel:${TOWN}` });
    await peer.until(() => peer.said.some(({ action }) => action === "user_typing"));
  });

  it("call nobody that a model names", async () => {
    await start();
    await peer.post({ sender: "alice", text: "hello", channel: "town" });
    await hears("hello");
    await send({
      target: { to: `channel:${TOWN}` },
      content: { kind: "text", markdown: "@all and @channel, and @alice" },
    });
    expect(peer.posts.at(-1)?.message).toMatch(/^@\u200ball and @\u200bchannel, and @alice$/);
  });
});

describe("what is missing", () => {
  it("is asked for after a gap in the numbers", async () => {
    await start();
    await peer.post({ sender: "alice", text: "the first", channel: "town" });
    await hears("the first");
    peer.loseNext();
    await peer.post({ sender: "alice", text: "lost on the way", channel: "town" });
    await peer.post({ sender: "alice", text: "the third", channel: "town" });
    await hears("lost on the way");
    await hears("the third");
  });

  it("is asked for after a restart, and nothing from before the first start", async () => {
    await start();
    await peer.post({ sender: "alice", text: "the first", channel: "town" });
    await hears("the first");
    await connection?.close();
    // As the server would have it: kept, and told to nobody who was away.
    const missed = {
      ...(peer.posts.at(-1) as object),
      id: idOf("missed"),
      message: "missed",
      create_at: Date.now() + 5,
    };
    (peer.posts as unknown[]).push(missed);
    await start();
    expect(await hears("missed")).toMatchObject({ id: idOf("missed"), chat: { kind: "channel", id: TOWN } });
    expect(host.events).toHaveLength(1);
  });

  it("ends the connection when it cannot be written down", async () => {
    const { ended } = await start();
    host.answer(() => Promise.reject(new Error("the disk is full")));
    await peer.post({ sender: "alice", text: "keep me" });
    expect((await ended).why).toContain("written");
  });
});

describe("refusals", () => {
  it.each([
    [401, {}, { reason: "unauthorised" }],
    [403, {}, { reason: "unreachable" }],
    [400, {}, { reason: "rejected" }],
    [503, {}, { reason: "uncertain" }],
    [429, { "x-ratelimit-reset": "3" }, { reason: "rate-limited", retryAfterMs: 3000, holdsFor: "account" }],
  ])("status %s means %j %j", async (status, headers, expected) => {
    await start();
    await peer.post({ sender: "alice", text: "hello", channel: "town" });
    peer.answerOnce(/^POST \/posts$/, status, headers as Record<string, string>);
    const outcome = await send({ target: { to: `channel:${TOWN}` } });
    expect(outcome).toMatchObject({ kind: "failed", ...expected });
    expect(JSON.stringify(outcome)).not.toContain(peer.botToken);
  });

  it.each([
    ["a token nobody knows", { botToken: "some-other-token" }, "CHANNEL_AUTH"],
    ["a server that is not there", { baseUrl: "http://127.0.0.1:9" }, "CHANNEL_OFFLINE"],
  ])("%s keeps it from starting", async (_what, settings, code) => {
    const error = await start(settings).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(GatewayError.is(error) && error.explain()).not.toContain("some-other-token");
  });
});

async function readAll(download: ChannelConnection["download"], ref: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await download?.(ref, new AbortController().signal)) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
