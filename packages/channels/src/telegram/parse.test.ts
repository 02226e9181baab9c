import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import type { Us } from "./parse-origin.ts";
import { parseUpdate } from "./parse.ts";

const updates = JSON.parse(readFileSync(new URL("fixtures/updates.json", import.meta.url), "utf8")) as Record<
  string,
  Record<string, { chat: object; from: object }>
>;
const us: Us = { id: 700700700, username: "chela_bot", wrote: (_chat, message) => message === "40" };
const NOW = 1_789_000_099_000;

function eventsOf(raw: unknown): readonly ChannelEvent[] {
  const parsed = parseUpdate(raw, us, NOW);
  return parsed.kind === "events" ? parsed.events : [];
}

function only(name: string): ChannelEvent {
  const events = eventsOf(updates[name]);
  if (events.length !== 1 || !events[0]) throw new Error(`${name} gives ${events.length} events`);
  return events[0];
}

const ADA = { id: "555000111", name: "Ada" };
const GARDEN = { kind: "group", id: "-1001234567890", title: "Garden" };

describe("an update of Telegram", () => {
  it("of a private chat is a message with immutable ids, and links behind words are written out", () => {
    expect(only("private text")).toEqual({
      id: "871000001/555000111/41",
      messageId: "41",
      at: 1_789_000_000_000,
      chat: { kind: "direct", id: "555000111", title: "Ada Moss" },
      sender: { id: "555000111", name: "Ada Moss", username: "adamoss" },
      replyTarget: { to: "555000111" },
      content: { kind: "message", text: "see our site (https://example.org/)", mentionsUs: false },
    });
  });

  it.each([
    ["private command", { kind: "command", text: "/think high please" }],
    ["group command for us", { kind: "command", text: "/status now" }],
    ["group command for another", { kind: "message", text: "/status@other_bot", mentionsUs: false }],
    ["group command for nobody", { kind: "message", text: "/status", mentionsUs: false }],
    ["mention by name", { kind: "message", text: "😀 hey @Chela_Bot, rain?", mentionsUs: true }],
    ["mention by id", { kind: "message", text: "Chela, rain?", mentionsUs: true }],
    ["forum topic", { kind: "message", text: "in the topic", mentionsUs: false }],
    ["venue", { kind: "message", text: "Place: Rose garden, Long Street 1, 52.5, 13.25", mentionsUs: false }],
    ["contact", { kind: "message", text: "Contact: Ben Reed, +15550100", mentionsUs: false }],
    ["poll", { kind: "message", text: "Poll: Which?\n- red\n- white", mentionsUs: false }],
    ["forwarded", { kind: "message", text: "news", mentionsUs: false, forwardedFrom: "Rose News" }],
    ["forwarded command", { kind: "message", text: "/restart", mentionsUs: false, forwardedFrom: "Eve" }],
    ["command forwarded as of old", { kind: "message", text: "/restart", mentionsUs: false, forwardedFrom: "Eve" }],
    ["command offered by a bot", { kind: "message", text: "/restart", mentionsUs: false, forwardedFrom: "@gifs_bot" }],
    ["edit", { kind: "edit", of: "41", text: "see the new site" }],
    ["migration", { kind: "notice", text: "This group became a supergroup. Its id is now -1005550001." }],
    ["joined", { kind: "notice", text: "This bot, Ben joined the group." }],
    ["button", { kind: "button", data: "/approve abc allow-once", on: "40" }],
  ])("%s", (name, content) => expect(only(name).content).toEqual(content));

  it.each([
    ["photo of an album", { kind: "image", ref: "large-id", mimeType: "image/jpeg", bytes: 210345 }],
    ["animation", { kind: "video", ref: "anim-id", mimeType: "video/mp4", name: "cat.mp4", bytes: 999 }],
    ["voice", { kind: "voice", ref: "voice-id", mimeType: "audio/ogg", bytes: 8123 }],
    ["sticker", { kind: "sticker", ref: "sticker-id", mimeType: "video/webm" }],
  ])("%s brings one file", (name, media) => expect(only(name).content).toMatchObject({ media: [media] }));

  it("keeps albums together by their id", () => {
    expect(only("photo of an album").content).toMatchObject({ albumId: "13579", text: "roses" });
  });

  it("knows topics, the general one, and chains of answers that are no topics", () => {
    expect(only("forum topic").replyTarget).toEqual({ to: GARDEN.id, threadId: "12" });
    expect(only("general topic").chat).toEqual({ ...GARDEN, threadId: "1" });
    expect(only("answer to us with a quote").chat).toEqual(GARDEN);
  });

  it("knows an answer to us and what was quoted of it", () => {
    expect(only("answer to us with a quote").content).toMatchObject({
      replyTo: { id: "40", isOurs: true, text: "at dawn", sender: { id: "700700700", isBot: true } },
    });
  });

  it("takes whoever writes as a chat for that chat, and other bots for bots", () => {
    expect(only("anonymous administrator").sender).toEqual({ id: GARDEN.id, name: "Garden" });
    const post = only("channel post");
    expect([post.chat.kind, post.sender.id]).toEqual(["channel", "-1009876543210"]);
    expect(only("other bot").sender).toMatchObject({ id: "800800800", isBot: true });
  });

  it("tells of each reaction that came or went, and whether it is on a message of ours", () => {
    const events = eventsOf(updates["reaction changed"]);
    expect(events.map(({ content }) => content)).toEqual([
      { kind: "reaction", emoji: "👍", isRemoved: true, on: "40", onOurs: true },
      { kind: "reaction", emoji: "❤", isRemoved: false, on: "40", onOurs: true },
      { kind: "reaction", emoji: "custom:5368", isRemoved: false, on: "40", onOurs: true },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(events[0]).toMatchObject({ sender: ADA, chat: GARDEN });
  });

  it("takes who pressed a button for the sender, not the one who wrote the message", () => {
    expect(only("button")).toMatchObject({ sender: ADA, chat: GARDEN, at: NOW, replyTarget: { to: GARDEN.id } });
  });

  it.each(["our own", "service message", "unknown kind", "inline button"])("%s is no event", (name) => {
    expect(parseUpdate(updates[name], us, NOW).kind).toBe("dropped");
  });

  it("is dropped and never thrown, whatever it is", () => {
    const odd = [undefined, null, 1, "x", [], {}, { update_id: "1" }, { update_id: 1, message: {} }];
    for (const raw of odd) expect(parseUpdate(raw, us, NOW).kind).toBe("dropped");
  });

  it("belongs to a group unless its chat says otherwise", () => {
    for (const type of [undefined, null, "", 5, "secret", "toString", "__proto__"]) {
      const [event] = eventsOf({
        update_id: 1,
        message: { message_id: 1, date: 1, text: "hi", from: { id: 7 }, chat: { id: 7, type } },
      });
      expect(event?.chat.kind).toBe("group");
    }
  });

  it("gives a sender without a readable id no id at all, so that it matches nobody", () => {
    for (const from of [undefined, null, {}, { id: "555000111" }, { id: 1.5 }]) {
      const [event] = eventsOf({
        update_id: 1,
        message: { message_id: 1, date: 1, text: "hi", from, chat: { id: -1, type: "group" } },
      });
      expect(event?.sender).toEqual({ id: "" });
    }
  });

  it("keeps two people apart who have the same name", () => {
    const victim = updates["private text"]?.["message"];
    const attacker = { ...victim, from: { ...victim?.from, id: 666 }, chat: { ...victim?.chat, id: 666 } };
    const [event] = eventsOf({ update_id: 2, message: attacker });
    expect(event?.sender).toEqual({ ...only("private text").sender, id: "666" });
    expect(event?.chat.id).toBe("666");
  });
});
