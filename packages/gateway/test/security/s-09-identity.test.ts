// S-09: people are who their platform's immutable id says. No name, no spelling and no place makes one person another.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelSender, Chat } from "@chela/sdk";
import { CHANNELS } from "../../src/rooms/channels/index.ts";
import { openRawStage } from "../support/stages/channel-stage.ts";

type RawStage = Awaited<ReturnType<typeof openRawStage>>;

describe("S-09: somebody who is not Alice", () => {
  let stage: RawStage;
  let count = 0;
  beforeAll(async () => {
    stage = await openRawStage({
      settings: {
        dmPolicy: "allowlist",
        allowFrom: ["alice", "", "  "],
        groupPolicy: "allowlist",
        groupAllowFrom: ["alice", "g1", "guild"],
        groups: { g1: { requireMention: false } },
      },
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  const tryAs = (sender: ChannelSender, chat: Chat) =>
    stage.receive({
      id: `e${(count += 1)}`,
      at: 1,
      chat,
      sender,
      replyTarget: { to: "anywhere" },
      content: { kind: "message", text: "forged-words", mentionsUs: true },
    });

  const FORGED: readonly ChannelSender[] = [
    { id: "mallory", name: "alice" },
    { id: "mallory", username: "alice" },
    { id: "mallory", username: "@alice", name: "alice" },
    { id: "ALICE" },
    { id: "alice " },
    { id: " alice" },
    { id: "alice\u200b" },
    { id: "аlice", name: "alice" },
    { id: "alice@evil.example" },
    { id: "not-alice" },
    { id: "alic" },
    { id: "fake:alice" },
    { id: "" },
    { id: " " },
    { id: "*" },
    { id: "", otherIds: ["", " ", "*"] },
    { id: "__proto__" },
    { id: "constructor" },
    { id: "mallory", roles: ["alice"] },
  ];
  test.for(FORGED)("as %j has no effect, directly or in a group", async (sender) => {
    expect((await tryAs(sender, { kind: "direct", id: sender.id })).kind).toBe("settled");
    expect((await tryAs(sender, { kind: "direct", id: "alice" })).kind).toBe("settled");
    expect((await tryAs(sender, { kind: "group", id: "g1" })).kind).toBe("settled");
  });

  test.for<[string, ChannelSender, Chat]>([
    ["the group", { id: "g1" }, { kind: "group", id: "g1" }],
    ["its guild", { id: "guild" }, { kind: "group", id: "g1", guildId: "guild" }],
    ["its parent", { id: "g1" }, { kind: "group", id: "thread", parentId: "g1" }],
  ])("cannot speak as %s, although its id is in a list", async ([, sender, chat]) => {
    expect((await tryAs(sender, chat)).kind).toBe("settled");
  });

  test("nothing of it reached a model or a chat", async () => {
    await stage.ask("hello");
    await stage.ask("hello", { chat: { kind: "group", id: "g1" } });
    expect(JSON.stringify(stage.model.requests)).not.toContain("forged-words");
    expect(stage.fake.sent).toHaveLength(2);
  });
});

describe.each(CHANNELS)("S-09: entries of lists on $id", ({ load }) => {
  const WRITTEN = ["123456789", "12345678901234567", "U0ALICE001", "+15551234567", "ann@example.org", "#room", "alice"];

  test.for(["", " ", "\t\n"])("%j names nobody", async (written) => {
    expect((await load()).readId(written).kind).toBe("unusable");
  });

  test("an id stays what it is, however often it is read", async () => {
    const { readId } = await load();
    const ids = WRITTEN.map(readId).filter((read) => read.kind === "id");
    for (const { id } of ids) expect(readId(id)).toEqual({ kind: "id", id });
    for (const { id } of ids) expect(id.trim()).toBe(id);
    for (const { id } of ids) expect(id).not.toBe("");
  });

  test("no entry becomes everybody", async () => {
    const { readId } = await load();
    for (const written of [...WRITTEN, "all", "any", "everyone", "@everyone", "**", "* ", "user:", "@", "null", "0"]) {
      const read = readId(written);
      if (written.trim() !== "*") expect([written, read]).not.toEqual([written, { kind: "id", id: "*" }]);
      if (read.kind === "id") expect(read.id).not.toBe("");
      if (read.kind === "name") expect(read.name.trim()).not.toBe("");
    }
  });

  test("what stands before or behind an id does not become that id", async () => {
    const { readId } = await load();
    for (const written of WRITTEN) {
      const read = readId(written);
      if (read.kind !== "id") continue;
      for (const forged of [`${written}x`, `x${written}`, `${written} ${written}`, `${written}\u0000`]) {
        const other = readId(forged);
        if (other.kind === "id") expect([forged, other.id]).not.toEqual([forged, read.id]);
      }
    }
  });
});

describe("S-09: a name of a person", () => {
  test.for(["telegram", "discord", "slack", "signal", "whatsapp-cloud", "email"])(
    "is no id on %s, where names can be taken by others",
    async (id) => {
      const channel = await CHANNELS.find((entry) => entry.id === id)?.load();
      for (const name of ["Alice Example", "@alice", "alice"]) expect(channel?.readId(name).kind).not.toBe("id");
    },
  );
});
