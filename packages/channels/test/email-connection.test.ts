// How an account starts, what it does with mail it missed, and what it says when something goes wrong.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeClock, createFakeHost } from "@chela/sdk/testing";
import { emailChannel } from "../src/email/channel.ts";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { settingsFor, startBot } from "./email-bot.test-support.ts";
import { handOver, openLetterbox } from "./email-people.test-support.ts";
import { address, canServeMail, PASSWORD, startMailServers, type MailServers } from "./email-servers.test-support.ts";
import { startRefusingServer } from "./email-refusing-server.test-support.ts";
import { startRelay } from "./relay.test-support.ts";

const isPossible = canServeMail();
if (!isPossible) warnNotTested("the connection to mail servers", "Postfix and Dovecot cannot be installed here");

describe.skipIf(!isPossible)("an e-mail account", () => {
  let servers: MailServers;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "chela-email-"));
    servers = await startMailServers();
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  const settings = (change: Record<string, unknown> = {}) => ({ ...settingsFor(servers), ...change });
  const imap = (change: object) => ({
    imap: { host: "localhost", port: servers.imapPort, password: PASSWORD, ...change },
  });
  const smtp = (change: object) => ({ smtp: { host: "localhost", port: servers.smtpPort, ...change } });

  it("leaves alone what was there before the first start, and takes up what came while it was away", async () => {
    await handOver(servers, { text: "from before." });
    const first = await startBot(settings());
    await handOver(servers, { text: "the first one." });
    await first.said("the first one.");
    await first[Symbol.asyncDispose]();
    await handOver(servers, { text: "while you were away." });
    await using second = await startBot(settings(), first.host.memory);
    await second.said("while you were away.");
    const texts = [...first.host.events, ...second.host.events].map(({ content }) => "text" in content && content.text);
    expect(texts.map((text) => String(text).split("\n").at(-1))).toEqual(["the first one.", "while you were away."]);
  });

  it("reads the latest mail again when the mailbox was made anew, as the same events", async () => {
    const first = await startBot(settings());
    await handOver(servers, { text: "know me again." });
    const event = await first.said("know me again.");
    await first[Symbol.asyncDispose]();
    const { memory } = first.host;
    const [key = "", kept = ""] = [...memory].find(([name]) => name.startsWith("cursor:")) ?? [];
    memory.set(key, JSON.stringify({ ...JSON.parse(kept), uidValidity: "1", uid: 4_000_000 }));
    await using second = await startBot(settings(), memory);
    expect((await second.said("know me again.")).id).toBe(event.id);
    await handOver(servers, { text: "and something new." });
    await second.said("and something new.");
  });

  it("asks a silent server for a sign of life", async () => {
    await using relay = await startRelay(servers.plainImapPort);
    const clock = createFakeClock();
    const host = createFakeHost({ directory, clock });
    const configured = emailChannel.configure(settings(imap({ port: relay.port, tls: false })), () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    const connection = await emailChannel.start(configured.account, host);
    await relay.wrote(/ IDLE\r\n/);
    await clock.advance(25_000);
    await relay.wrote(/ NOOP\r\n/);
    expect(host.signs.count).toBeGreaterThan(0);
    await connection.close();
  });

  it("takes the password from a file, and TLS after the greeting", async () => {
    const passwordFile = join(directory, "password");
    writeFileSync(passwordFile, `${PASSWORD}\n`);
    const { password: _, ...server } = imap({ port: servers.plainImapPort, tls: "starttls" }).imap;
    await using bot = await startBot(settings({ imap: server, passwordFile }));
    expect(bot.host.reported).toMatchObject({ linked: true, connected: true, self: { id: address("bot") } });
    expect(await bot.connection.probe?.()).toMatchObject({ address: address("bot") });
  });

  it.each([
    [
      "a wrong password for reading",
      () => ({ ...imap({ password: "wrong-horse" }), ...smtp({ password: PASSWORD }) }),
      "CHANNEL_AUTH",
    ],
    ["a wrong password for sending", () => smtp({ password: "wrong-horse" }), "CHANNEL_AUTH"],
    ["a certificate nobody vouches for", () => ({ tlsCa: undefined }), "CHANNEL_OFFLINE"],
    ["a server that is not there", () => imap({ port: 1 }), "CHANNEL_OFFLINE"],
    ["a mailbox that is not there", () => imap({ mailbox: "Nowhere" }), "CHANNEL_SETTINGS"],
    ["a password file that is not there", () => ({ passwordFile: "/nowhere/at/all" }), "CHANNEL_SETTINGS"],
  ])("does not start with %s, and keeps the password to itself", async (_, change, code) => {
    const error = await startBot(settings(change())).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ code });
    expect(`${error?.message}`).not.toMatch(/wrong-horse|correct-horse/);
  });

  it("says what became of a mail that could not be sent", async () => {
    await using bot = await startBot(settings());
    const path = join(directory, "large.bin");
    writeFileSync(path, Buffer.alloc(2_000_000));
    const media = { kind: "file" as const, path, mimeType: "application/octet-stream", name: "x", bytes: 2_000_000 };
    expect(await bot.send("a", { to: address("nobody") }, "hello")).toMatchObject({ reason: "unreachable" });
    expect(await bot.send("b", { to: "somebody@elsewhere.test" }, "hello")).toMatchObject({ kind: "failed" });
    expect(await bot.send("c", { to: "no address" }, "hello")).toMatchObject({ reason: "rejected" });
    expect(await bot.send("d", { to: address("alice") }, { kind: "media", media })).toMatchObject({
      reason: "rejected",
    });
    expect(await bot.send("e", { to: address("alice") }, "still here")).toMatchObject({ kind: "sent" });
  });

  it("tells apart what may work later from what never will", async () => {
    const cases = {
      greylisted: { at: "RCPT", answer: "450 4.2.0 try again later", reason: "unavailable" },
      closing: { at: "RCPT", answer: "421 4.7.0 too many of you", reason: "unavailable" },
      busy: { at: "DATA", answer: "451 4.3.0 something is wrong here", reason: "unavailable" },
      unknown: { at: "RCPT", answer: "550 no such person", reason: "unreachable" },
      disabled: { at: "RCPT", answer: "550 5.2.1 the mailbox is shut", reason: "unreachable" },
      policy: { at: "RCPT", answer: "550 5.7.1 not from you", reason: "rejected" },
      content: { at: "DATA", answer: "554 5.6.0 not such a mail", reason: "rejected" },
      unsent: { at: "DATA", answer: "550 5.1.1 said too late", reason: "rejected" },
      stranger: { at: "RCPT", answer: "530 5.7.0 who are you", reason: "unauthorised" },
    } as const;
    await using server = await startRefusingServer(cases);
    await using bot = await startBot(settings(smtp({ port: server.port, tls: false })));
    for (const [name, { answer, reason }] of Object.entries(cases)) {
      expect(await bot.send(name, { to: address(name) }, "hello")).toEqual({ kind: "failed", reason, why: answer });
    }
    expect(await bot.send("fine", { to: address("fine") }, "hello")).toMatchObject({ kind: "sent" });
  });

  it("does not know whether a mail was sent when the line breaks at its end, and does not send it twice by itself", async () => {
    await using relay = await startRelay(servers.smtpPort);
    await using alice = await openLetterbox(servers, "alice");
    await using bot = await startBot(settings(smtp({ port: relay.port, tls: false })));
    const before = (await alice.mails(0)).length;
    const sending = bot.send("lost", { to: address("alice") }, "did you get this?");
    await relay.wrote(/\r\n\.\r\n/);
    relay.mute();
    // The server has it, and its answer does not arrive.
    await alice.mails(before + 1);
    relay.cut();
    expect(await sending).toMatchObject({ kind: "failed", reason: "uncertain" });
    expect(await alice.mails(before + 1)).toHaveLength(before + 1);
  });

  it("tries again with a new line when the server hung up in between", async () => {
    await using relay = await startRelay(servers.smtpPort);
    await using bot = await startBot(settings(smtp({ port: relay.port, tls: false })));
    expect(await bot.send("first", { to: address("alice") }, "one")).toMatchObject({ kind: "sent" });
    relay.cut();
    expect(await bot.send("second", { to: address("alice") }, "two")).toMatchObject({ kind: "sent" });
  });

  it("says that nothing was sent when there is no server, and when it was told to stop", async () => {
    const relay = await startRelay(servers.smtpPort);
    await using bot = await startBot(settings(smtp({ port: relay.port, tls: false })));
    await relay[Symbol.asyncDispose]();
    expect(await bot.send("gone", { to: address("alice") }, "one")).toMatchObject({ reason: "unavailable" });
    const message = { key: "k", target: { to: address("alice") }, mayHaveArrived: false };
    const content = { kind: "text" as const, markdown: "hello" };
    const stopped = await bot.connection.send({ ...message, content }, AbortSignal.abort());
    expect(stopped).toMatchObject({ kind: "failed", reason: "unavailable" });
  });

  it("keeps what it sent in the folder for it, once, and finds it there", async () => {
    await using bot = await startBot(settings());
    await using sent = await openLetterbox(servers, "bot", "Sent Items");
    const before = (await sent.mails(0)).length;
    const outcome = await bot.send("receipt", { to: address("alice") }, "for the file");
    const [mail] = (await sent.mails(before + 1)).slice(before);
    expect(mail?.messageId).toBe(`<${outcome.kind === "sent" ? outcome.messageId : ""}>`);
    const message = { target: { to: address("alice") }, content: { kind: "text" as const, markdown: "" } };
    expect(await bot.connection.findSent?.({ ...message, key: "receipt", mayHaveArrived: true })).toEqual({
      kind: "sent",
      messageId: outcome.kind === "sent" ? outcome.messageId : "",
    });
    expect(await bot.connection.findSent?.({ ...message, key: "never", mayHaveArrived: true })).toBeUndefined();
  });
});
