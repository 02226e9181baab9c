// IRC on a server that has everything new: accounts, tags, messages of several lines, history.
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { createSelfSigned } from "../../gateway/test/support/in-process-tls.ts";
import { startBot } from "./irc-bot.test-support.ts";
import { IrcPerson } from "./irc-person.test-support.ts";
import { startRelay } from "./relay.test-support.ts";
import { findErgo, fingerprintOf, registerAccount, startErgo, type IrcServer } from "./irc-servers.test-support.ts";

const PASSWORD = "correct-horse";
const ergo = findErgo();
if (!ergo) warnNotTested("what IRC can do on ergo", "the ergochat package cannot be had");

describe.skipIf(!ergo)("IRC on ergo", () => {
  let server: IrcServer;
  let login: Record<string, unknown>;
  let count = 0;
  /** Nobody in one test meets anybody of another. */
  const fresh = (name: string): string => `${name}${++count}`;
  const person = (nick: string, account?: string, capabilities?: string[]) =>
    IrcPerson.connect({
      host: server.host,
      port: server.port,
      nick,
      ...(account ? { account: { account, password: PASSWORD } } : {}),
      ...(capabilities ? { capabilities } : {}),
    });

  beforeAll(async () => {
    server = await startErgo(ergo ?? "");
    await registerAccount(server, "chela", PASSWORD, true);
    await registerAccount(server, "alice", PASSWORD);
    login = { port: server.port, nickserv: { password: PASSWORD } };
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  it("logs in while connecting, and says who it is", async () => {
    await using bot = await startBot(login);
    expect(bot.host.reported).toMatchObject({
      linked: true,
      connected: true,
      self: { account: "chela", nick: "chela" },
    });
    expect(await bot.connection.probe?.()).toMatchObject({ nick: "chela" });
  });

  it("is refused with a wrong password, and does not repeat the password", async () => {
    const refused = startBot({ ...login, nickserv: { password: "wrong-secret" } });
    await expect(refused).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    await expect(refused).rejects.not.toThrow(/wrong-secret/);
  });

  it("registers the nick when it is told to, and is logged in then", async () => {
    const nick = fresh("newbot");
    await using bot = await startBot({ port: server.port, nick, nickserv: { password: PASSWORD, register: true } });
    expect(bot.host.reported.self).toMatchObject({ account: nick });
  });

  it("trusts a certificate only when its signer or its fingerprint is configured", async () => {
    const secure = { port: server.tlsPort, tls: true, nick: fresh("secure") };
    await expect(startBot(secure)).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
    await expect(startBot(secure)).rejects.toThrow(/tlsFingerprint/);
    await expect(startBot({ ...secure, tlsFingerprint: "00".repeat(32) })).rejects.toThrow(/not the one/);
    await using pinned = await startBot({ ...secure, tlsFingerprint: await fingerprintOf(server.certificate) });
    await using signed = await startBot({ ...secure, nick: fresh("secure"), tlsCa: server.certificate });
    for (const bot of [pinned, signed]) expect(bot.host.reported.connected).toBe(true);
  });

  it("logs in with a certificate of its own, and with the password while the certificate is not known", async () => {
    const directory = mkdtempSync(join(tmpdir(), "chela-irc-cert-"));
    const { cert, key } = createSelfSigned();
    const [tlsCert, tlsKey] = [join(directory, "cert.pem"), join(directory, "key.pem")];
    writeFileSync(tlsCert, cert);
    writeFileSync(tlsKey, key);
    const account = fresh("certbot");
    await registerAccount(server, account, PASSWORD);
    const secure = { port: server.tlsPort, tls: true, tlsCa: server.certificate, nick: account, tlsCert, tlsKey };
    await expect(startBot(secure)).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    {
      await using bot = await startBot({ ...secure, nickserv: { password: PASSWORD } });
      await bot.say("NickServ", `CERT ADD ${new X509Certificate(cert).fingerprint256}`);
      expect(bot.host.reported.self).toMatchObject({ account });
    }
    await using bot = await startBot(secure);
    expect(bot.host.reported.self).toMatchObject({ account });
    rmSync(directory, { recursive: true });
  });

  it("knows people by their account: whoever takes the nick of another is somebody else", async () => {
    await using bot = await startBot(login);
    await using victim = await person(fresh("vic"), "alice");
    const nick = victim.nick;
    victim.say("chela", "it is me");
    const real = await bot.hears("it is me");
    await victim.rename(fresh("vic"));
    await using attacker = await person(nick);
    attacker.say("chela", "it is me, too");
    const false_ = await bot.hears("it is me, too");
    expect(real.sender).toMatchObject({ id: "account:alice", name: nick });
    expect(false_.sender.name).toBe(nick);
    expect(false_.sender.id).not.toBe(real.sender.id);
    expect(false_.sender.otherIds).not.toContain(real.sender.id);
    expect(false_.chat.id).not.toBe(real.chat.id);
  });

  it("takes a nick for a person only when its owner is logged in under it", async () => {
    await using bot = await startBot(login);
    const { resolveName } = bot.connection;
    await using owner = await person("alice", "alice");
    expect(await resolveName?.(owner.nick, "user")).toBe("account:alice");
    await owner.rename(fresh("elsewhere"));
    expect(await resolveName?.(owner.nick, "user")).toBeUndefined();
    await using stranger = await person(fresh("stranger"));
    expect(await resolveName?.(stranger.nick, "user")).toBeUndefined();
    expect(await resolveName?.("nobody-at-all", "user")).toBeUndefined();
  });

  it("writes and reads messages of several lines as one", async () => {
    const room = `#${fresh("room")}`;
    await using bot = await startBot({ ...login, channels: [room] });
    await using alice = await person(fresh("lines"), undefined, ["draft/multiline"]);
    await alice.join(room);
    const text = `first\n${"long words ".repeat(60)}\nlast`;
    const outcome = await bot.say(room, text.replaceAll("\n", "\n\n"));
    expect(outcome.kind).toBe("sent");
    await alice.line(/ BATCH :?-/);
    const lines = alice.heard.filter(({ target }) => target === room);
    const joined = lines.map(
      (line, at) => (at > 0 && !("draft/multiline-concat" in line.tags) ? "\n" : "") + line.message,
    );
    expect(joined.join("")).toBe(text.replace(/ \n/, "\n"));

    alice.write(`BATCH +7 draft/multiline ${room}`);
    alice.write(`@batch=7 PRIVMSG ${room} :one`);
    alice.write(`@batch=7 PRIVMSG ${room} :two`);
    alice.write(`@batch=7;draft/multiline-concat PRIVMSG ${room} :three`);
    alice.write("BATCH -7");
    expect((await bot.hears("one")).content).toMatchObject({ text: "one\ntwothree" });
  });

  it("finds a message it sent before and does not send it again, and knows when it did not", async () => {
    const room = `#${fresh("room")}`;
    const message = (key: string) => ({
      key,
      target: { to: room },
      content: { kind: "text", markdown: "said before" } as const,
      mayHaveArrived: true,
    });
    for (const text of ["one line", "one\n\ntwo"]) {
      await using bot = await startBot({ ...login, channels: [room] });
      const outcome = await bot.say(room, text, { key: text });
      expect(await bot.connection.findSent?.(message(text))).toEqual(outcome);
      expect(await bot.connection.findSent?.(message("another-key"))).toBeUndefined();
      // The text is another one, so that a second message would have another id.
      expect(await bot.connection.send(message(text), new AbortController().signal)).toEqual(outcome);
    }
  });

  it("gives out history, and takes a message back", async () => {
    const room = `#${fresh("room")}`;
    await using bot = await startBot({ ...login, channels: [room] });
    await using alice = await person(fresh("reader"), undefined, ["draft/message-redaction"]);
    await alice.join(room);
    alice.say(room, "before");
    await bot.hears("before");
    const outcome = await bot.say(room, "after");
    const told = await bot.connection.history?.({ to: room }, { limit: 10 });
    expect(told?.map(({ text, isOurs }) => [text, isOurs])).toEqual([
      ["before", false],
      ["after", true],
    ]);
    const id = outcome.kind === "sent" ? outcome.messageId : "";
    await bot.connection.unsend?.({ to: room }, id);
    await alice.line(new RegExp(` REDACT ${room} :?${id}`));
    await expect(bot.connection.history?.({ to: "#not-there" }, { limit: 1 })).rejects.toMatchObject({
      code: "CHANNEL_REFUSED",
    });
  });

  it("shows that it writes, reacts, and hears reactions and answers to its messages", async () => {
    const room = `#${fresh("room")}`;
    await using bot = await startBot({ ...login, channels: [room] });
    await using alice = await person(fresh("tags"));
    await alice.join(room);
    await bot.connection.typing?.({ to: room });
    await alice.line(/\+typing=active\S* :chela\S* TAGMSG/);
    alice.say(room, "chela: react to this");
    const event = await bot.hears("react to this");
    expect(event.content).toMatchObject({ text: "react to this", mentionsUs: true });
    await bot.connection.react?.(event.replyTarget, event.messageId ?? "", "👍", false);
    await alice.line(new RegExp(`\\+draft/react=👍.*TAGMSG`));
    const outcome = await bot.say(room, "an answer", { replyTo: event.messageId ?? "" });
    expect(await alice.line(/an answer/)).toContain(`+draft/reply=${event.messageId}`);
    const id = outcome.kind === "sent" ? outcome.messageId : "";
    alice.write(`@+draft/react=🎉;+draft/reply=${id} TAGMSG ${room}`);
    const reaction = await bot.host.next(({ content }) => content.kind === "reaction");
    expect(reaction.content).toEqual({ kind: "reaction", emoji: "🎉", isRemoved: false, on: id, onOurs: true });
    alice.write(`@+draft/reply=${id} PRIVMSG ${room} :thank you`);
    expect((await bot.hears("thank you")).content).toMatchObject({ replyTo: { id, isOurs: true } });
  });

  it("takes up what was written in a channel while it was away, each message once", async () => {
    const room = `#${fresh("room")}`;
    await using alice = await person(fresh("patient"));
    const memory = new Map<string, string>();
    {
      await using bot = await startBot({ ...login, channels: [room] }, { memory });
      await alice.join(room);
      alice.say(room, "you hear this");
      await bot.hears("you hear this");
    }
    alice.say(room, "you are not here");
    alice.write("PING :written");
    await alice.line(/PONG .*written/);
    await using bot = await startBot({ ...login, channels: [room] }, { memory });
    expect((await bot.hears("you are not here")).chat).toMatchObject({ kind: "group", id: room });
    expect(bot.host.events.map(({ content }) => "text" in content && content.text)).toEqual(["you are not here"]);
  });

  it("does not know whether a message arrived when the wire breaks before the server confirms it", async () => {
    await using relay = await startRelay(server.port);
    await using bot = await startBot({ ...login, port: relay.port });
    relay.mute();
    const sending = bot.say("alice", "did it arrive?");
    await relay.wrote(/PING :chela-/);
    relay.cut();
    expect(await sending).toMatchObject({ kind: "failed", reason: "uncertain" });
    expect(await bot.say("alice", "too late")).toMatchObject({ kind: "failed", reason: "unavailable" });
    expect((await bot.connection.ended).why).not.toBe("");
    expect(bot.host.reported.connected).toBe(false);
  });

  it("comes back some time after it was thrown out of a channel", async () => {
    const room = `#${fresh("room")}`;
    const clock = createFakeClock(Date.now());
    await using alice = await person(fresh("boss"));
    await alice.join(room);
    await using bot = await startBot({ ...login, channels: [room] }, { clock });
    await alice.line(new RegExp(`:chela\\S* JOIN :?${room}`));
    alice.write(`KICK ${room} chela :out`);
    await alice.line(/ KICK /);
    // Told to us as well, before what follows.
    alice.say("chela", "gone?");
    await bot.hears("gone?");
    expect(await bot.say(room, "hello?")).toMatchObject({ kind: "failed", reason: "unavailable" });
    await clock.advance(10_000);
    await alice.until(() => alice.lines.filter((line) => / JOIN /.test(line) && line.includes(":chela")).length >= 2);
  });

  it("takes another nick when its own is in use, and its own as soon as it is free", async () => {
    const nick = fresh("wanted");
    const squatter = await person(nick);
    await using bot = await startBot({ port: server.port, nick });
    await using alice = await person(fresh("watcher"));
    expect(bot.host.reported.self).toMatchObject({ nick: `${nick}_` });
    await squatter[Symbol.asyncDispose]();
    const isBack = () => alice.lines.some((line) => line.includes(` 311 ${alice.nick} ${nick} `));
    while (!isBack()) {
      alice.write(`WHOIS ${nick}`);
      const before = alice.lines.length;
      await alice.until(() => alice.lines.slice(before).some((line) => / 318 /.test(line)));
    }
    alice.say(nick, "there you are");
    await bot.hears("there you are");
  });

  it("answers which program it is, and no other request and no notice", async () => {
    await using bot = await startBot(login);
    await using alice = await person(fresh("curious"));
    alice.notice("chela", "do not answer me");
    alice.say("chela", "\u0001TIME\u0001");
    alice.say("chela", "\u0001VERSION\u0001");
    await alice.line(/NOTICE \S+ :\cAVERSION Chela\cA/);
    alice.act("chela", "waves \u0002wildly\u0002");
    expect((await bot.hears("waves")).content).toMatchObject({ text: `* ${alice.nick} waves wildly` });
    expect(bot.host.events).toHaveLength(1);
  });

  it("names who is in a channel, with the ids they have when they speak", async () => {
    const room = `#${fresh("room")}`;
    await using alice = await person(fresh("member"), "alice");
    await alice.join(room);
    await using bot = await startBot({ ...login, channels: [room] });
    expect(await bot.connection.directory?.members?.(room, 10)).toEqual([
      { kind: "user", id: "account:alice", name: alice.nick },
    ]);
    expect(await bot.connection.directory?.groups?.("room", 10)).toContainEqual({
      kind: "group",
      id: room,
      name: room,
    });
  });
});
