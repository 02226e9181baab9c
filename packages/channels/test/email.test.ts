// Mail between people and us, through real servers: threads, files, what is passed over, and what goes wrong.
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testChannel } from "@chela/sdk/testing";
import { emailChannel } from "../src/email/channel.ts";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { settingsFor, startBot, type Bot } from "./email-bot.test-support.ts";
import { EXCHANGER, handOver, openLetterbox, type Draft, type Letterbox } from "./email-people.test-support.ts";
import { address, canServeMail, startMailServers, type MailServers } from "./email-servers.test-support.ts";
import { startRelay } from "./relay.test-support.ts";

const isPossible = canServeMail();
if (!isPossible) warnNotTested("mail between people and us", "Postfix and Dovecot cannot be installed here");

async function readAll(stream: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe.skipIf(!isPossible)("e-mail", () => {
  let servers: MailServers;
  let alice: Letterbox;
  let bot: Bot;

  beforeAll(async () => {
    servers = await startMailServers();
    alice = await openLetterbox(servers, "alice");
    bot = await startBot({ ...settingsFor(servers), maxMessageMb: 1 });
  });
  afterAll(async () => {
    await bot?.[Symbol.asyncDispose]();
    await alice?.[Symbol.asyncDispose]();
    await servers?.[Symbol.asyncDispose]();
  });

  const say = (draft: Draft): Promise<void> => handOver(servers, draft);
  const lastMail = async (count: number) => (await alice.mails(count)).at(-1);

  /** Mails are taken in order: when the last one is there, all before it were looked at. */
  async function sayAll(name: string, drafts: readonly Draft[]): Promise<void> {
    for (const [index, draft] of drafts.entries()) await say({ messageId: `${name}-${index}@example.test`, ...draft });
    await say({ text: `the end of ${name}.` });
    await bot.said(`the end of ${name}.`);
  }
  const wasHeard = (messageId: string): boolean => bot.host.events.some((event) => event.messageId === messageId);

  testChannel("E-mail", async () => {
    const relay = await startRelay(servers.imapPort);
    let name = "Alice";
    return {
      channel: emailChannel,
      settings: settingsFor(servers, { imapPort: relay.port }),
      peer: {
        say: (text) => say({ from: `${name} <${address("alice")}>`, text }),
        heard: async (count) => (await alice.mails(count)).map(({ text }) => text ?? ""),
        rename: async (next) => void (name = next),
        nowhere: address("nobody"),
        cut: async () => relay.cut(),
        redelivers: true,
      },
      [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
    };
  });

  describe("threads", () => {
    it("answers in the thread, to the sender alone, so that no machine answers back", async () => {
      const before = (await alice.mails(0)).length;
      await say({
        subject: "=?utf-8?q?Gr=C3=BC=C3=9Fe?=",
        messageId: "first@example.test",
        headers: [`Cc: ${address("mallory")}`, `Reply-To: ${address("mallory")}`],
        text: "How are you?",
      });
      const event = await bot.said("How are you?");
      expect(event).toMatchObject({
        messageId: "first@example.test",
        chat: { kind: "direct", id: address("alice"), threadId: "first@example.test", title: "Grüße" },
        replyTarget: { to: address("alice"), threadId: "first@example.test" },
        content: { text: "Subject: Grüße\n\nHow are you?", mentionsUs: false },
      });
      const sent = await bot.send("thread-1", event.replyTarget, "**Fine**, thank you.", event.messageId);
      expect(sent).toMatchObject({ kind: "sent", chatId: address("alice") });
      const mail = await lastMail(before + 1);
      expect(mail).toMatchObject({
        subject: "Re: Grüße",
        from: { address: address("bot"), name: "The Bot" },
        to: [{ address: address("alice") }],
        inReplyTo: "<first@example.test>",
        references: "<first@example.test>",
      });
      expect(mail?.cc).toBeUndefined();
      expect(mail?.text?.trim()).toBe("Fine, thank you.");
      expect(mail?.html).toContain("<p><b>Fine</b>, thank you.</p>");
      const header = (key: string) => mail?.headers.find((one) => one.key === key)?.value;
      expect(header("auto-submitted")).toBe("auto-replied");
      expect(header("message-id")).toBe(`<${sent.kind === "sent" ? sent.messageId : ""}>`);
    });

    it("knows an answer to an answer by its thread, also after a restart", async () => {
      const before = (await alice.mails(0)).length;
      await say({ subject: "Plans", messageId: "plans@example.test", text: "Any plans?" });
      const first = await bot.said("Any plans?");
      const sent = await bot.send("plans-1", first.replyTarget, "Not yet.");
      const ours = sent.kind === "sent" ? sent.messageId : "";
      await bot[Symbol.asyncDispose]();
      bot = await startBot({ ...settingsFor(servers), maxMessageMb: 1 }, bot.host.memory);
      await say({
        subject: "Re: Plans",
        messageId: "plans-3@example.test",
        headers: [`In-Reply-To: <${ours}>`, `References: <plans@example.test> <${ours}>`],
        text: "And now?\r\n\r\nOn Mon, 2 Nov 2026 at 10:00, The Bot <bot@example.test> wrote:\r\n> Not yet.",
      });
      const second = await bot.said("And now?");
      expect(second).toMatchObject({
        chat: { threadId: "plans@example.test" },
        content: { text: "And now?", replyTo: { id: ours, isOurs: true, text: expect.stringContaining("> Not yet.") } },
      });
      await bot.send("plans-2", second.replyTarget, "Still not.");
      expect(await lastMail(before + 2)).toMatchObject({
        subject: "Re: Plans",
        inReplyTo: "<plans-3@example.test>",
        references: `<plans@example.test> <${ours}> <plans-3@example.test>`,
      });
    });

    it("begins a thread with its first line as subject", async () => {
      const before = (await alice.mails(0)).length;
      await bot.send("new-1", { to: address("alice") }, "# Good news\n\nIt works.");
      const mail = await lastMail(before + 1);
      expect(mail?.subject).toBe("Good news");
      expect(mail?.inReplyTo).toBeUndefined();
    });

    it("does not let anybody write into a header", async () => {
      const before = (await alice.mails(0)).length;
      const target = { to: address("alice"), threadId: "x@y\r\nBcc: mallory@example.test" };
      await bot.send("header-1", target, "hello", "a@b>\r\nBcc: <mallory@example.test");
      const mail = await lastMail(before + 1);
      expect(mail?.headers.map(({ key }) => key)).not.toContain("bcc");
      expect(mail?.inReplyTo).toBeUndefined();
    });
  });

  describe("files", () => {
    it("hands over files and pictures, and fetches their bytes later", async () => {
      const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));
      const body = [
        "--b",
        "Content-Type: text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Hier die Pl=E4ne",
        "--b",
        'Content-Type: image/png; name="a/b.png"',
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: inline",
        "",
        (bytes.toString("base64").match(/.{1,76}/g) ?? []).join("\r\n"),
        "--b--",
        "",
      ].join("\r\n");
      await say({ headers: ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b"], body });
      const { content } = await bot.said("Hier die Pläne");
      const [file] = content.kind === "message" ? (content.media ?? []) : [];
      expect(file).toMatchObject({ kind: "image", mimeType: "image/png", name: "b.png" });
      const stream = await bot.connection.download?.(file?.ref ?? "", new AbortController().signal);
      expect(await readAll(stream)).toEqual(bytes);
      const stopped = bot.connection.download?.(file?.ref ?? "", AbortSignal.abort()).then(readAll);
      await expect(stopped).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
      const moved = JSON.stringify({ ...JSON.parse(file?.ref ?? "{}"), uidValidity: "1" });
      for (const ref of [moved, "{}", '{"uidValidity":"1","uid":1,"part":"1] BODY[2"}']) {
        const refused = bot.connection.download?.(ref, new AbortController().signal).then(readAll);
        await expect(refused).rejects.toMatchObject({ code: "CHANNEL_REFUSED" });
      }
    });

    it("sends a file with its caption", async () => {
      const before = (await alice.mails(0)).length;
      const path = join(tmpdir(), `chela-email-${process.pid}.txt`);
      writeFileSync(path, "what is in it");
      const media = { kind: "file" as const, path, mimeType: "text/plain", name: "Notiz ä.txt", bytes: 13 };
      const outcome = await bot.send("file-1", { to: address("alice") }, { kind: "media", media, caption: "Look" });
      rmSync(path);
      expect(outcome.kind).toBe("sent");
      const mail = await lastMail(before + 1);
      const [attached] = mail?.attachments ?? [];
      expect(attached).toMatchObject({ filename: "Notiz ä.txt", mimeType: "text/plain" });
      expect(Buffer.from(attached?.content as ArrayBuffer).toString()).toBe("what is in it");
      expect(mail?.text?.trim()).toBe("Look");
      expect(await bot.send("file-2", { to: address("alice") }, { kind: "media", media })).toMatchObject({
        reason: "rejected",
      });
    });

    it("tells of a mail that is too large instead of reading it", async () => {
      await say({ subject: "Holiday pictures", text: "x".repeat(70).concat("\r\n").repeat(16_000) });
      const event = await bot.said("Holiday pictures");
      expect(event.content).toMatchObject({ kind: "notice", text: expect.stringContaining("1.0 MB") });
      expect(event.sender.id).toBe(address("alice"));
    });
  });

  describe("passes over", () => {
    const cases: ReadonlyArray<readonly [string, Draft, boolean]> = [
      ["automatic answers", { headers: ["Auto-Submitted: auto-replied"] }, true],
      ["mail in bulk", { headers: ["Precedence: bulk"] }, true],
      ["mailing lists", { headers: ["List-Id: <news.example.org>"] }, true],
      ["what wants no answer", { headers: ["X-Auto-Response-Suppress: All"] }, true],
      ["mails that came back", { envelopeFrom: "" }, true],
      ["its own mail", { from: address("bot") }, true],
      ["nothing that a person wrote", { headers: ["Auto-Submitted: no", "Precedence: normal"] }, false],
    ];
    beforeAll(() =>
      sayAll(
        "automatic",
        cases.map(([, draft]) => draft),
      ),
    );

    it.each(cases.map(([name, , isPassedOver], index) => ({ name, isPassedOver, index })))(
      "$name",
      ({ index, isPassedOver }) => expect(wasHeard(`automatic-${index}@example.test`)).toBe(!isPassedOver),
    );

    it("more mails of one sender than are allowed in an hour", async () => {
      await using other = await startBot({ ...settingsFor(servers), maxPerSenderPerHour: 2 });
      const from = "busy@elsewhere.test";
      for (const text of ["one.", "two.", "three."]) await say({ from, text });
      await say({ text: "somebody else." });
      await other.said("somebody else.");
      expect(other.host.events.filter(({ sender }) => sender.id === from)).toHaveLength(2);
    });
  });

  describe("who somebody is", () => {
    const pass = "dmarc=pass header.from=example.test";
    const forged = `Authentication-Results: ${EXCHANGER}; ${pass}`;

    const cases: ReadonlyArray<readonly [string, Draft, boolean]> = [
      ["nobody checked it", { verdict: "" }, false],
      ["it was checked and is forged", { verdict: "dmarc=fail header.from=example.test" }, false],
      ["the sender wrote a verdict, too", { verdict: "dmarc=fail header.from=example.test", headers: [forged] }, false],
      ["the sender wrote what our server left out", { verdict: "spf=none", headers: [forged] }, false],
      ["another server says so", { verdict: "", headers: [`Authentication-Results: mx.evil.test; ${pass}`] }, false],
      ["the verdict is in a comment", { verdict: `spf=pass (; ${pass})` }, false],
      ["the verdict is in a quoted word", { verdict: `spf=pass reason="x; ${pass}"` }, false],
      ["the verdict is about another domain", { verdict: "dmarc=pass header.from=evil.test" }, false],
      ["the signature is of another domain", { verdict: "dkim=pass header.d=evil.test" }, false],
      ["the text of the mail has the verdict", { verdict: "", text: forged }, false],
      ["there are two senders", { from: `${address("mallory")}, ${address("alice")}` }, false],
      ["there are two From headers", { headers: [`From: ${address("mallory")}`] }, false],
      ["our server vouches for it", { verdict: pass }, true],
      ["it is signed by its domain", { verdict: "dmarc=none; dkim=pass header.d=example.test" }, true],
    ];
    beforeAll(() =>
      sayAll(
        "trust",
        cases.map(([, draft]) => draft),
      ),
    );

    it.each(cases.map(([name, , isBelieved], index) => ({ name, index, isBelieved })))(
      "is believed ($isBelieved) when $name",
      ({ index, isBelieved }) => expect(wasHeard(`trust-${index}@example.test`)).toBe(isBelieved),
    );

    it.each([
      ["a name that is an address", `"${address("alice")}" <${address("mallory")}>`],
      ["a name in other letters", `=?utf-8?q?alice=40example.test?= <${address("mallory")}>`],
      ["a name that looks like the end of a header", `"alice@example.test> x" <${address("mallory")}>`],
      ["the same name", `Alice <${address("mallory")}>`],
    ])("is told by the address: %s", async (_, from) => {
      await say({ from, text: "it is me, Alice.", verdict: pass });
      const event = await bot.said("it is me, Alice.");
      expect(event.sender.id).toBe(address("mallory"));
      expect(event.chat.id).toBe(address("mallory"));
      expect(event.replyTarget.to).toBe(address("mallory"));
    });

    it("keeps mails apart that two people gave the same id", async () => {
      await say({ messageId: "same@example.test", text: "the first." });
      await say({ from: address("mallory"), messageId: "same@example.test", text: "the second." });
      const [first, second] = [await bot.said("the first."), await bot.said("the second.")];
      expect(first.id).not.toBe(second.id);
    });

    it("believes every sender only where the operator says so", async () => {
      await using other = await startBot({ ...settingsFor(servers), requireDmarc: false });
      await say({ verdict: "", text: "trust me." });
      expect((await other.said("trust me.")).sender.id).toBe(address("alice"));
    });
  });
});
