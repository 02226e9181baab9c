// Matrix against a real homeserver, with a person who uses the official SDK: rooms, files, and end-to-end encryption.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelConnection, ChannelContent, ChannelEvent, OutboundMessage } from "@chela/sdk";
import { createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { channel } from "../src/channel.ts";
import { openPerson, type Person } from "./person.test-support.ts";
import { findSynapse, startSynapse, type Account, type Homeserver } from "./synapse.test-support.ts";

const synapse = findSynapse();
const never = new AbortController().signal;

const says = (text: string) => (event: ChannelEvent) =>
  event.content.kind === "message" && event.content.text.includes(text);
const isKind = (kind: ChannelContent["kind"]) => (event: ChannelEvent) => event.content.kind === kind;
const text = (key: string, to: string, markdown: string, more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  key,
  target: { to },
  content: { kind: "text", markdown },
  mayHaveArrived: false,
  ...more,
});

async function createRoom(person: Person, invite: string, more: object = {}): Promise<string> {
  const body = { invite: [invite], ...more };
  return (await person.call<{ room_id: string }>("POST", "/createRoom", body)).room_id;
}
const ENCRYPTED = {
  initial_state: [{ type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } }],
};
const DIRECT = { is_direct: true, preset: "trusted_private_chat" };

let count = 0;
async function say(person: Person, roomId: string, content: object, type = "m.room.message"): Promise<string> {
  const path = `/rooms/${encodeURIComponent(roomId)}/send/${type}/test-${++count}`;
  return (await person.call<{ event_id: string }>("PUT", path, content)).event_id;
}
const plain = (body: string) => ({ msgtype: "m.text", body });

async function connect(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const configured = channel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return channel.start(configured.account, host);
}

describe.skipIf(!synapse)("Matrix on Synapse", () => {
  let homeserver: Homeserver;
  let alice: Person;
  let aliceAccount: Account;
  let botAccount: Account;
  const folders: string[] = [];
  const folder = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), "chela-matrix-")));
    return folders.at(-1) ?? "";
  };

  beforeAll(async () => {
    if (!synapse) return;
    homeserver = await startSynapse(synapse);
    aliceAccount = await homeserver.register("alice");
    botAccount = await homeserver.register("bot");
    alice = await openPerson(homeserver.url, aliceAccount);
  });
  afterAll(async () => {
    alice?.close();
    await homeserver?.[Symbol.asyncDispose]();
    for (const one of folders) rmSync(one, { recursive: true, force: true });
  });

  testChannel("Matrix with a password", async () => {
    const account = await homeserver.register("contract-bot");
    let room: string | undefined;
    const open = async (): Promise<string> => (room ??= await createRoom(alice, account.userId, DIRECT));
    let group: string | undefined;
    return {
      channel,
      settings: { homeserver: homeserver.url, userId: account.userId, password: account.password, autoJoin: "always" },
      peer: {
        say: async (body) => void (await say(alice, await open(), plain(body))),
        async heard(wanted) {
          const heard: string[] = [];
          const seen = new Set<string>();
          while (heard.length < wanted) {
            const one = await alice.hears(
              ({ id, sender, type }) => sender === account.userId && type === "m.room.message" && !seen.has(id),
            );
            seen.add(one.id);
            heard.push(String(one.content["body"]));
          }
          if (wanted === 0 && room) {
            const path = `/rooms/${encodeURIComponent(room)}/messages?dir=f&limit=100`;
            const { chunk } = await alice.call<{
              chunk: Array<{ sender: string; type: string; content: { body: string } }>;
            }>("GET", path);
            return chunk
              .filter(({ sender, type }) => sender === account.userId && type === "m.room.message")
              .map(({ content }) => content.body);
          }
          return heard;
        },
        async sayInGroup(body) {
          group ??= await createRoom(alice, account.userId, { name: "Everybody" });
          await say(alice, group, plain(body));
        },
        rename: async (name) =>
          void (await alice.call("PUT", `/profile/${encodeURIComponent(aliceAccount.userId)}/displayname`, {
            displayname: name,
          })),
        nowhere: "!nowhere:hs.test",
        redelivers: true,
      },
      [Symbol.asyncDispose]: async () => {},
    };
  });

  describe("in rooms anybody can read", () => {
    let host: FakeHost;
    let bot: ChannelConnection;
    let room: string;
    const settings = () => ({
      homeserver: homeserver.url,
      accessToken: botAccount.token,
      autoJoin: "allowlist",
      autoJoinAllowlist: [aliceAccount.userId],
    });

    beforeAll(async () => {
      host = createFakeHost({ directory: folder() });
      bot = await connect(settings(), host);
      room = await createRoom(alice, botAccount.userId, {
        name: "Workshop",
        preset: "public_chat",
        power_level_content_override: { users_default: 50 },
      });
      await say(alice, room, plain("said before the bot came"));
      await host.next(says("said before the bot came"));
    });
    afterAll(() => bot?.close());

    it("follows the invitations of those who are listed, and of nobody else", async () => {
      const mallory = await openPerson(homeserver.url, await homeserver.register("mallory"));
      const trap = await createRoom(mallory, botAccount.userId, { name: "Workshop" });
      const other = await createRoom(alice, botAccount.userId);
      await say(alice, other, plain("come in"));
      expect((await host.next(says("come in"))).chat.id).toBe(other);
      const { joined } = await mallory.call<{ joined: object }>(
        "GET",
        `/rooms/${encodeURIComponent(trap)}/joined_members`,
      );
      expect(Object.keys(joined)).toEqual(["@mallory:hs.test"]);
      mallory.close();
    });

    it("tells answers, edits, reactions and deletions apart", async () => {
      const sent = await bot.send(text("ask", room, "what do you think?"), never);
      if (sent.kind !== "sent") throw new Error(sent.why);
      const answer = await say(alice, room, {
        msgtype: "m.text",
        body: "> <@bot:hs.test> what do you think?\n\nnothing",
        "m.relates_to": { "m.in_reply_to": { event_id: sent.messageId } },
      });
      expect((await host.next(says("nothing"))).content).toEqual({
        kind: "message",
        text: "nothing",
        mentionsUs: false,
        replyTo: {
          id: sent.messageId,
          isOurs: true,
          sender: { id: botAccount.userId, username: botAccount.userId, name: "bot" },
          text: "what do you think?",
        },
      });
      await say(alice, room, {
        ...plain("* a lot"),
        "m.new_content": plain("a lot"),
        "m.relates_to": { rel_type: "m.replace", event_id: answer },
      });
      expect((await host.next(isKind("edit"))).content).toEqual({ kind: "edit", of: answer, text: "a lot" });
      const thumb = await say(
        alice,
        room,
        { "m.relates_to": { rel_type: "m.annotation", event_id: sent.messageId, key: "👍" } },
        "m.reaction",
      );
      expect((await host.next(isKind("reaction"))).content).toMatchObject({
        emoji: "👍",
        on: sent.messageId,
        onOurs: true,
        isRemoved: false,
      });
      await alice.call("PUT", `/rooms/${encodeURIComponent(room)}/redact/${encodeURIComponent(thumb)}/r1`, {});
      expect((await host.next(isKind("reaction"))).content).toMatchObject({ emoji: "👍", isRemoved: true });
      await alice.call("PUT", `/rooms/${encodeURIComponent(room)}/redact/${encodeURIComponent(answer)}/r2`, {});
      expect(await host.next(isKind("notice"))).toMatchObject({ messageId: answer });
    });

    it("never answers notices, and knows when it is named", async () => {
      await say(alice, room, { msgtype: "m.notice", body: "I am a bot" });
      await say(alice, room, { ...plain("Bot, hello"), "m.mentions": { user_ids: [botAccount.userId] } });
      expect((await host.next(says("hello"))).content).toMatchObject({ mentionsUs: true });
      expect(host.events.some(says("I am a bot"))).toBe(false);
    });

    it("sends a file and fetches what it was sent", async () => {
      const path = join(folder(), "note.txt");
      writeFileSync(path, "a few words");
      const media = { kind: "file", path, mimeType: "text/plain", name: "note.txt", bytes: 11 } as const;
      const sent = await bot.send(
        { ...text("file", room, ""), content: { kind: "media", media, caption: "**read** this" } },
        never,
      );
      expect(sent.kind).toBe("sent");
      const heard = await alice.hears(({ content }) => content["filename"] === "note.txt");
      expect(heard.content).toMatchObject({ msgtype: "m.file", body: "read this", info: { size: 11 } });
      await say(alice, room, { msgtype: "m.file", body: "note.txt", url: heard.content["url"] });
      const event = await host.next((one) => one.content.kind === "message" && one.content.media !== undefined);
      expect(await fetched(bot, event)).toBe("a few words");
    });

    it("pins, lists what was said, and finds people", async () => {
      const sent = await bot.send(text("pin", room, "the rules"), never);
      if (sent.kind !== "sent") throw new Error(sent.why);
      await bot.pin?.({ to: room }, sent.messageId, false);
      expect(await bot.pins?.({ to: room })).toMatchObject([{ id: sent.messageId, text: "the rules", isOurs: true }]);
      await bot.pin?.({ to: room }, sent.messageId, true);
      expect(await bot.pins?.({ to: room })).toEqual([]);
      const history = await bot.history?.({ to: room }, { limit: 3 });
      expect(history?.at(-1)).toMatchObject({ id: sent.messageId, text: "the rules" });
      const earlier = await bot.history?.({ to: room }, { limit: 2, before: sent.messageId });
      expect(earlier?.some(({ id }) => id === sent.messageId)).toBe(false);
      expect(await bot.directory?.groups?.("work", 10)).toEqual([{ kind: "group", id: room, name: "Workshop" }]);
      const members = await bot.directory?.members?.(room, 10);
      expect(members?.map(({ id }) => id).toSorted()).toEqual([aliceAccount.userId, botAccount.userId].toSorted());
      await bot.react?.({ to: room }, sent.messageId, "👀", false);
      expect(await bot.reactions?.({ to: room }, sent.messageId)).toEqual([
        { emoji: "👀", userIds: [botAccount.userId] },
      ]);
      await bot.react?.({ to: room }, sent.messageId, "👀", true);
      expect(await bot.reactions?.({ to: room }, sent.messageId)).toEqual([]);
      await bot.unsend?.({ to: room }, sent.messageId);
      const [left] =
        (await bot.history?.({ to: room }, { limit: 50 }))?.filter(({ id }) => id === sent.messageId) ?? [];
      expect(left).toBeUndefined();
    });

    it("asks a question and hears the answer", async () => {
      const poll = { question: "tea?", options: ["yes", "no"] };
      const sent = await bot.send({ ...text("poll", room, ""), content: { kind: "poll", poll } }, never);
      if (sent.kind !== "sent") throw new Error(sent.why);
      await say(
        alice,
        room,
        {
          "m.relates_to": { rel_type: "m.reference", event_id: sent.messageId },
          "org.matrix.msc3381.poll.response": { answers: ["answer-1"] },
        },
        "org.matrix.msc3381.poll.response",
      );
      expect((await host.next(isKind("notice"))).content).toMatchObject({ text: "Voted in a poll: yes" });
    });

    it("writes to somebody it has no room with, once, in one room", async () => {
      const carol = await openPerson(homeserver.url, await homeserver.register("carol"));
      const [first, second] = await Promise.all(
        ["hello", "again"].map((body) => bot.send(text(`to-${body}`, "@carol:hs.test", body), never)),
      );
      if (first?.kind !== "sent" || second?.kind !== "sent") throw new Error("it was not sent");
      expect(first.chatId).toBe(second.chatId);
      await carol.call("POST", `/join/${encodeURIComponent(first.chatId ?? "")}`, {});
      await say(carol, first.chatId ?? "", plain("who is there?"));
      expect((await host.next(says("who is there?"))).chat).toEqual({ kind: "direct", id: "@carol:hs.test" });
      const dave = await openPerson(homeserver.url, await homeserver.register("dave"));
      await carol.call("POST", `/rooms/${encodeURIComponent(first.chatId ?? "")}/invite`, { user_id: "@dave:hs.test" });
      await dave.call("POST", `/join/${encodeURIComponent(first.chatId ?? "")}`, {});
      await say(dave, first.chatId ?? "", plain("I read along"));
      expect((await host.next(says("I read along"))).chat.kind).toBe("group");
      expect(await bot.send(text("private", "@carol:hs.test", "only for you"), never)).toMatchObject({
        reason: "unreachable",
      });
      dave.close();
      carol.close();
    });

    it("resolves an alias, and takes no name for a person", async () => {
      const alias = "#workshop:hs.test";
      await alice.call("PUT", `/directory/room/${encodeURIComponent(alias)}`, { room_id: room });
      expect(await bot.resolveName?.(alias, "group")).toBe(room);
      expect(await bot.resolveName?.("alice", "user")).toBeUndefined();
    });

    it("takes up all that was said while it was away, however much", async () => {
      await bot.close();
      for (let index = 0; index < 60; index++) await say(alice, room, plain(`line ${index}`));
      host = createFakeHost({ directory: host.directory, memory: host.memory });
      bot = await connect(settings(), host);
      await host.next(says("line 59"));
      const heard = host.events.map(({ content }) => (content.kind === "message" ? content.text : content.kind));
      expect(heard).toEqual(Array.from({ length: 60 }, (_, index) => `line ${index}`));
    });

    it("stops for good when its token is revoked", async () => {
      await fetch(`${homeserver.url}/_matrix/client/v3/logout`, {
        method: "POST",
        headers: { authorization: `Bearer ${botAccount.token}` },
      });
      expect(await bot.ended).toMatchObject({ isFinal: true });
      expect(await bot.send(text("late", room, "too late"), never)).toMatchObject({ reason: "unauthorised" });
    });
  });

  describe("in encrypted rooms", () => {
    let account: Account;
    let host: FakeHost;
    let bot: ChannelConnection;
    let room: string;
    const settings = () => ({
      homeserver: homeserver.url,
      userId: account.userId,
      password: account.password,
      encryption: true,
      autoJoin: "always",
    });
    const restart = async (directory = host.directory, memory = host.memory): Promise<void> => {
      await bot.close();
      host = createFakeHost({ directory, memory });
      bot = await connect(settings(), host);
    };
    const joined = (roomId: string) =>
      alice.hears(
        (heard) => heard.roomId === roomId && heard.sender === account.userId && heard.content["membership"] === "join",
      );

    beforeAll(async () => {
      account = await homeserver.register("secret-bot");
      host = createFakeHost({ directory: folder() });
      bot = await connect(settings(), host);
      room = await createRoom(alice, account.userId, { ...DIRECT, ...ENCRYPTED });
      await joined(room);
    });
    afterAll(() => bot?.close());

    it("reads what is written there and is read in turn", async () => {
      await alice.client.sendTextMessage(room, "a secret");
      const event = await host.next(says("a secret"));
      expect(event.chat).toMatchObject({ kind: "direct", id: aliceAccount.userId });
      const sent = await bot.send(text("secret-1", event.replyTarget.to, "**kept**"), never);
      const heard = await alice.hears(({ content }) => content["body"] === "kept");
      expect(sent).toMatchObject({ kind: "sent", messageId: heard.id });
      const raw = await alice.call<{ type: string; content: object }>(
        "GET",
        `/rooms/${encodeURIComponent(room)}/event/${encodeURIComponent(heard.id)}`,
      );
      expect(raw.type).toBe("m.room.encrypted");
      expect(JSON.stringify(raw.content)).not.toContain("kept");
    });

    it("does not show a repeated message twice", async () => {
      const first = await bot.send(text("the-same", aliceAccount.userId, "once"), never);
      const again = await bot.send(text("the-same", aliceAccount.userId, "once", { mayHaveArrived: true }), never);
      expect(again).toEqual(first);
    });

    it("keeps its keys over a restart: the same conversation goes on", async () => {
      const before = await bot.probe?.();
      await restart();
      const { deviceId, encryption } = before ?? {};
      expect(deviceId).toBeTypeOf("string");
      expect(await bot.probe?.()).toMatchObject({ deviceId, encryption });
      await alice.client.sendTextMessage(room, "after the restart");
      await host.next(says("after the restart"));
      await bot.send(text("secret-2", aliceAccount.userId, "still here"), never);
      await alice.hears(({ content }) => content["body"] === "still here");
    });

    it("loses no key when it is killed in the instant it hands a message over", async () => {
      const copy = folder();
      const memory = new Map<string, string>();
      const second = await createRoom(alice, account.userId, { ...DIRECT, ...ENCRYPTED });
      host.answer(async (event) => {
        // What is on the disk now is all that a killed process leaves behind.
        if (says("first words")(event) && memory.size === 0) {
          cpSync(host.directory, copy, { recursive: true });
          for (const [name, value] of host.memory) memory.set(name, value);
        }
        return { kind: "accepted" };
      });
      await joined(second);
      await alice.client.sendTextMessage(second, "first words");
      await host.next(says("first words"));
      await restart(copy, memory);
      expect((await host.next(says("first words"))).content).toMatchObject({ text: "first words" });
      await alice.client.sendTextMessage(second, "second words");
      await host.next(says("second words"));
      await bot.send(text("secret-3", second, "never used twice"), never);
      await alice.hears(({ content }) => content["body"] === "never used twice");
    });

    it("exchanges encrypted files", async () => {
      const path = join(folder(), "secret.txt");
      writeFileSync(path, "for your eyes");
      const media = { kind: "file", path, mimeType: "text/plain", name: "secret.txt", bytes: 13 } as const;
      await bot.send({ ...text("secret-file", room, ""), content: { kind: "media", media } }, never);
      const heard = await alice.hears(({ content }) => content["filename"] === "secret.txt");
      expect(heard.content).toMatchObject({ file: { v: "v2", hashes: {} } });
      expect(heard.content["url"]).toBeUndefined();
      await alice.client.sendMessage(room, {
        msgtype: "m.file",
        body: "secret.txt",
        file: heard.content["file"],
      } as never);
      const event = await host.next((one) => one.content.kind === "message" && one.content.media !== undefined);
      expect(await fetched(bot, event)).toBe("for your eyes");
    });

    it("edits a message that was encrypted", async () => {
      const sent = await bot.send(text("draft", room, "drfat"), never);
      if (sent.kind !== "sent") throw new Error(sent.why);
      expect((await bot.edit?.({ to: room }, sent.messageId, "draft"))?.kind).toBe("sent");
      await alice.hears(({ content }) => (content["m.new_content"] as { body?: string } | undefined)?.body === "draft");
    });
  });

  it("says so when a room is encrypted and encryption is off", async () => {
    const account = await homeserver.register("plain-bot");
    const host = createFakeHost({ directory: folder() });
    const bot = await connect({ homeserver: homeserver.url, accessToken: account.token, autoJoin: "always" }, host);
    const room = await createRoom(alice, account.userId, ENCRYPTED);
    await alice.hears(
      ({ type, content }) =>
        type === "m.room.member" && content["membership"] === "join" && content["displayname"] === "plain-bot",
    );
    expect(await bot.send(text("no", room, "hello"), never)).toMatchObject({ reason: "rejected", why: /encryption/ });
    await bot.close();
  });
});

async function fetched(bot: ChannelConnection, event: ChannelEvent): Promise<string> {
  const [media] = event.content.kind === "message" ? (event.content.media ?? []) : [];
  const parts: Uint8Array[] = [];
  for await (const part of (await bot.download?.(media?.ref ?? "", never)) ?? []) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
