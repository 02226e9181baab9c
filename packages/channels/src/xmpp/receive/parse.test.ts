// Messages as servers send them, and what becomes of them.
import { readFileSync } from "node:fs";
import { xml, type XmlElement } from "@xmpp/client";
import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import { parseMessage, type Archived, type ParseContext, type RoomView } from "./parse.ts";

const ROOM = "open@rooms.example.org";

function read(text: string): XmlElement {
  const parser = new xml.Parser();
  const found: XmlElement[] = [];
  parser.on("element", (element) => found.push(element));
  parser.write(`<stream xmlns="jabber:client">${text}</stream>`);
  const [first] = found;
  if (!first) throw new Error("there is no element");
  return first;
}

const fixture = (name: string): XmlElement =>
  read(readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), "utf8").trim());

const room: RoomView = {
  nick: "chela",
  stampsIds: true,
  senderOf: (nick, occupant, isArchived) => ({
    id: isArchived ? `occupant:${ROOM}/${occupant}` : "alice@example.org",
    name: nick,
  }),
  isUs: (nick) => nick === "chela",
};

const context = (more: Partial<ParseContext> = {}): ParseContext => ({
  self: "chela@example.org",
  stampsIds: true,
  room: (jid) => (jid === ROOM ? room : undefined),
  isOurMessage: (id) => id === "ours",
  messageIdOf: (_chat, _sender, id) => id,
  reactionsOf: () => [],
  now: () => 42,
  newId: () => "new",
  ...more,
});

function eventsOf(message: XmlElement, more: Partial<ParseContext> = {}, archived?: Archived): readonly ChannelEvent[] {
  const parsed = parseMessage(message, context(more), archived);
  return parsed.kind === "events" ? parsed.events : [];
}
const whyNot = (text: string): string => {
  const parsed = parseMessage(read(text), context());
  return parsed.kind === "none" ? parsed.why : "it is taken";
};

describe("a direct message", () => {
  it("is from the bare address in lower case, whatever device and name it comes with", () => {
    expect(eventsOf(fixture("direct"))).toEqual([
      {
        id: "28482-98726-73623",
        messageId: "a1",
        at: 42,
        chat: { kind: "direct", id: "alice@example.org" },
        sender: { id: "alice@example.org", name: "The Boss" },
        replyTarget: { to: "alice@example.org" },
        content: { kind: "message", text: "good morning", mentionsUs: false },
      },
    ]);
  });

  it("is named by our archive only if the server takes off names that others write", () => {
    const [event] = eventsOf(fixture("direct"), { stampsIds: false });
    expect(event?.id).toMatch(/^[0-9a-f]{32}$/);
    const forged = read(
      '<message from="m@x.org/1" id="1"><body>a</body><stanza-id xmlns="urn:xmpp:sid:0" by="m@x.org" id="z"/></message>',
    );
    expect(eventsOf(forged)[0]?.id).not.toBe("z");
  });

  it("answers, corrects, reacts and brings files", () => {
    expect(eventsOf(fixture("reply"))[0]?.content).toEqual({
      kind: "message",
      text: "yes 🦞 please",
      mentionsUs: false,
      replyTo: { id: "ours", isOurs: true },
    });
    expect(eventsOf(fixture("correction"))[0]?.content).toEqual({ kind: "edit", of: "a1", text: "good evening" });
    expect(eventsOf(fixture("file"))[0]?.content).toMatchObject({
      text: "",
      media: [{ kind: "image", ref: "https://files.example.org/x/my%20cat.png", name: "my cat.png" }],
    });
  });

  it("tells of reactions only what changed", () => {
    const events = eventsOf(fixture("reactions"), { reactionsOf: () => ["👍", "👀"] });
    expect(events.map(({ content }) => content)).toEqual([
      { kind: "reaction", emoji: "🎉", isRemoved: false, on: "ours", onOurs: true },
      { kind: "reaction", emoji: "👀", isRemoved: true, on: "ours", onOurs: true },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ["an error", '<message type="error" from="a@b.c"><body>x</body></message>'],
    ["a headline", '<message type="headline" from="a@b.c"><body>x</body></message>'],
    [
      "without text",
      '<message type="chat" from="a@b.c"><composing xmlns="http://jabber.org/protocol/chatstates"/></message>',
    ],
    ["our own", '<message type="chat" from="chela@example.org/other"><body>x</body></message>'],
    ["from a server", '<message from="example.org"><body>x</body></message>'],
    ["without a sender", "<message><body>x</body></message>"],
    ["a carbon", '<message from="a@b.c"><body>x</body><received xmlns="urn:xmpp:carbons:2"/></message>'],
    ["private in a room", `<message type="chat" from="${ROOM}/Alice"><body>x</body></message>`],
    [
      "an invitation",
      '<message from="r@x.org"><body>x</body><x xmlns="http://jabber.org/protocol/muc#user"/></message>',
    ],
    ["encrypted", '<message from="a@b.c"><body>x</body><encrypted xmlns="eu.siacs.conversations.axolotl"/></message>'],
    ["of a room we are not in", '<message type="groupchat" from="r@x.org/n"><body>x</body></message>'],
    ["the room's own", `<message type="groupchat" from="${ROOM}"><body>x</body></message>`],
    ["a presence", '<presence from="a@b.c"/>'],
  ])("that is %s is passed over", (_what, text) => {
    expect(whyNot(text)).not.toBe("it is taken");
  });

  it("keeps the time of the server, and not one that its sender claims", () => {
    const delayed = (from: string): XmlElement =>
      read(
        `<message from="a@b.c/1" id="1"><body>x</body><delay xmlns="urn:xmpp:delay" from="${from}" stamp="2026-01-02T03:04:05Z"/></message>`,
      );
    expect(eventsOf(delayed("example.org"))[0]?.at).toBe(Date.parse("2026-01-02T03:04:05Z"));
    expect(eventsOf(delayed("b.c"))[0]?.at).toBe(42);
  });
});

describe("a message in a room", () => {
  it("is by whoever the room says, not by what stands in the message", () => {
    const [event] = eventsOf(fixture("room-forged"));
    expect(event).toMatchObject({
      id: `${ROOM}/real-id`,
      messageId: "real-id",
      chat: { kind: "group", id: ROOM },
      sender: { id: "alice@example.org", name: "Boss" },
      replyTarget: { to: `room:${ROOM}` },
      content: { text: "/status", mentionsUs: true },
    });
  });

  it("from an archive is not by whoever has the nick today", () => {
    const [event] = eventsOf(fixture("room-forged"), {}, { id: "old", at: 7 });
    expect(event).toMatchObject({ id: `${ROOM}/old`, at: 7, sender: { id: `occupant:${ROOM}/0cc` } });
  });

  it("is the same message when it is handed out again, also without an archive", () => {
    const plain = { ...room, stampsIds: false };
    const said = (more: string): string | undefined =>
      eventsOf(read(`<message type="groupchat" from="${ROOM}/A" id="7"><body>x</body>${more}</message>`), {
        room: () => plain,
      })[0]?.id;
    expect(said('<delay xmlns="urn:xmpp:delay" stamp="2026-01-02T03:04:05Z"/>')).toBe(said(""));
    expect(said("<subject>y</subject>")).not.toBe(said(""));
  });

  it.each([
    ["chela: hi", "hi", true],
    ["@Chela, hi", "hi", true],
    ["hi chela!", "hi chela!", true],
    ["michela: hi", "michela: hi", false],
    ["chelas", "chelas", false],
  ])("that says %j is %j and mentions us: %s", (body, text, mentionsUs) => {
    const message = read(`<message type="groupchat" from="${ROOM}/A" id="7"><body>${body}</body></message>`);
    expect(eventsOf(message)[0]?.content).toMatchObject({ text, mentionsUs });
  });
});
