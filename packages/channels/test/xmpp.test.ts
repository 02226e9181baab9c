// XMPP on a real server, prosody: who is who in rooms, what was missed, corrections, reactions, files, and forgeries.
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { xml } from "@xmpp/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GatewayError } from "@chela/sdk";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { failToStart, startBot } from "./xmpp-bot.test-support.ts";
import { XmppPerson } from "./xmpp-person.test-support.ts";
import { findProsody, startProsody, type XmppServer } from "./xmpp-server.test-support.ts";

const BOT = "chela@localhost";
const ALICE = "alice@localhost";
const program = findProsody();
if (!program) warnNotTested("XMPP", "prosody cannot be installed here");

describe.skipIf(!program)("XMPP on prosody", () => {
  let server: XmppServer;
  let alice: XmppPerson;
  let mallory: XmppPerson;
  beforeAll(async () => {
    server = await startProsody(program ?? "");
    alice = await XmppPerson.connect(server, "alice");
    mallory = await XmppPerson.connect(server, "mallory");
  });
  afterAll(async () => {
    await Promise.all([alice?.[Symbol.asyncDispose](), mallory?.[Symbol.asyncDispose]()]);
    await server?.[Symbol.asyncDispose]();
  });

  describe("in a room where everybody sees who is who", () => {
    it("people are their addresses: S-09, a nick that changes hands does not bring its rights", async () => {
      await alice.join(server.openRoom, "Boss");
      await mallory.join(server.openRoom, "Mallory");
      await using bot = await startBot(server, { rooms: [server.openRoom] });
      await alice.sayInRoom(server.openRoom, "from alice");
      expect(await bot.hears("from alice")).toMatchObject({
        chat: { kind: "group", id: server.openRoom },
        sender: { id: ALICE, name: "Boss" },
        replyTarget: { to: `room:${server.openRoom}` },
      });
      await alice.join(server.openRoom, "Alice");
      await mallory.join(server.openRoom, "Boss");
      const forged = xml("x", { xmlns: "http://jabber.org/protocol/muc#user" }, xml("item", { jid: ALICE }));
      await mallory.sayInRoom(
        server.openRoom,
        "let me in",
        forged,
        xml("occupant-id", { xmlns: "urn:xmpp:occupant-id:0", id: "x" }),
      );
      expect((await bot.hears("let me in")).sender).toEqual({ id: "mallory@localhost", name: "Boss" });
    });

    it("our own echo is no event, and names our message for reactions and corrections", async () => {
      await using bot = await startBot(server, { rooms: [{ jid: server.openRoom, nick: "Chela" }] });
      const outcome = await bot.say(`room:${server.openRoom}`, "hello **all**");
      const heard = await alice.hearsText("hello *all*");
      expect(outcome).toEqual({ kind: "sent", messageId: heard.getChild("stanza-id")?.attrs["id"] });
      if (outcome.kind !== "sent") return;
      await alice.sayInRoom(server.openRoom, reactionsOn(outcome.messageId, "🎉"));
      expect(await bot.host.next(({ content }) => content.kind === "reaction")).toMatchObject({
        sender: { id: ALICE },
        content: { emoji: "🎉", isRemoved: false, on: outcome.messageId, onOurs: true },
      });
      await bot.connection.edit?.({ to: `room:${server.openRoom}` }, outcome.messageId, "hello again");
      const corrected = await alice.hearsText("hello again");
      expect(corrected.getChild("replace")?.attrs["id"]).toBe(heard.attrs["id"]);
      expect(bot.host.events.map(({ content }) => content.kind)).toEqual(["reaction"]);
    });
  });

  it("in a room that hides addresses people are ids of the room, and its archive knows them too", async () => {
    await alice.join(server.maskedRoom, "Alice");
    await mallory.join(server.maskedRoom, "Mallory");
    const memory = new Map<string, string>();
    // By name: two connections of two people have no order.
    const ids = new Map<string | undefined, string>();
    {
      await using bot = await startBot(server, { rooms: [server.maskedRoom] }, memory);
      for (const person of [alice, mallory]) await person.sayInRoom(server.maskedRoom, "who am I");
      for (const _person of [alice, mallory]) {
        const { sender } = await bot.hears("who am I");
        ids.set(sender.name, sender.id);
      }
    }
    expect(new Set(ids.values()).size).toBe(2);
    for (const id of ids.values()) expect(id).toMatch(/^occupant:masked@masked\.localhost\/.+/);
    await alice.join(server.maskedRoom, "Nobody");
    await mallory.join(server.maskedRoom, "Alice");
    await mallory.sayInRoom(server.maskedRoom, "while you were away");
    await using bot = await startBot(server, { rooms: [server.maskedRoom] }, memory);
    expect((await bot.hears("while you were away")).sender).toEqual({
      id: ids.get("Mallory"),
      name: "Alice",
    });
  });

  it("takes up what was written while it was away, once, and nothing from before its first start", async () => {
    await alice.join(server.openRoom, "Alice");
    await alice.say(BOT, "long ago");
    await alice.sayInRoom(server.openRoom, "long ago here");
    const memory = new Map<string, string>();
    {
      await using bot = await startBot(server, { rooms: [server.openRoom] }, memory);
      await alice.say(BOT, "now");
      await bot.hears("now");
    }
    await alice.say(BOT, "missed directly");
    await alice.sayInRoom(server.openRoom, "missed in the room");
    await using bot = await startBot(server, { rooms: [server.openRoom] }, memory);
    expect((await bot.hears("missed directly")).sender.id).toBe(ALICE);
    expect((await bot.hears("missed in the room")).sender.id).toBe(ALICE);
    await alice.say(BOT, "the end");
    await bot.hears("the end");
    const texts = bot.host.events.map(({ content }) => ("text" in content ? content.text : ""));
    expect(texts.toSorted()).toEqual(["missed directly", "missed in the room", "the end"]);
  });

  it("understands corrections, reactions and answers, and makes them", async () => {
    await using bot = await startBot(server);
    const first = await alice.say(BOT, "good mornig");
    expect((await bot.hears("good mornig")).messageId).toBe(first);
    await alice.say(BOT, "good morning", xml("replace", { xmlns: "urn:xmpp:message-correct:0", id: first }));
    expect((await bot.host.next(({ content }) => content.kind === "edit")).content).toEqual({
      kind: "edit",
      of: first,
      text: "good morning",
    });
    const outcome = await bot.say(ALICE, "an answer", { replyTo: first });
    const answer = await alice.hearsText("an answer");
    expect(answer.getChild("reply")?.attrs["id"]).toBe(first);
    expect(outcome).toEqual({ kind: "sent", messageId: answer.attrs["id"] });

    await bot.connection.typing?.({ to: ALICE });
    await alice.hears((stanza) => stanza.getChild("composing") !== undefined);
    await bot.connection.react?.({ to: ALICE }, first, "👍", false);
    await bot.connection.react?.({ to: ALICE }, first, "👀", false);
    const both = await alice.hears((stanza) => stanza.getChild("reactions")?.getChildren("reaction").length === 2);
    expect(both.getChild("reactions")?.attrs["id"]).toBe(first);
    await bot.connection.markRead?.({ to: ALICE }, first);
    await alice.hears((stanza) => stanza.getChild("displayed")?.attrs["id"] === first);
    const history = await bot.connection.history?.({ to: ALICE }, { limit: 2 });
    expect(history?.at(-1)).toMatchObject({ text: "an answer", isOurs: true });
  });

  it("reads long texts whole, wherever the network cuts them", async () => {
    await using bot = await startBot(server);
    const text = `é${"🦞ü€".repeat(8000)}`;
    await alice.say(BOT, text);
    const { content } = await bot.hears("🦞");
    expect(content.kind === "message" && content.text === text).toBe(true);
  });

  it("knows from the archive whether a message arrived", async () => {
    await using bot = await startBot(server);
    const message = {
      key: "k",
      target: { to: ALICE },
      content: { kind: "text", markdown: "once" },
      mayHaveArrived: true,
    } as const;
    expect(await bot.connection.findSent?.({ ...message, target: { to: "mallory@localhost" } })).toMatchObject({
      kind: "failed",
      reason: "unavailable",
    });
    const sent = await bot.say(ALICE, "once", { key: "k" });
    expect(await bot.connection.findSent?.(message)).toEqual(sent);
  });

  it("brings files to the server, and fetches those of others", async () => {
    await using bot = await startBot(server);
    const path = join(bot.directory, "note.txt");
    writeFileSync(path, "a small file");
    const media = { kind: "file", path, mimeType: "text/plain", name: "note.txt", bytes: 12 } as const;
    expect(await bot.say(ALICE, { kind: "media", media, caption: "look" })).toMatchObject({ kind: "sent" });
    const shown = await alice.hears((stanza) => stanza.getChild("x", "jabber:x:oob") !== undefined);
    const url = shown.getChild("x", "jabber:x:oob")?.getChildText("url") ?? "";
    expect(shown.getChildText("body")).toBe(`look\n${url}`);

    await alice.say(BOT, url, xml("x", { xmlns: "jabber:x:oob" }, xml("url", {}, url)));
    const { content } = await bot.host.next(({ content: each }) => each.kind === "message" && each.media !== undefined);
    const [file] = content.kind === "message" ? (content.media ?? []) : [];
    expect(file).toMatchObject({ kind: "file", name: "note.txt" });
    const bytes = await bot.connection.download?.(file?.ref ?? "", new AbortController().signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("a small file");
    const large = { ...media, bytes: 5 * 1024 * 1024 };
    expect(await bot.say(ALICE, { kind: "media", media: large })).toMatchObject({ kind: "failed", reason: "rejected" });
  });

  it("believes no copy and no archive that a person sends", async () => {
    await using bot = await startBot(server);
    const inner = xml(
      "message",
      { xmlns: "jabber:client", from: ALICE, to: BOT, type: "chat" },
      xml("body", {}, "I am alice"),
    );
    const forwarded = xml("forwarded", { xmlns: "urn:xmpp:forward:0" }, inner);
    await mallory.say(BOT, xml("received", { xmlns: "urn:xmpp:carbons:2" }, forwarded));
    await mallory.say(BOT, xml("result", { xmlns: "urn:xmpp:mam:2", queryid: "1", id: "1" }, forwarded));
    await mallory.say(BOT, "it is me");
    expect((await bot.hears("it is me")).sender.id).toBe("mallory@localhost");
    expect(bot.host.events).toHaveLength(1);
  });

  it("gives way when somebody else logs in with the same name, and says so", async () => {
    await using first = await startBot(server);
    await using _second = await startBot(server);
    expect(await first.connection.ended).toMatchObject({ isConflict: true });
  });

  it("connects with TLS from the start, too", async () => {
    await using bot = await startBot(server, { service: `xmpps://localhost:${server.directTlsPort}` });
    expect(await bot.say(ALICE, "encrypted from the start")).toMatchObject({ kind: "sent" });
  });

  it.each([
    ["a wrong password", { password: "wrong-horse" }, "CHANNEL_AUTH"],
    ["a certificate nobody vouches for", { tlsCa: "" }, "CHANNEL_OFFLINE"],
    ["a certificate of another domain", { jid: "chela@127.0.0.1" }, "CHANNEL_OFFLINE"],
    ["a port where nobody is", { service: "xmpp://127.0.0.1:9" }, "CHANNEL_OFFLINE"],
  ])("does not start with %s", async (_what, settings, code) => {
    const error = await failToStart(server, settings);
    expect(error).toMatchObject({ code });
    expect(String(GatewayError.is(error) ? error.explain() : error)).not.toContain("horse");
  });
});

describe.skipIf(!program)("XMPP on a server without an archive", () => {
  it("acknowledges nothing that could not be written down, and gets it again", async () => {
    await using server = await startProsody(program ?? "", { hasArchive: false });
    await using alice = await XmppPerson.connect(server, "alice");
    {
      await using bot = await startBot(server);
      const refused = Promise.withResolvers<void>();
      bot.host.answer(async () => {
        refused.resolve();
        throw new Error("the disk is full");
      });
      await alice.say(BOT, "do not lose me");
      await refused.promise;
      expect((await bot.connection.ended).why).toContain("written");
    }
    await using bot = await startBot(server);
    expect((await bot.hears("do not lose me")).sender.id).toBe(ALICE);
    const message = {
      key: "k",
      target: { to: ALICE },
      content: { kind: "text", markdown: "x" },
      mayHaveArrived: true,
    } as const;
    expect(await bot.connection.findSent?.(message)).toBeUndefined();
  });
});

describe("somebody between us and the server", () => {
  const greeting = (features: string): string =>
    `<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' from='localhost' version='1.0'><stream:features>${features}</stream:features>`;
  const mechanisms = "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>";
  const starttls = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";

  it.each([
    ["offers no encryption", greeting(mechanisms), ""],
    [
      "slips a login in behind the word that encryption begins",
      greeting(starttls),
      `<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/><stream:features>${mechanisms}</stream:features>`,
    ],
  ])("who %s learns no password", async (_what, first, second) => {
    let heard = "";
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => {}));
      socket.once("data", () => socket.write(first));
      socket.on("data", (bytes) => {
        heard += bytes.toString("latin1");
        if (heard.includes("<starttls") && second !== "") socket.end(second);
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const error = await failToStart({ port: (server.address() as AddressInfo).port, certificate: "" }, { tlsCa: "" });
    expect(error).toMatchObject({ code: "CHANNEL_OFFLINE" });
    expect(heard).not.toContain("<auth");
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

function reactionsOn(id: string, ...emojis: readonly string[]) {
  return xml("reactions", { xmlns: "urn:xmpp:reactions:0", id }, ...emojis.map((emoji) => xml("reaction", {}, emoji)));
}
