import { describe, expect, it } from "vitest";
import {
  isHiddenSession,
  sessionKind,
  type Chat,
  canonicalSessionKey,
  mainSessionKey,
  type KeyDefaults,
} from "@chela/sdk";
import { createChance, type Chance } from "./chance.test-support.ts";
import { describeKey, parentKeyOf, routeEvent, type RoutedEvent, type SessionView } from "./room.ts";

const defaults: KeyDefaults = { defaultAgentId: "main", mainKey: "main", scope: "per-sender" };
const SCOPES = ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"] as const;

type Place = Partial<Omit<RoutedEvent, "chat">> & { readonly chat: Chat };

function keysOf(place: Place, session: SessionView = {}, keyDefaults = defaults) {
  const sender = { id: place.chat.id };
  const event: RoutedEvent = { channel: "telegram", account: "default", sender, standing: "owner", ...place };
  const { sessionKey, parentSessionKey } = routeEvent(event, { session }, keyDefaults);
  return parentSessionKey === undefined ? { sessionKey } : { sessionKey, parentSessionKey };
}
const keyOf = (place: Place, session: SessionView = {}, keyDefaults = defaults) =>
  keysOf(place, session, keyDefaults).sessionKey;

describe("the key of a direct chat", () => {
  const place: Place = { channel: "WhatsApp", account: "Personal", chat: { kind: "direct", id: "+4670" } };
  it.each([
    ["main", "agent:main:main"],
    ["per-peer", "agent:main:direct:+4670"],
    ["per-channel-peer", "agent:main:whatsapp:direct:+4670"],
    ["per-account-channel-peer", "agent:main:whatsapp:personal:direct:+4670"],
  ] as const)("in the scope %s is %s", (dmScope, key) => {
    expect(keyOf(place, { dmScope })).toBe(key);
    expect(keysOf({ ...place, chat: { ...place.chat, threadId: "9" } }, { dmScope })).toEqual({
      sessionKey: `${key}:thread:9`,
      parentSessionKey: key,
    });
  });
  it("is the main one when nothing is configured, whatever that is called", () => {
    expect(keyOf(place)).toBe("agent:main:main");
    expect(keyOf(place, {}, { ...defaults, mainKey: "Home" })).toBe("agent:main:home");
    expect(mainSessionKey("main", { ...defaults, mainKey: "Home" })).toBe("agent:main:home");
    expect(canonicalSessionKey("home", { ...defaults, mainKey: "Home" })).toBe("agent:main:home");
  });
  it("is global in the global scope, threads included", () => {
    const global = { ...defaults, scope: "global" as const };
    expect(keysOf(place, {}, global)).toEqual({ sessionKey: "global" });
    expect(keysOf({ ...place, chat: { ...place.chat, threadId: "9" } }, {}, global)).toEqual({ sessionKey: "global" });
    expect(keyOf({ chat: { kind: "group", id: "-5" } }, {}, global)).toBe("agent:main:telegram:group:-5");
  });
  it("stays with somebody else's chat when we wrote the message", () => {
    expect(keyOf({ ...place, sender: { id: "us" } }, { dmScope: "per-peer" })).toBe("agent:main:direct:+4670");
  });
});

describe("the key of a group", () => {
  it.each<[string, Place, { sessionKey: string; parentSessionKey?: string }]>([
    ["group", { chat: { kind: "group", id: "-5" } }, { sessionKey: "agent:main:telegram:group:-5" }],
    [
      "topic",
      { chat: { kind: "group", id: "-5", threadId: "42" }, threadWord: "topic" },
      {
        sessionKey: "agent:main:telegram:group:-5:topic:42",
        parentSessionKey: "agent:main:telegram:group:-5",
      },
    ],
    [
      "channel",
      { channel: "slack", chat: { kind: "channel", id: "C0A" } },
      { sessionKey: "agent:main:slack:channel:c0a" },
    ],
    [
      "thread in a channel",
      { channel: "slack", chat: { kind: "channel", id: "C0A", threadId: "17.5" } },
      { sessionKey: "agent:main:slack:channel:c0a:thread:17.5", parentSessionKey: "agent:main:slack:channel:c0a" },
    ],
    [
      "thread that is a chat of its own",
      { channel: "discord", chat: { kind: "channel", id: "99", parentId: "7" } },
      { sessionKey: "agent:main:discord:channel:99", parentSessionKey: "agent:main:discord:channel:7" },
    ],
    [
      "room whose id repeats on another account",
      { channel: "irc", account: "oftc", chatIdsArePerAccount: true, chat: { kind: "channel", id: "#general" } },
      { sessionKey: "agent:main:irc:oftc:channel:#general" },
    ],
    [
      "room whose id repeats, on the default account",
      { channel: "irc", chatIdsArePerAccount: true, chat: { kind: "channel", id: "#general" } },
      { sessionKey: "agent:main:irc:channel:#general" },
    ],
  ])("%s", (_what, place, keys) => {
    expect(keysOf(place)).toEqual(keys);
    expect(keysOf(place, { dmScope: "per-peer", identityLinks: { ann: ["-5", "C0A", "99"] } })).toEqual(keys);
  });
});

describe("ids that cannot stand in a key as they are", () => {
  it.each([
    ["!AbC:matrix.org", "!abc:matrix.org~5"],
    ["!abc:matrix.org", "!abc:matrix.org"],
    ["120363@g.us", "120363@g.us"],
    ["a b", "a%20b"],
    ["spaces/aa", "spaces%2faa"],
    ["a\\b", "a%5cb"],
    ["../etc", ".%2e%2fetc"],
    ["100%", "100%25"],
    ["a~1", "a%7e1"],
    ["a:thread:b", "a:%74hread:b"],
    ["dm", "%64m"],
    ["a::b", "a:%3ab"],
    [":a:", "%3aa%3a"],
    ["line\nbreak", "line%0abreak"],
    ["größe", "größe"],
    ["\u212Aelvin", "%e2%84%aaelvin"],
    ["\ud800", "%ud800"],
    ["", "unknown"],
    ["unknown", "%75nknown"],
  ])("%j is written %s, and read again", (id, written) => {
    const key = keyOf({ channel: "matrix", chat: { kind: "group", id } });
    expect(key).toBe(`agent:main:matrix:group:${written}`);
    expect(describeKey(key)).toEqual({ kind: "group", agentId: "main", channel: "matrix", peer: id });
  });
});

describe("linked people", () => {
  const identityLinks = { Ann: ["telegram:123", "Discord:456", "+49 151"], bob: ["@bob:hs.org", "telegram:9"] };
  const links = (dmScope: (typeof SCOPES)[number]): SessionView => ({ dmScope, identityLinks });
  const direct = (channel: string, id: string, otherIds: string[] = []): Place => ({
    channel,
    chat: { kind: "direct", id },
    sender: { id, otherIds },
  });
  it.each([
    ["by channel and id", direct("telegram", "123"), "ann"],
    ["on another channel", direct("discord", "456"), "ann"],
    ["by another id of theirs", direct("whatsapp", "1@lid", ["+49 151"]), "ann"],
    ["by an id alone", direct("matrix", "@bob:hs.org"), "bob"],
    ["not by the id of another channel", direct("discord", "123"), "123"],
    ["not by an id that looks like an entry", direct("webhook", "telegram:123"), "telegram:123"],
    ["not by part of an id", direct("telegram", "1234"), "1234"],
    ["not by calling oneself so", direct("irc", "ann"), "ann~0"],
    ["not by calling oneself so loudly", direct("irc", "ANN"), "ann~0"],
    ["not by calling oneself nearly so", direct("irc", "Ann"), "ann~1"],
  ])("are found %s", (_what, place, peer) => {
    expect(keyOf(place, links("per-peer"))).toBe(`agent:main:direct:${peer}`);
    expect(keyOf(place, links("per-channel-peer"))).toBe(`agent:main:${place.channel}:direct:${peer}`);
  });
  it("share the main session like everybody when that is the scope", () => {
    expect(keyOf(direct("telegram", "123"), links("main"))).toBe("agent:main:main");
  });
});

describe("keys of different chats", () => {
  const PIECES =
    "a b A B : :: thread topic direct dm group channel cron run main ~ ~0 ~1 % %3a %74 . .. / \\ @ # é É \u212A \ud800 😀 0 1 ann unknown".split(
      " ",
    );
  const anyId = (chance: Chance): string =>
    Array.from({ length: 1 + chance.below(4) }, () => chance.pick(PIECES)).join(chance.pick(["", ":", " "]));
  const anyPlace = (chance: Chance): Place => {
    const threadId = chance.maybe(anyId(chance));
    const chat: Chat = { kind: chance.pick(["direct", "group", "channel"]), id: anyId(chance) };
    return {
      channel: chance.pick(["irc", "matrix", "direct", "thread"]),
      account: chance.pick(["default", "work", "group", "a:direct", "thread"]),
      chatIdsArePerAccount: true,
      chat: threadId === undefined ? chat : { ...chat, threadId },
    };
  };
  /** Ids without small letters are taken for the same as those without capitals. */
  const folded = (id: string) => (/[a-z]/.test(id) ? id : id.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  const identity = ({ channel, account, chat }: Place) =>
    JSON.stringify([channel, account, chat.kind, folded(chat.id), folded(chat.threadId ?? "")]);

  it("are never the same unless the scope says so", () => {
    const chance = createChance(3);
    const session: SessionView = { dmScope: "per-account-channel-peer", identityLinks: { ann: ["irc:nobody-here"] } };
    const owners = new Map<string, string>();
    for (let round = 0; round < 20_000; round += 1) {
      const place = anyPlace(chance);
      const key = keyOf(place, session);
      expect(owners.get(key) ?? identity(place)).toBe(identity(place));
      owners.set(key, identity(place));
    }
    expect(new Set(owners.values()).size).toBe(owners.size);
  });

  it("are canonical, tell their kind, and lead back to the chat", () => {
    const chance = createChance(4);
    for (let round = 0; round < 3000; round += 1) {
      const place = anyPlace(chance);
      const { sessionKey, parentSessionKey } = keysOf(place, { dmScope: chance.pick(SCOPES.slice(1)) });
      expect(canonicalSessionKey(sessionKey, defaults)).toBe(sessionKey);
      expect(sessionKind(sessionKey)).toBe(place.chat.kind === "direct" ? "direct" : "group");
      expect(isHiddenSession(sessionKey)).toBe(false);
      expect(parentKeyOf(sessionKey)).toBe(parentSessionKey);
      const described = describeKey(sessionKey);
      expect(described.kind).toBe(place.chat.kind);
      expect(folded(described.peer ?? "")).toBe(folded(place.chat.id));
      expect(folded(described.thread ?? "")).toBe(folded(place.chat.threadId ?? ""));
    }
  });
});

describe("describeKey", () => {
  it.each([
    ["agent:main:main", { kind: "main", agentId: "main" }],
    ["agent:main:main:thread:5", { kind: "main", agentId: "main", thread: "5" }],
    ["agent:x:direct:+49", { kind: "direct", agentId: "x", peer: "+49" }],
    ["agent:x:telegram:dm:5", { kind: "direct", agentId: "x", channel: "telegram", peer: "5" }],
    ["agent:x:tg:work:direct:5", { kind: "direct", agentId: "x", channel: "tg", account: "work", peer: "5" }],
    [
      "agent:x:telegram:group:-5:topic:7",
      { kind: "group", agentId: "x", channel: "telegram", peer: "-5", thread: "7" },
    ],
    ["agent:x:subagent:0-1", { kind: "subagent", agentId: "x" }],
    ["agent:x:cron:job:run:1", { kind: "cron", agentId: "x" }],
    ["agent:x:acp:1", { kind: "acp", agentId: "x" }],
    ["agent:x:openai:1", { kind: "openai", agentId: "x" }],
    ["agent:x:notes", { kind: "other", agentId: "x" }],
    ["agent:x:thread:7", { kind: "other", agentId: "x" }],
    ["agent:x:telegram:group:", { kind: "other", agentId: "x" }],
    ["hook:1", { kind: "hook" }],
    ["node-7", { kind: "node" }],
    ["global", { kind: "global" }],
    ["unknown", { kind: "unknown" }],
    ["whatever", { kind: "other" }],
  ])("reads %s", (key, description) => {
    expect(describeKey(key)).toEqual(description);
  });
  it("knows the configured main key", () => {
    expect(describeKey("agent:x:home", "Home")).toEqual({ kind: "main", agentId: "x" });
  });
});

describe("parentKeyOf", () => {
  it.each([
    ["agent:x:slack:channel:c1:thread:17.5", "agent:x:slack:channel:c1"],
    ["agent:x:telegram:group:-5:topic:7", "agent:x:telegram:group:-5"],
    ["agent:x:main:thread:5:6", "agent:x:main"],
    ["agent:x:thread:7", undefined],
    ["agent:x:slack:channel:c1", undefined],
    ["agent:x:slack:channel:c1:thread:", undefined],
    ["global", undefined],
    ["hook:a:thread:5", undefined],
  ])("of %s is %s", (key, parent) => {
    expect(parentKeyOf(key)).toBe(parent);
  });
});
