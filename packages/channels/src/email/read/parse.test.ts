// Mails as servers hand them out, and what becomes of them.
import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import type { MessageStructureObject } from "imapflow";
import { readBody } from "./body.ts";
import { cutHistory } from "./cut-history.ts";
import { readEnvelope } from "./envelope.ts";
import appleFiles from "../fixtures/apple-files.json" with { type: "json" };
import gmailAnswer from "../fixtures/gmail-answer.json" with { type: "json" };
import outlookHtml from "../fixtures/outlook-html.json" with { type: "json" };
import vacation from "../fixtures/vacation.json" with { type: "json" };
import { parseHeaders } from "./headers.ts";
import { isOurMessageId, messageIdFor } from "../message-id.ts";
import { toEvent } from "./parse.ts";
import { readHtml } from "./readable-html.ts";
import { SenderLimit } from "./sender-limit.ts";
import { readLayout, toMedia } from "./structure.ts";

interface Fixture {
  readonly header: readonly string[];
  readonly structure: unknown;
  readonly parts: Readonly<Record<string, string | undefined>>;
}

const rules = {
  ourAddress: "bot@example.org",
  requireDmarc: true,
  servers: ["mx.google.com"],
  home: "imap.example.org",
};

async function read({ header, structure, parts }: Fixture): Promise<ChannelEvent | string> {
  const found = readEnvelope(parseHeaders(Buffer.from(header.join("\r\n"))), rules);
  if (found.kind === "dropped") return found.why;
  const { sections, files } = readLayout(structure as MessageStructureObject);
  const text = await readBody(sections, async (key) => Buffer.from(parts[key] ?? "", "latin1"));
  const media = files.map((file) => toMedia(file, { uidValidity: "7", uid: 3 }));
  return toEvent(found.envelope, { text, media }, { at: 1, isOurs: (id) => isOurMessageId(id, rules.ourAddress) });
}

describe("a mail", () => {
  it("from Gmail has its answer without the mail below it, which stays at hand", async () => {
    const ours = "chela.0123456789012345678901234567890123456789@example.org";
    expect(await read(gmailAnswer)).toEqual({
      id: "ann.example+work@gmail.com CAF3=abc@mail.gmail.com",
      messageId: "CAF3=abc@mail.gmail.com",
      at: 1,
      chat: { kind: "direct", id: "ann.example+work@gmail.com", threadId: "root@mail.gmail.com", title: "Re: Lunch" },
      sender: { id: "ann.example+work@gmail.com", name: "Ann Exämple" },
      replyTarget: { to: "ann.example+work@gmail.com", threadId: "root@mail.gmail.com" },
      content: {
        kind: "message",
        text: "Yes, at noon in the café.",
        mentionsUs: false,
        replyTo: {
          id: ours,
          isOurs: true,
          sender: { id: "ann.example+work@gmail.com", name: "Ann Exämple" },
          text: expect.stringContaining("> Shall we have lunch?"),
        },
      },
    });
  });

  it("in HTML becomes readable, with its links", async () => {
    expect(await read(outlookHtml)).toMatchObject({
      sender: { id: "bob@contoso.example", name: "Bob Builder" },
      content: {
        text: "Subject: Angebot für Sie\n\nHello,\nplease look at our offer (https://contoso.example/offer?a=1&b=2) for 100€.\n\n- one\n\n- two <three>\n\nBrüße",
      },
    });
  });

  it("has its files apart from its text, by names that lead nowhere", async () => {
    const event = await read(appleFiles);
    expect(event).toMatchObject({
      content: {
        text: "Subject: Pictures\n\nSee below:\n\nThat is all.",
        media: [
          { kind: "image", mimeType: "image/jpeg", name: "IMG_1.jpeg", ref: '{"uidValidity":"7","uid":3,"part":"2"}' },
          { kind: "image", mimeType: "image/png", ref: '{"uidValidity":"7","uid":3,"part":"3.2"}' },
          { kind: "file", mimeType: "text/plain", name: "notes.txt" },
          { kind: "file", mimeType: "message/rfc822" },
        ],
      },
    });
  });

  it("that a program wrote is passed over", async () => {
    expect(await read(vacation)).toContain("auto-submitted");
  });

  it("without an id of its own is the same event each time, and another than a different mail", async () => {
    const without = (subject: string): Fixture => ({
      ...appleFiles,
      header: appleFiles.header.filter((line) => !/^(?:message-id|subject):/i.test(line)).concat(`Subject: ${subject}`),
    });
    const ids = await Promise.all([read(without("a")), read(without("a")), read(without("b"))]);
    const [first, again, other] = ids.map((event) => (typeof event === "string" ? event : event.id));
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  it("leaves a command at the beginning, and an empty mail its subject", async () => {
    const mail = (text: string): Fixture => ({
      ...vacation,
      header: vacation.header.filter((line) => !/^auto/i.test(line)),
      parts: { text },
    });
    expect(await read(mail("/status"))).toMatchObject({ content: { text: "/status" } });
    expect(await read(mail("  "))).toMatchObject({ content: { text: "Out of office" } });
  });
});

describe("what is cut off an answer", () => {
  it.each([
    ["a quote", "new\n\n> old\n> older", "new"],
    ["what Outlook puts there", "new\n\n________________________________\nFrom: A\nSent: B\n\nold", "new"],
    ["a block without a line", "new\n\nFrom: Ann <a@b.c>\nSent: Monday, 2 November\nTo: x\n\nold", "new"],
    ["German words", "neu\n\nAm 2.11.2026 um 10:00 schrieb Bot <bot@example.org>:\n> alt", "neu"],
    ["a signature", "new\n-- \nAnn\nphone 1", "new"],
    [
      "nothing when the answers stand between",
      "On Monday X wrote:\n> a?\nyes\n> b?\nno",
      "On Monday X wrote:\n> a?\nyes\n> b?\nno",
    ],
    ["nothing when nothing else is there", "> only a quote", "> only a quote"],
    [
      "nothing of a text with a dash",
      "a\n--\nb\n".concat("long\n".repeat(20)),
      "a\n--\nb\n".concat("long\n".repeat(20)).trim(),
    ],
  ])("%s", (_, whole, text) => expect(cutHistory(whole, true).text).toBe(text));

  it("is nothing of a mail that is passed on", () => {
    expect(cutHistory("look\n\n> old", false).text).toBe("look\n\n> old");
  });
});

describe("HTML", () => {
  it.each([
    ["scripts are left out", "a<script>alert('<p>')</script>b", "ab"],
    ["comments are left out", "a<!-- <p>x</p> -->b", "ab"],
    ["quotes are marked", "<p>a</p><blockquote>b<br>c<blockquote>d</blockquote></blockquote>", "a\n\n> b\n> c\n>\n> d"],
    ["a link that shows where it leads is written once", '<a href="https://a.b/">https://a.b/</a>', "https://a.b/"],
    ["other schemes are only words", '<a href="javascript:x">click</a>', "click"],
    ["entities are read", "&auml;&#228;&#xe4;&amp;lt;&nope;&#xd800;", "äää&lt;&nope;"],
    ["a sign that is no tag stays", "1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["what is never closed ends", "a<b", "a"],
    ["preformatted text keeps its lines", "<pre>a\n  b</pre>", "a\n  b"],
  ])("%s", (_, html, text) => expect(readHtml(html)).toBe(text));

  it("of any depth and length is read in one go", () => {
    expect(readHtml("<blockquote>".repeat(50_000)).length).toBeLessThan(10);
    expect(readHtml("<a href='".repeat(80_000)).length).toBeLessThan(1_000_000);
    expect(readHtml("<blockquote>x</blockquote>".repeat(20_000)).split("> x")).toHaveLength(20_001);
  });
});

describe("ids and limits", () => {
  it("a mail that is sent again has the id it had, and other accounts have others", () => {
    const id = messageIdFor("key", "bot@example.org");
    expect(messageIdFor("key", "bot@example.org")).toBe(id);
    expect(messageIdFor("key", "other@example.org")).not.toBe(id);
    expect(isOurMessageId(id, "bot@example.org")).toBe(true);
    for (const other of [`x${id}`, "chela.1@example.org", id.replace("example.org", "example.com")]) {
      expect(isOurMessageId(other, "bot@example.org")).toBe(false);
    }
  });

  it("a sender has so many mails in any hour; one that is read again does not count twice", () => {
    const limit = new SenderLimit(2);
    const hour = 3_600_000;
    expect([limit.allows("a", "1", 0), limit.allows("a", "1", 0), limit.allows("a", "2", 1)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([limit.allows("a", "3", 2), limit.allows("b", "3", 2)]).toEqual([false, true]);
    expect(limit.allows("a", "4", hour)).toBe(true);
  });
});
