// Posts and reactions as Mattermost sends them, and what becomes of them.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseEdit, parsePost, parseReaction, type MessageContext } from "./parse.ts";
import { Frame, Post, Reaction, readInner, type MattermostPost, type SocketEvent } from "./wire.ts";

const SELF = { id: "bot00000000000000000000000", username: "chela" };
const ALICE = "a1ice000000000000000000000";

function around(more: Partial<MessageContext> = {}): MessageContext {
  return { self: SELF, channelType: "O", mentions: [], prefixes: [], isOurPost: (id) => id === "ours", ...more };
}

function read(name: string): SocketEvent {
  const frame = Frame().parse(JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf8")));
  if (!("event" in frame)) throw new Error(`${name} is no event`);
  return frame;
}

function postIn(name: string): MattermostPost {
  const post = readInner(Post(), read(name).data?.["post"]);
  if (!post) throw new Error(`${name} has no post`);
  return post;
}

const post = (more: Partial<MattermostPost> = {}): MattermostPost => ({ ...postIn("posted-direct"), ...more });
const textOf = (given: MattermostPost, more: Partial<MessageContext> = {}): unknown => {
  const parsed = parsePost(given, around(more));
  return parsed.kind === "event" && parsed.event.content.kind === "message" ? parsed.event.content : parsed;
};

describe("a post", () => {
  it("in a direct channel is from and to the person, by the id and not by the name", () => {
    const parsed = parsePost(postIn("posted-direct"), around({ channelType: "D", username: "boss", name: "The Boss" }));
    expect(parsed).toMatchObject({
      kind: "event",
      event: {
        chat: { kind: "direct", id: ALICE },
        sender: { id: ALICE, name: "The Boss", username: "boss" },
        replyTarget: { to: `user:${ALICE}` },
        content: { kind: "message", text: "good morning", mentionsUs: false },
      },
    });
  });

  it("in a thread keeps the thread, its files and who is called", () => {
    const given = postIn("posted-thread");
    const parsed = parsePost(given, around({ mentions: [SELF.id], title: "Town Square" }));
    expect(parsed).toMatchObject({
      kind: "event",
      event: {
        chat: { kind: "channel", id: given.channel_id, threadId: "ours", title: "Town Square" },
        replyTarget: { to: `channel:${given.channel_id}`, threadId: "ours" },
        content: {
          text: "/status please",
          mentionsUs: true,
          replyTo: { id: "ours", isOurs: true },
          media: [{ kind: "image", name: "cat.png", mimeType: "image/png", bytes: 1234 }],
        },
      },
    });
  });

  it.each([
    ["D", "direct"],
    ["G", "group"],
    ["P", "channel"],
    ["O", "channel"],
    ["", "group"],
    ["X", "group"],
    ["__proto__", "group"],
    [undefined, "group"],
  ])("in a channel of type %j is in a chat of kind %s", (channelType, kind) => {
    expect(parsePost(post(), around({ channelType }))).toMatchObject({ event: { chat: { kind } } });
  });

  it("of a webhook does not have the rights of whoever made the webhook", () => {
    const parsed = parsePost(post({ props: { from_webhook: "true", override_username: "alice" } }), around());
    expect(parsed).toMatchObject({ event: { sender: { id: `webhook:${ALICE}`, isBot: true } } });
  });

  it("of another bot says so", () => {
    expect(parsePost(post({ props: { from_bot: "true" } }), around())).toMatchObject({
      event: { sender: { isBot: true } },
    });
    expect(parsePost(post(), around({ isBot: true }))).toMatchObject({ event: { sender: { id: ALICE, isBot: true } } });
  });

  it.each([
    ["our own", { user_id: SELF.id }],
    ["deleted", { delete_at: 5 }],
    ["the system's", { type: "system_join_channel" }],
    ["empty", { message: "  " }],
  ])("that is %s is passed over", (_what, more) => {
    expect(parsePost(post(more), around()).kind).toBe("none");
  });

  it.each([
    ["hey @chela!", [], true],
    ["@CHELA.", [], true],
    ["@chelator hi", [], false],
    ["mail me@chela", [], false],
    ["look, all", [SELF.id], true],
    ["@all look", [SELF.id], false],
    ["@here @chela look", [SELF.id], true],
  ])("that says %j mentions us: %s %s", (message, mentions, mentionsUs) => {
    expect(textOf(post({ message }), { mentions })).toMatchObject({ mentionsUs });
  });

  it("that begins with one of our signs is for us", () => {
    expect(textOf(post({ message: "! do it" }), { prefixes: [">", "!"] })).toMatchObject({
      text: "do it",
      mentionsUs: true,
    });
    expect(textOf(post({ message: "do! it" }), { prefixes: ["!"] })).toMatchObject({ mentionsUs: false });
  });
});

describe("an edit", () => {
  it("names the post it changes, and counts only when a person made it", () => {
    const edited = postIn("post-edited");
    expect(parseEdit(edited, around())).toMatchObject({
      event: {
        id: `${edited.id}:edit:${edited.edit_at}`,
        content: { kind: "edit", of: edited.id, text: "good evening" },
      },
    });
    expect(parseEdit({ ...edited, edit_at: 0 }, around()).kind).toBe("none");
  });
});

describe("a reaction", () => {
  it("is by the person, on the post, where the post is", () => {
    const event = read("reaction-added");
    const reaction = readInner(Reaction(), event.data?.["reaction"]);
    if (!reaction) throw new Error("no reaction");
    const place = { channelId: "c1", rootId: undefined, isRemoved: false, onOurs: true, now: 9 };
    expect(parseReaction(reaction, place, around({ channelType: "D" }))).toMatchObject({
      event: {
        chat: { kind: "direct", id: ALICE },
        content: { kind: "reaction", emoji: "👍", isRemoved: false, on: reaction.post_id, onOurs: true },
      },
    });
    expect(parseReaction({ ...reaction, user_id: SELF.id }, place, around()).kind).toBe("none");
  });
});
