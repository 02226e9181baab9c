// What becomes of the mails around one that cannot be written down.
import { EventEmitter } from "node:events";
import type { ImapFlow } from "imapflow";
import { expect, it } from "vitest";
import { createFakeClock, createFakeHost, type FakeHost } from "@chela/sdk/testing";
import type { EmailAccount } from "../config.ts";
import { watchInbox } from "./inbox.ts";
import { takeMail } from "./inbound.ts";
import { SenderLimit } from "./sender-limit.ts";
import { Threads } from "../threads.ts";

interface Mail {
  readonly from: string;
  readonly text: string;
}

/** As much of a connection to a mail server as is used for reading; UIDs count from 1. Courier does not say the next one. */
function mailboxWith(mails: readonly Mail[], opened: object = { uidNext: 1 }): ImapFlow {
  const mailbox = {
    usable: true,
    mailboxOpen: async () => ({ uidValidity: 7n, exists: mails.length, ...opened }),
    noop: async () => {},
    fetchAll: async (range: string) =>
      mails.map((_mail, index) => ({ uid: index + 1 })).filter(({ uid }) => uid >= Number.parseInt(range, 10)),
    fetchOne: async (asked: string) => {
      const uid = asked === "*" ? mails.length : Number(asked);
      const { from = "", text = "" } = mails[uid - 1] ?? {};
      const headers = Buffer.from(`From: ${from}@example.org\r\nMessage-ID: <${uid}@example.org>\r\n\r\n`);
      return { uid, headers, bodyStructure: { type: "text/plain" }, bodyParts: new Map([["text", Buffer.from(text)]]) };
    },
  };
  return Object.assign(new EventEmitter(), mailbox) as unknown as ImapFlow;
}

const account = {
  address: "bot@example.net",
  requireDmarc: false,
  trustedAuthServers: [],
  imap: { host: "imap.example.net" },
  maxPerSenderPerHour: 100,
  maxMessageBytes: 1_000_000,
} as unknown as EmailAccount;

const openInbox = (host: FakeHost, client: ImapFlow) => {
  const parts = { client, host, account, threads: new Threads(host), limit: new SenderLimit(100) };
  const take: Parameters<typeof watchInbox>[0]["take"] = (mail, uidValidity, held) =>
    takeMail(parts, mail, uidValidity, held);
  return watchInbox({ client, host, mailbox: "INBOX", take });
};
const textsOf = (host: FakeHost): string[] => host.events.map(({ content }) => ("text" in content ? content.text : ""));
const cursorOf = (host: FakeHost): unknown => JSON.parse(host.memory.get("cursor:INBOX") ?? "{}").uid;

it("a mail that cannot be written down holds up what its sender wrote after it, and nobody else", async () => {
  const clock = createFakeClock();
  const host = createFakeHost({ directory: "/nowhere", clock });
  let isPoisoned = true;
  host.answer(async ({ content }) => {
    if (isPoisoned && "text" in content && content.text === "poison") throw new Error("it cannot be written");
    return { kind: "accepted" };
  });
  const client = mailboxWith([
    { from: "ann", text: "first" },
    { from: "mallory", text: "poison" },
    { from: "mallory", text: "after the poison" },
    { from: "ann", text: "second" },
  ]);
  const inbox = await openInbox(host, client);
  await host.next(({ content }) => "text" in content && content.text === "second");
  await clock.advance(25_000);
  expect(textsOf(host)).toEqual(["first", "poison", "second", "poison"]);
  expect(cursorOf(host)).toBe(1);
  isPoisoned = false;
  await clock.advance(25_000);
  expect(textsOf(host).slice(4)).toEqual(["poison", "after the poison"]);
  expect(cursorOf(host)).toBe(4);
  await inbox.stop();
});

it.each([
  ["with mail in it", [{ from: "ann", text: "old" }]],
  ["that is empty", []],
] as const)(
  "a mailbox %s, whose server does not say which mail comes next, is read from the first start on",
  async (_, old) => {
    const clock = createFakeClock();
    const host = createFakeHost({ directory: "/nowhere", clock });
    const mails: Mail[] = [...old];
    const inbox = await openInbox(host, mailboxWith(mails, {}));
    expect(cursorOf(host)).toBe(old.length);
    mails.push({ from: "ann", text: "new" });
    await clock.advance(25_000);
    expect(textsOf(host)).toEqual(["new"]);
    expect(cursorOf(host)).toBe(old.length + 1);
    await inbox.stop();
  },
);
