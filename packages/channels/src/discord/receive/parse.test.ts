// What Discord sends, as events: recorded shapes with made-up people.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import { parseInteraction } from "./parse-interaction.ts";
import { parseEdit, parseMessage, parseReaction, type ParsedEvent, type MessageContext } from "./parse.ts";
import { Interaction, Message, Reaction, type Message as MessagePayload } from "./payload.ts";
import { chatOf, placeOf } from "../place.ts";

const self = { id: "135000000000000001", name: "chela" };
const guild: MessageContext = {
  self,
  chat: { kind: "channel", id: "300000000000000001", guildId: "500000000000000001" },
  ownRole: "400000000000000009",
};

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8"));
const message = (name: string): MessagePayload => Message().parse(fixture(name));
const contentOf = (parsed: ParsedEvent): unknown => (parsed.kind === "event" ? parsed.event.content : parsed);
const eventOf = (parsed: ParsedEvent): ChannelEvent => {
  if (parsed.kind === "dropped") throw new Error(parsed.why);
  return parsed.event;
};

describe("a message", () => {
  const cases: ReadonlyArray<readonly [string, object]> = [
    ["guild-mention", { text: "how is @Bob :party:", mentionsUs: true }],
    ["role-mention", { mentionsUs: true }],
    ["direct", { text: "hello there", mentionsUs: false }],
    ["sticker", { text: "[sticker: Wave]" }],
    ["poll", { text: "[poll: Lunch?]\n- Soup\n- Salad" }],
    ["webhook", { text: "Build 42\nfailed on main" }],
    ["forward", { text: "the plan is ready", forwardedFrom: "channel:300000000000000077" }],
    ["reply-to-deleted", { replyTo: { id: "1477593500000000002", isOurs: false } }],
    ["preview", { text: "see https://example.com" }],
  ];
  for (const [name, content] of cases) {
    it(`is read: ${name}`, () => {
      expect(contentOf(parseMessage(message(name), guild))).toMatchObject({ kind: "message", ...content });
    });
  }

  it("names its sender by id, with the roles the sender has in the guild", () => {
    const { id, messageId, at, sender, replyTarget } = eventOf(parseMessage(message("guild-mention"), guild));
    expect({ id, messageId, at }).toEqual({
      id: "1477593600000000001",
      messageId: "1477593600000000001",
      at: Date.parse("2026-03-01T10:00:00.123Z"),
    });
    expect(sender).toEqual({
      id: "200000000000000001",
      name: "Al",
      username: "alice",
      roles: ["400000000000000001", "400000000000000002"],
    });
    expect(replyTarget).toEqual({ to: "channel:300000000000000001" });
  });

  it("that answers one of ours says so, and the ping that comes with an answer is no mention", () => {
    expect(contentOf(parseMessage(message("reply"), guild))).toMatchObject({
      mentionsUs: false,
      replyTo: { id: "1477593500000000001", isOurs: true, text: "The tests are green.", sender: { id: self.id } },
    });
  });

  it("brings its files, and a voice message is one", () => {
    const { content } = eventOf(parseMessage(message("attachments"), guild));
    expect(content).toMatchObject({
      media: [
        { kind: "image", name: "cat.png", mimeType: "image/png", bytes: 4321 },
        { kind: "file", name: "notes.pdf" },
      ],
    });
    expect(JSON.stringify(content)).toContain(
      "300000000000000001/1477593600000000001/700000000000000001 https://cdn.discordapp.com/",
    );
    expect(contentOf(parseMessage(message("voice"), guild))).toMatchObject({ text: "", media: [{ kind: "voice" }] });
  });

  it("of another bot or a webhook is marked as such", () => {
    for (const name of ["other-bot", "webhook"]) {
      expect(eventOf(parseMessage(message(name), guild)).sender.isBot, name).toBe(true);
    }
  });

  it("of our own, or one Discord wrote itself, is none", () => {
    for (const name of ["own", "join"]) expect(parseMessage(message(name), guild).kind, name).toBe("dropped");
  });

  it("keeps two people apart who have the same name", () => {
    const victim = message("guild-mention");
    const attacker = { ...victim, author: { ...victim.author, id: "200000000000000666" } };
    const [one, other] = [victim, attacker].map((said) => eventOf(parseMessage(said, guild)).sender);
    expect(one?.username).toBe(other?.username);
    expect(one?.id).not.toBe(other?.id);
  });

  it("that only names us still says something", () => {
    const ping = { ...message("guild-mention"), content: `<@${self.id}>` };
    expect(contentOf(parseMessage(ping, guild))).toMatchObject({ text: "@chela", mentionsUs: true });
  });

  it("survives ornaments that make no sense", () => {
    const odd = { ...(fixture("direct") as object), embeds: "x", attachments: [{}], mentions: 5, flags: "?", poll: [] };
    expect(contentOf(parseMessage(Message().parse(odd), guild))).toMatchObject({ text: "hello there" });
  });
});

describe("an edit", () => {
  it("has the new words, and an id of its own for each time", () => {
    const event = eventOf(parseEdit(message("edit"), guild, "hello world"));
    expect(event.content).toEqual({ kind: "edit", of: "1477593600000000001", text: "hello world, corrected" });
    expect(event.id).toBe("edit:1477593600000000001:2026-03-01T10:05:00.000000+00:00");
  });

  it("is none when only a preview was added, or the words stayed", () => {
    expect(parseEdit(message("preview"), guild, undefined).kind).toBe("dropped");
    expect(parseEdit(message("edit"), guild, "hello world, corrected").kind).toBe("dropped");
  });
});

describe("a reaction", () => {
  const reaction = () => Reaction().parse(fixture("reaction"));
  const facts = { id: "reaction:s:7", at: 5, isRemoved: false, onOurs: true };

  it("says what, on what, and by whom", () => {
    expect(eventOf(parseReaction(reaction(), guild, facts))).toMatchObject({
      id: "reaction:s:7",
      sender: { id: "200000000000000001", roles: ["400000000000000001", "400000000000000002"] },
      content: { kind: "reaction", emoji: "👍", isRemoved: false, on: "1477593500000000001", onOurs: true },
    });
  });

  it("with a guild's own emoji can be written back", () => {
    const own = { ...reaction(), emoji: { id: "600000000000000001", name: "party" } };
    expect(contentOf(parseReaction(own, guild, facts))).toMatchObject({ emoji: "party:600000000000000001" });
  });

  it("of our own is none", () => {
    expect(parseReaction({ ...reaction(), user_id: self.id }, guild, facts).kind).toBe("dropped");
  });
});

describe("an interaction", () => {
  it("is a command with its words", () => {
    const parsed = parseInteraction(Interaction().parse(fixture("slash-command")), { chat: guild.chat, at: 1 });
    expect(eventOf(parsed)).toMatchObject({
      id: "interaction:1477593600000000100",
      sender: { id: "200000000000000001" },
      content: { kind: "command", text: "/model gpt list" },
    });
  });

  it("is a button with its data", () => {
    const chat = { kind: "direct", id: "200000000000000001" } as const;
    const parsed = parseInteraction(Interaction().parse(fixture("button")), { chat, at: 1, data: "approve:42" });
    expect(eventOf(parsed)).toMatchObject({
      replyTarget: { to: "user:200000000000000001" },
      content: { kind: "button", data: "approve:42", on: "1477593500000000001" },
    });
  });
});

describe("a place", () => {
  const kinds: ReadonlyArray<readonly [string, object, object]> = [
    ["a guild's channel", { type: 0, guild_id: "500000000000000001" }, { kind: "channel", id: "300000000000000001" }],
    [
      "a thread",
      { type: 11, guild_id: "500000000000000001", parent_id: "300000000000000009" },
      { kind: "channel", id: "300000000000000001", parentId: "300000000000000009" },
    ],
    ["a direct chat", { type: 1 }, { kind: "direct", id: "200000000000000001" }],
    ["a chat of several", { type: 3 }, { kind: "group", id: "300000000000000001" }],
    ["one that does not say what it is", {}, { kind: "group" }],
    ["one of an unknown type", { type: 99, guild_id: "500000000000000001" }, { kind: "group" }],
    ["a direct chat that claims a guild", { type: 1, guild_id: "500000000000000001" }, { kind: "group" }],
  ];
  for (const [name, channel, chat] of kinds) {
    it(`is told by its type: ${name}`, () => {
      const place = placeOf({ id: "300000000000000001", ...channel } as Parameters<typeof placeOf>[0]);
      expect(chatOf(place, "200000000000000001")).toMatchObject(chat);
    });
  }

  it("keeps the category of a channel out of it: only threads inherit", () => {
    const place = placeOf({ id: "300000000000000001", type: 0, parent_id: "300000000000000000" });
    expect(chatOf(place, "1").parentId).toBeUndefined();
  });
});
