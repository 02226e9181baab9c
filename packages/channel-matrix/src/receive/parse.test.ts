// Events as homeservers send them, and what the gateway sees of them.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseEvent, type ParseContext } from "./parse.ts";
import { readMediaRef } from "../media-ref.ts";
import { RoomEvent } from "../wire.ts";

const raw = JSON.parse(readFileSync(new URL("../fixtures/events.json", import.meta.url), "utf8")) as Record<
  string,
  unknown
>;
const context: ParseContext = {
  us: "@agent:example.org",
  room: { id: "!room:example.org", title: "Room" },
  threadReplies: "inbound",
  nameOf: () => undefined,
};
const parse = (name: string, more: Partial<ParseContext> = {}) =>
  parseEvent(RoomEvent().parse(raw[name]), { ...context, ...more });
const content = (name: string, more: Partial<ParseContext> = {}) => {
  const parsed = parse(name, more);
  return parsed.kind === "event" ? parsed.event.content : parsed;
};

describe("an event of a room", () => {
  it("has immutable ids, and names only for showing", () => {
    expect(parse("text", { nameOf: () => "Alice" })).toEqual({
      kind: "event",
      event: {
        id: "$text",
        messageId: "$text",
        at: 1700000000000,
        chat: { kind: "group", id: "!room:example.org", title: "Room" },
        sender: { id: "@alice:example.org", username: "@alice:example.org", name: "Alice" },
        replyTarget: { to: "!room:example.org" },
        content: { kind: "message", text: "good morning", mentionsUs: false },
      },
    });
  });

  it("is of a direct chat only when the room is one for two", () => {
    const parsed = parse("text", { room: { id: "!room:example.org", peer: "@alice:example.org" } });
    expect(parsed).toMatchObject({
      event: { chat: { kind: "direct", id: "@alice:example.org" }, replyTarget: { to: "@alice:example.org" } },
    });
  });

  it.each([
    ["pill", true],
    ["text", false],
    // Who wrote what is answered is named in the quote; that is no mention.
    ["reply", false],
  ])("%s names us: %s", (name, mentionsUs) => expect(content(name)).toMatchObject({ mentionsUs }));

  it("is stripped of quoted lines; what was really said is looked up", () => {
    const original = { sender: "@agent:example.org", text: "real words" };
    expect(content("reply", { original })).toEqual({
      kind: "message",
      text: "what do you mean?",
      mentionsUs: false,
      replyTo: {
        id: "$ours",
        isOurs: true,
        sender: { id: "@agent:example.org", username: "@agent:example.org" },
        text: "real words",
      },
    });
    expect(content("reply")).toMatchObject({ replyTo: { id: "$ours", isOurs: false } });
  });

  it.each([
    ["inbound", "thread", "$root"],
    ["inbound", "text", undefined],
    ["off", "thread", undefined],
    ["always", "text", "$text"],
    ["always", "thread", "$root"],
  ] as const)("with threadReplies %s, %s is answered in thread %s", (threadReplies, name, threadId) => {
    const parsed = parse(name, { threadReplies });
    expect(parsed.kind === "event" && parsed.event.replyTarget.threadId).toBe(threadId);
    expect(parsed.kind === "event" && parsed.event.chat.threadId).toBe(threadId);
  });

  it("in a thread answers nothing unless somebody chose a message to answer", () => {
    expect(content("thread")).not.toHaveProperty("replyTo");
  });

  it.each(["own", "notice", "editOfNotice", "redacted", "member"])("%s is left out", (name) =>
    expect(parse(name).kind).toBe("dropped"),
  );

  it("that is odd all over does no harm", () => {
    expect(parse("odd")).toMatchObject({ kind: "dropped" });
  });

  it("tells an edit, an emote, a reaction and its removal", () => {
    expect(content("edit")).toEqual({ kind: "edit", of: "$text", text: "good evening" });
    expect(content("emote")).toMatchObject({ text: "* waves" });
    expect(content("reaction", { original: { sender: "@agent:example.org" } })).toEqual({
      kind: "reaction",
      emoji: "👍",
      isRemoved: false,
      on: "$ours",
      onOurs: true,
    });
    const reaction = { emoji: "👍", on: "$ours" };
    expect(content("redaction", { original: { sender: "@alice:example.org", reaction } })).toMatchObject({
      kind: "reaction",
      isRemoved: true,
    });
    expect(content("redaction")).toMatchObject({ kind: "notice" });
  });

  it("brings files, with the keys they need", () => {
    expect(content("image")).toMatchObject({
      text: "look at this",
      media: [{ kind: "image", name: "cat.png", mimeType: "image/png", bytes: 12345 }],
    });
    const voice = content("encryptedVoice");
    expect(voice).toMatchObject({ text: "", media: [{ kind: "voice" }] });
    const [media] = ("media" in voice && voice.media) || [];
    expect(readMediaRef(media?.ref ?? "")).toEqual({
      server: "example.org",
      id: "VoIcE",
      keys: {
        key: "aWF6-32KGYaC3A_FEUCk1Bt0JA37zP0wrStgmdCaW-0",
        iv: "w+sE15fzSc0AAAAAAAAAAA",
        sha256: "fdSLu/YkRx3Wyh3KQabP3rd6+SFiKg5lsJZQHtkSAYA",
      },
    });
  });

  it("with an address that is none of Matrix's brings no file", () => {
    expect(content("badMedia")).toEqual({ kind: "message", text: "cat.png", mentionsUs: false });
    for (const ref of ["", "{}", "null", '{"mxc":"mxc://a/../b"}', '{"mxc":"mxc://a/b/c"}', "x".repeat(10)]) {
      expect(readMediaRef(ref)).toBeUndefined();
    }
  });
});
