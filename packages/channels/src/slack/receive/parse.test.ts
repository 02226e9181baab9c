// What Slack sends, as recorded (and scrubbed), becomes the right channel events.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import { parseAction, parseCommand, parseEvent } from "./parse.ts";
import type { MessageContext } from "./message-context.ts";
import { Action, Callback, Command, Event } from "../wire.ts";

const around: MessageContext = {
  self: { userId: "U0CHELABOT", botId: "B0CHELABOT", teamId: "T0CHELA01", name: "chela" },
  names: new Map([
    ["U0ALICE001", "Alice"],
    ["U0BOB00001", "Bob"],
  ]),
  now: 1_763_200_000_000,
};

function fixture(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures", `${name}.json`), "utf8")) as Record<
    string,
    unknown
  >;
}

function parseFixture(name: string, change: object = {}, surroundings = around) {
  const { event } = Callback().parse(fixture(name));
  const read = Event().safeParse({ ...(event as object), ...change });
  return read.success ? parseEvent(read.data, surroundings) : { kind: "dropped" as const, why: "unreadable" };
}

function eventOf(name: string, change: object = {}, surroundings = around): ChannelEvent {
  const parsed = parseFixture(name, change, surroundings);
  if (parsed.kind === "dropped") throw new Error(`${name} was dropped: ${parsed.why}`);
  return parsed.event;
}

describe("messages", () => {
  it("are readable, whatever Slack put into them", () => {
    const { content } = eventOf("message-channel");
    expect(content).toEqual({
      kind: "message",
      text: "Is <b> & friends ok? See the page (https://example.org/a?b=1&c=2), ask @Bob in #general or @ops",
      mentionsUs: false,
    });
  });

  it("carry ids that never change, and say where an answer goes", () => {
    expect(eventOf("message-im")).toMatchObject({
      id: "D0ALICEDM1:1763200020.000300",
      messageId: "1763200020.000300",
      at: 1_763_200_020_000,
      chat: { kind: "direct", id: "U0ALICE001", teamId: "T0CHELA01" },
      sender: { id: "U0ALICE001", name: "alice", username: "alice.e" },
      replyTarget: { to: "user:U0ALICE001" },
    });
    expect(eventOf("message-channel")).toMatchObject({
      chat: { kind: "channel", id: "C0GENERAL1" },
      replyTarget: { to: "channel:C0GENERAL1" },
    });
  });

  it("that mention us come twice and are one event, which keeps the mention", () => {
    const message = eventOf("message-mention");
    const mention = eventOf("app-mention", {}, { ...around, kind: "channel" });
    expect(mention.id).toBe(message.id);
    for (const event of [message, mention]) {
      expect(event.content).toMatchObject({ mentionsUs: true, text: "/status please" });
      expect(event.chat).toMatchObject({ kind: "channel", id: "C0GENERAL1" });
    }
  });

  it("in a thread answer into the thread, and say whether they answer us", () => {
    const event = eventOf("message-thread");
    expect(event.chat).toMatchObject({ kind: "channel", id: "C0PRIVATE1", threadId: "1763199999.000001" });
    expect(event.replyTarget).toEqual({ to: "channel:C0PRIVATE1", threadId: "1763199999.000001" });
    expect(event.content).toMatchObject({ replyTo: { id: "1763199999.000001", isOurs: true } });
  });

  it("of several people at once are a group's", () => {
    expect(eventOf("message-mpim").chat).toMatchObject({ kind: "group", id: "C0MPIM0001" });
  });

  it("that begin a thread are not inside it", () => {
    expect(eventOf("message-thread", { thread_ts: "1763200030.000400" }).chat.threadId).toBeUndefined();
  });

  it("hand on files with what is needed to fetch them later", () => {
    const { content } = eventOf("message-files");
    expect(content).toMatchObject({
      kind: "message",
      text: "look",
      media: [
        {
          kind: "image",
          ref: "https://files.slack.com/files-pri/T0CHELA01-F0PHOTO001/download/cat.png",
          mimeType: "image/png",
          name: "cat.png",
          bytes: 48_211,
        },
        { kind: "voice", ref: "https://files.slack.com/files-tmb/T0CHELA01-F0VOICE001/audio_message.m4a" },
        { kind: "file", ref: "file:F0OTHER001" },
      ],
    });
  });

  it("that were forwarded carry the other one's words and name", () => {
    expect(eventOf("message-forwarded").content).toMatchObject({
      text: "what about this?\n\nthe server is down (https://example.org)",
      forwardedFrom: "Bob",
    });
  });

  it("of other bots say so", () => {
    expect(eventOf("message-bot")).toMatchObject({
      sender: { id: "B0DEPLOY01", name: "Deploy", isBot: true },
      content: { text: "build *12* passed" },
    });
  });

  it.each(["message-own", "channel-join", "message-unfurled"])("like %s are nobody's words to us", (name) => {
    expect(parseFixture(name).kind).toBe("dropped");
  });

  it.each([
    ["our user id", { user: "U0CHELABOT", bot_id: undefined }],
    ["our bot id", { user: undefined, bot_id: "B0CHELABOT" }],
    ["no sender", { user: undefined }],
    ["no time", { ts: undefined }],
    ["nothing in it", { text: "" }],
  ])("with %s are dropped", (_name, change) => {
    expect(parseFixture("message-im", change).kind).toBe("dropped");
  });
});

describe("the kind of a chat", () => {
  it.each([
    ["im", "D0ALICEDM1", undefined, "direct"],
    ["channel", "C0GENERAL1", undefined, "channel"],
    ["group", "C0PRIVATE1", undefined, "channel"],
    ["group", "G0PRIVATE1", undefined, "channel"],
    ["mpim", "C0MPIM0001", undefined, "group"],
    [undefined, "D0ALICEDM1", undefined, "direct"],
    [undefined, "C0GENERAL1", undefined, "channel"],
    [undefined, "G0GROUP001", undefined, "group"],
    [undefined, "C0MPIM0001", "group", "group"],
    // Whatever does not fit together gets the stricter rules.
    ["im", "C0GENERAL1", undefined, "group"],
    ["channel", "D0ALICEDM1", undefined, "group"],
    ["app_home", "C0GENERAL1", undefined, "group"],
    ["", "X0000001", undefined, "group"],
    [7, "Z0000001", undefined, "group"],
  ] as const)("told as %s with the id %s (looked up: %s) is %s", (channel_type, channel, kind, expected) => {
    const event = eventOf("message-channel", { channel_type, channel }, { ...around, ...(kind ? { kind } : {}) });
    expect(event.chat.kind).toBe(expected);
    if (expected !== "direct") expect(event.chat.id).toBe(channel);
  });
});

describe("a name", () => {
  it("decides nothing: somebody who takes another's name keeps their own id", () => {
    const victim = eventOf("message-im");
    const attacker = eventOf(
      "message-im",
      { user: "U0MALLORY1", username: "alice.e", user_profile: { display_name: "alice", name: "alice.e" } },
      { ...around, names: new Map([["U0MALLORY1", "Alice"]]) },
    );
    expect(attacker.sender.name).toBe(victim.sender.name);
    expect(attacker.sender.id).toBe("U0MALLORY1");
    expect(attacker.chat.id).not.toBe(victim.chat.id);
    expect(attacker.replyTarget).not.toEqual(victim.replyTarget);
  });
});

describe("other events", () => {
  it("an edit tells the new text of the message", () => {
    expect(eventOf("message-changed")).toMatchObject({
      id: "D0ALICEDM1:1763200020.000300:edit:1763200055.000000",
      sender: { id: "U0ALICE001" },
      chat: { kind: "direct", id: "U0ALICE001" },
      content: { kind: "edit", of: "1763200020.000300", text: "good evening" },
    });
  });

  it("a deletion is a notice without the words that were taken back", () => {
    const { content } = eventOf("message-deleted");
    expect(content).toEqual({ kind: "notice", text: "Alice deleted the message 1763200020.000300." });
  });

  it("a reaction says on which message, and whether it is ours", () => {
    const { content, id } = eventOf("reaction-added");
    expect(content).toEqual({
      kind: "reaction",
      emoji: "👍",
      isRemoved: false,
      on: "1763199999.000001",
      onOurs: true,
    });
    const removed = eventOf("reaction-added", { type: "reaction_removed", reaction: "our_own::skin-tone-3" });
    expect(removed.content).toMatchObject({ emoji: ":our_own:", isRemoved: true });
    expect(removed.id).not.toBe(id);
    expect(parseFixture("reaction-added", { user: "U0CHELABOT" }).kind).toBe("dropped");
    expect(parseFixture("reaction-added", { item: { type: "file", file: "F1" } }).kind).toBe("dropped");
  });

  it("somebody who joins is a notice", () => {
    expect(eventOf("member-joined").content).toEqual({ kind: "notice", text: "Bob joined the channel." });
  });

  it.each([null, 7, "x", [], {}, { type: "message" }, { type: "message", channel: 3 }, { type: "star_added" }])(
    "%j is dropped, never thrown",
    (event) => {
      const read = Event().safeParse(event);
      expect(read.success ? parseEvent(read.data, around).kind : "dropped").toBe("dropped");
    },
  );
});

describe("commands and buttons", () => {
  const textOf = (change: object): unknown => {
    const parsed = parseCommand(
      Command().parse({ ...fixture("slash-command"), ...change }),
      { name: "openclaw" },
      around,
    );
    return parsed.kind === "event" ? parsed.event.content : undefined;
  };

  it.each([
    [{}, "/status"],
    [{ text: "/status" }, "/status"],
    [{ text: "model list all" }, "/model list all"],
    [{ text: "" }, "/help"],
    [{ command: "/think", text: "high" }, "/think high"],
    [{ command: "/agentstatus", text: "" }, "/status"],
  ])("%j is the command %s", (change, text) => {
    expect(textOf(change)).toEqual({ kind: "command", text });
  });

  it("a command in somebody's direct messages is answered to that person", () => {
    const command = { ...fixture("slash-command"), channel_id: "D0ELSEWHER", channel_name: "directmessage" };
    const parsed = parseCommand(Command().parse(command), { name: "openclaw" }, around);
    expect(parsed).toMatchObject({
      event: { chat: { kind: "direct", id: "U0ALICE001" }, replyTarget: { to: "user:U0ALICE001" } },
    });
  });

  it("a command in a channel that somebody called directmessage is not a direct one", () => {
    const command = { ...fixture("slash-command"), channel_id: "C0TRAP0001", channel_name: "directmessage" };
    const parsed = parseCommand(Command().parse(command), { name: "openclaw" }, around);
    expect(parsed).toMatchObject({ event: { chat: { kind: "channel", id: "C0TRAP0001" } } });
  });

  it("a button comes back with its data and the message it stood below", () => {
    const parsed = parseAction(Action().parse(fixture("block-actions")), around);
    expect(parsed).toMatchObject({
      kind: "event",
      event: {
        sender: { id: "U0ALICE001" },
        chat: { kind: "direct", id: "U0ALICE001" },
        content: { kind: "button", data: "approve:42", on: "1763200120.001400" },
      },
    });
  });
});
