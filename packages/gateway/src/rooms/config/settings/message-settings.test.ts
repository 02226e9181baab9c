import { describe, expect, it } from "vitest";
import { replySettings } from "./message-settings.ts";

const read = (config: object, account: object = {}) =>
  replySettings(config, account as Readonly<Record<string, unknown>>, "main");

describe("reactions to a message that was taken", () => {
  it.for([
    [{}, {}, "👀"],
    [{ agents: { list: [{ id: "main", identity: { emoji: "🦞" } }] } }, {}, "🦞"],
    [{ messages: { ackReaction: "🦀" }, agents: { list: [{ id: "main", identity: { emoji: "🦞" } }] } }, {}, "🦀"],
    [{ messages: { ackReaction: "🦀" } }, { ackReaction: "🐙" }, "🐙"],
    [{ messages: { ackReaction: "🦀" } }, { ackReaction: "" }, ""],
    [{ messages: { ackReaction: "" } }, {}, ""],
    [{ messages: { ackReaction: "🦀" } }, { ackReaction: { emoji: "🐙" } }, "🐙"],
    [{ messages: { ackReaction: "🦀" } }, { ackReaction: { direct: true } }, ""],
  ] as const)("with %j and the account's %j are %s", ([config, account, emoji]) => {
    expect(read(config, account).ackReaction).toBe(emoji);
  });

  it.for([
    [undefined, { direct: false, group: "mentions" }],
    ["group-mentions", { direct: false, group: "mentions" }],
    ["group-all", { direct: false, group: "always" }],
    ["direct", { direct: true, group: "never" }],
    ["all", { direct: true, group: "always" }],
    ["off", { direct: false, group: "never" }],
    ["none", { direct: false, group: "never" }],
    ["nonsense", { direct: false, group: "never" }],
  ] as const)("with the scope %s are in %j", ([ackReactionScope, places]) => {
    expect(read({ messages: ackReactionScope ? { ackReactionScope } : {} }).ackIn).toEqual(places);
  });

  it("can have places of their own for an account", () => {
    const config = { messages: { ackReactionScope: "off" } };
    expect(read(config, { ackReaction: { emoji: "x" } }).ackIn).toEqual({ direct: true, group: "mentions" });
    const own = { ackReaction: { emoji: "x", direct: false, group: "always" } };
    expect(read(config, own).ackIn).toEqual({ direct: false, group: "always" });
  });
});

describe("what is shown while an answer is made", () => {
  it("is cut into blocks as the account, then all agents say", () => {
    const defaults = {
      blockStreamingChunk: { minChars: 100, breakPreference: "sentence" },
      blockStreamingCoalesce: { minChars: 300, idleMs: 60_000 },
      blockStreamingBreak: "message_end",
    };
    const { blocks } = read({ agents: { defaults } }, { blockStreamingCoalesce: { minChars: 500 } });
    expect(blocks).toEqual({
      minChars: 100,
      maxChars: 1200,
      prefer: "sentence",
      breakAt: "message_end",
      coalesce: { minChars: 500, maxChars: 1200, idleMs: 5000 },
    });
    expect(read({}).blocks).toMatchObject({ minChars: 800, maxChars: 1200, coalesce: { minChars: 800, idleMs: 1000 } });
  });

  it("has reactions for each state only when they are switched on, and keeps those nobody changed", () => {
    expect(read({ messages: { statusReactions: { emojis: { done: "x" } } } }).statusReactions).toBeUndefined();
    const statusReactions = { enabled: true, emojis: { done: "🎉" }, timing: { debounceMs: 0 } };
    expect(read({ messages: { statusReactions, ackReaction: "🦀" } }).statusReactions).toMatchObject({
      emojis: { queued: "🦀", thinking: "🤔", done: "🎉", stallHard: "😨" },
      debounceMs: 0,
      doneHoldMs: 1500,
    });
  });

  it.for([
    [{}, {}, undefined, undefined],
    [{ session: { typingMode: "never", typingIntervalSeconds: 3 } }, {}, "never", 3000],
    [{ agents: { defaults: { typingMode: "thinking", typingIntervalSeconds: 9 } } }, {}, "thinking", 9000],
  ] as const)("has a typing sign as %j says", ([config, account, typing, typingEveryMs]) => {
    expect(read(config, account)).toMatchObject({ typing, typingEveryMs });
  });

  it("marks messages as read unless told otherwise", () => {
    expect([read({}).marksRead, read({}, { sendReadReceipts: false }).marksRead]).toEqual([true, false]);
  });
});
