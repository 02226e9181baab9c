// S-10: trust in direct chats opens no group, trust in groups opens no direct chat, and what is unclear is a group.
import { describe, expect, test } from "vitest";
import type { Chat } from "@chela/sdk";
import { openChannelStage, openRawStage } from "../support/stages/channel-stage.ts";

const group = { kind: "group" as const, id: "g1" };
const channel = { kind: "channel" as const, id: "c1" };
const MENTION = { more: { mentionsUs: true } };

describe("S-10", () => {
  test.for([
    ["everybody may write directly", { dmPolicy: "open", allowFrom: ["*"] }],
    ["pairing, and everybody is listed", { dmPolicy: "pairing", allowFrom: ["*"] }],
  ] as const)("when %s, nobody may speak in a group by that", async ([, settings]) => {
    await using stage = await openChannelStage({ settings });
    for (const chat of [group, channel]) {
      expect((await stage.fake.say("group-words", { from: "bob", chat, ...MENTION })).kind).toBe("settled");
    }
    await stage.ask("hello", { from: "bob" });
    expect(JSON.stringify(stage.model.requests)).not.toContain("group-words");
    expect(stage.fake.sent).toHaveLength(1);
  });

  test("somebody who was approved may not speak in groups by that", async () => {
    await using stage = await openChannelStage({
      settings: {
        dmPolicy: "pairing",
        allowFrom: [],
        groupPolicy: "allowlist",
        groups: { g1: { requireMention: false } },
      },
    });
    await stage.fake.say("hello", { from: "bob" });
    const [told] = await stage.fake.until(1);
    const code = /Pairing code: (\S+)/.exec(told?.text ?? "")?.[1];
    await stage.client.call("pairing.approve", { channel: "fake", code });
    expect((await stage.fake.say("group-words", { from: "bob", chat: group, ...MENTION })).kind).toBe("settled");
    await stage.ask("hello", { from: "bob" });
    expect(JSON.stringify(stage.model.requests)).not.toContain("group-words");
  });

  test("whoever may speak in groups may not write directly by that", async () => {
    await using stage = await openChannelStage({
      settings: {
        dmPolicy: "allowlist",
        allowFrom: [],
        groupPolicy: "open",
        groupAllowFrom: ["bob", "*"],
        groups: { "*": { requireMention: false }, g1: { requireMention: false, allowFrom: ["bob"] } },
      },
    });
    expect((await stage.fake.say("direct-words", { from: "bob" })).kind).toBe("settled");
    await stage.ask("hello", { from: "bob", chat: group });
    expect(JSON.stringify(stage.model.requests)).not.toContain("direct-words");
  });

  test("a chat of an odd kind, or that is not with its sender, has the rules of a group", async () => {
    await using stage = await openRawStage({ settings: { dmPolicy: "open", allowFrom: ["*"] } });
    const odd: unknown[] = [
      undefined,
      null,
      "",
      "dm",
      "Direct",
      "DIRECT",
      "private",
      "im",
      "supergroup",
      0,
      true,
      ["direct"],
      {},
    ];
    const chats: unknown[] = [
      ...odd.map((kind) => ({ kind, id: "bob" })),
      { kind: "direct", id: "g1" } satisfies Chat,
      { kind: "direct", id: "alice" } satisfies Chat,
      { kind: "direct", id: "" } satisfies Chat,
    ];
    for (const [at, chat] of chats.entries()) {
      const event = { id: `e${at}`, at: 1, chat, sender: { id: "bob" }, replyTarget: { to: "bob" } };
      const content = { kind: "message", text: "odd-words", mentionsUs: true };
      expect([chat, (await stage.receive({ ...event, content })).kind]).toEqual([chat, "settled"]);
    }
    await stage.ask("hello", { from: "bob" });
    expect(JSON.stringify(stage.model.requests)).not.toContain("odd-words");
    expect(stage.fake.sent).toHaveLength(1);
  });

  test("no title of a chat is an id of one", async () => {
    await using stage = await openChannelStage({
      settings: { groupPolicy: "allowlist", groupAllowFrom: ["*"], groups: { g1: { requireMention: false } } },
    });
    for (const chat of [
      { kind: "group" as const, id: "g2", title: "g1" },
      { kind: "group" as const, id: "G1" },
    ])
      expect((await stage.fake.say("hello", { from: "bob", chat, ...MENTION })).kind).toBe("settled");
    expect(stage.model.requests).toEqual([]);
  });
});
