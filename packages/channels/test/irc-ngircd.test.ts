// IRC on a server that knows nothing new: no accounts, no tags, nicks of nine letters, and it slows down who writes much.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { startBot } from "./irc-bot.test-support.ts";
import { IrcPerson } from "./irc-person.test-support.ts";
import { startRelay } from "./relay.test-support.ts";
import { findNgircd, startNgircd, type IrcServer } from "./irc-servers.test-support.ts";

const ngircd = findNgircd();
if (!ngircd) warnNotTested("what IRC can do on ngircd", "the ngircd package cannot be installed");

describe.skipIf(!ngircd)("IRC on ngircd", () => {
  let server: IrcServer;
  beforeAll(async () => {
    server = await startNgircd(ngircd ?? "");
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  const person = (nick: string, username = nick) =>
    IrcPerson.connect({ host: server.host, port: server.port, nick, username });

  it("offers only what the server can do", async () => {
    await using bot = await startBot({ port: server.port });
    const { connection } = bot;
    for (const method of ["typing", "react", "history", "findSent", "unsend"] as const) {
      expect(connection[method]).toBeUndefined();
    }
  });

  it("cuts a nick that is too long for the server", async () => {
    await using bot = await startBot({ port: server.port, nick: "chela-the-gateway" });
    expect(bot.host.reported.self).toMatchObject({ nick: "chela-the" });
    await using second = await startBot({ port: server.port, nick: "chela-the-gateway" });
    expect(second.host.reported.self).toMatchObject({ nick: "chela-th_" });
  });

  it("says why when the server does not allow the nick at all", async () => {
    await expect(startBot({ port: server.port, nick: "9lives" })).rejects.toMatchObject({ code: "CHANNEL_SETTINGS" });
  });

  it("knows people by their address: whoever takes the nick of another is somebody else", async () => {
    await using bot = await startBot({ port: server.port });
    await using victim = await person("victim");
    victim.say("chela", "the real one");
    const real = await bot.hears("the real one");
    expect(await bot.connection.resolveName?.("victim", "user")).toBe(real.sender.id);
    await victim.rename("other");
    await using attacker = await person("victim", "mallory");
    attacker.say("chela", "the false one");
    const pretended = await bot.hears("the false one");
    expect(real.sender).toMatchObject({ id: "host:~victim@127.0.0.1", name: "victim" });
    expect(pretended.sender).toMatchObject({ id: "host:~mallory@127.0.0.1", name: "victim" });
    expect(pretended.sender.otherIds).not.toContain(real.sender.id);
  });

  it("cuts long texts into lines the server does not cut again", async () => {
    await using bot = await startBot({ port: server.port, channels: ["#Long secret"] });
    await using alice = await person("alice");
    const text = "naïve 🦞 words ".repeat(60).trim();
    const done = bot.say("alice", text);
    await alice.until(() => alice.directly().join(" ").length >= text.length);
    expect(alice.directly().join(" ")).toBe(text);
    for (const line of alice.lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(512);
    expect((await done).kind).toBe("sent");
    expect(await bot.say("#elsewhere", "hello")).toMatchObject({ kind: "failed", reason: "unreachable" });
  });

  it("cannot be made to write commands by what it says or where", async () => {
    await using relay = await startRelay(server.port);
    await using bot = await startBot({ port: relay.port });
    await using alice = await person("alice");
    const outcome = await bot.say("alice", "one\r\nQUIT :two\0three\u0001VERSION\u0001");
    expect(outcome.kind).toBe("sent");
    await alice.until(() => alice.directly().length >= 2);
    expect(alice.directly()).toEqual(["one", "QUIT :two\uFFFDthreeVERSION"]);
    for (const to of ["alice\r\nQUIT", "alice bob", "alice,bob", "$*", ""]) {
      expect(await bot.say(to, "hello")).toMatchObject({ kind: "failed", reason: "rejected" });
    }
    expect(bot.host.reported.connected).toBe(true);
  });

  it("offers a message again that could not be written down, and those after it later", async () => {
    const clock = createFakeClock(Date.now());
    await using bot = await startBot({ port: server.port }, { clock });
    await using alice = await person("alice");
    let refusals = 0;
    const refused = Promise.withResolvers<void>();
    bot.host.answer(async () => {
      if (++refusals > 1) return { kind: "accepted" };
      refused.resolve();
      throw new Error("the disk is full");
    });
    alice.say("chela", "first");
    alice.say("chela", "second");
    await refused.promise;
    await clock.advance(0);
    await clock.advance(1000);
    await bot.hears("second");
    const texts = bot.host.events.map(({ content }) => content.kind === "message" && content.text);
    expect(texts).toEqual(["first", "first", "second"]);
  });

  it("joins a channel that has a key, and takes its name in any case for the same", async () => {
    await using alice = await person("alice");
    await alice.join("#Keyed");
    alice.write("MODE #Keyed +k secret");
    await alice.line(/ MODE #Keyed /);
    await using bot = await startBot({ port: server.port, channels: ["#keyed secret"] });
    alice.say("#KEYED", "Chela, are you there?");
    const event = await bot.hears("are you there?");
    expect(event).toMatchObject({ chat: { kind: "group", id: "#keyed" }, content: { mentionsUs: true } });
    expect((await bot.say(event.replyTarget.to, "yes")).kind).toBe("sent");
    await alice.message(({ message }) => message === "yes");
  });
});

describe.skipIf(!ngircd)("IRC on a server with a password", () => {
  it("is let in with it, and told what is wrong without it", async () => {
    await using server = await startNgircd(ngircd ?? "", { password: "opensesame" });
    await using bot = await startBot({ port: server.port, password: "opensesame" });
    expect(bot.host.reported.connected).toBe(true);
    const refused = startBot({ port: server.port, nick: "other", password: "guessed-wrong" });
    await expect(refused).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    await expect(refused).rejects.not.toThrow(/guessed-wrong/);
  });
});

describe.skipIf(!ngircd)("IRC on a server that slows down who writes much", () => {
  it("is not thrown out for a long answer", async () => {
    await using server = await startNgircd(ngircd ?? "", { slowsDown: true });
    await using bot = await startBot({ port: server.port });
    await using alice = await IrcPerson.connect({ host: server.host, port: server.port, nick: "alice" });
    const lines = Array.from({ length: 6 }, (_, index) => `line ${index}`);
    expect((await bot.say("alice", lines.join("\n"))).kind).toBe("sent");
    await alice.until(() => alice.directly().length >= lines.length);
    expect(alice.directly()).toEqual(lines);
  });
});
