// Which chat is meant: defaults, addresses, names that are clear, and names that are not.
import { describe, expect, it } from "vitest";
import type { Channel, ChannelConnection, DirectoryEntry, WrittenTarget } from "@chela/sdk";
import { createFakeChannel } from "@chela/sdk/testing";
import { findSpot, type SpotParts, type SpotQuestion } from "./find-spot.ts";
import type { CurrentChat } from "./reach.ts";

const PEOPLE: readonly DirectoryEntry[] = [
  { kind: "user", id: "1", name: "Bob Miller", username: "bob" },
  { kind: "user", id: "2", name: "Bobby", username: "bobby" },
  { kind: "group", id: "3", name: "#plans" },
  { kind: "group", id: "4", name: "bob" },
];

/** Takes `user:<n>` and `room:<n>` as addresses, as some platforms do; a number alone may be either. */
function readTarget(written: string): WrittenTarget {
  const [, word, id = ""] = /^(user|channel):(\d+)$/.exec(written) ?? [];
  if (word)
    return { kind: "target", target: { to: written }, chat: { kind: word === "user" ? "direct" : "channel", id } };
  return /^\d+$/.test(written) ? { kind: "unusable", why: "a person or a room?" } : { kind: "name", name: written };
}

const fake = createFakeChannel().channel;
const named: Channel = { ...fake, readTarget };
const connection = {
  directory: {
    self: async () => PEOPLE[0] as DirectoryEntry,
    users: async (query) => PEOPLE.filter(({ kind, username }) => kind === "user" && username?.includes(query)),
    groups: async (query) => PEOPLE.filter(({ kind, name }) => kind === "group" && name?.includes(query)),
  },
  resolveName: async (name, kind) => (name === "sure" && kind === "user" ? "9" : undefined),
} as Partial<ChannelConnection> as ChannelConnection;

const HERE: CurrentChat = {
  by: "message",
  channel: "named",
  account: "second",
  target: { to: "user:7", threadId: "t" },
  chat: { kind: "direct", id: "7" },
};

function find(question: SpotQuestion, from?: CurrentChat, configured: readonly string[] = ["named", "fake"]) {
  const parts: SpotParts = {
    configured: () => configured,
    channel: async (id) => (id === "named" ? named : fake),
    accounts: () => ["default", "second"],
    defaultAccount: () => "default",
    connection: () => connection,
  };
  return findSpot(question, from, parts);
}

describe("the chat that is meant", () => {
  it("is the one of the turn when nothing else is said, thread and account included", async () => {
    const { by: _by, ...here } = HERE;
    expect(await find({}, HERE)).toEqual(here);
    expect(await find({ target: "7" }, HERE)).toEqual(here);
    expect(await find({ target: "user:7", threadId: "u" }, HERE)).toMatchObject({ target: { threadId: "u" } });
  });

  it("has the only channel there is, or the one of the turn", async () => {
    expect(await find({ target: "x" }, undefined, ["fake"])).toMatchObject({ channel: "fake", account: "default" });
    expect(await find({ target: "user:1" }, HERE)).toMatchObject({ channel: "named", account: "second" });
    expect(await find({ channel: " FAKE ", target: "x" }, HERE)).toMatchObject({ channel: "fake", account: "default" });
  });

  it.each([
    ["sure", "user:9"],
    ["@bobby", "user:2"],
    ["user:bobby", "user:2"],
    ["#plans", "channel:3"],
    ["plans", "channel:3"],
  ])("is found by the name %s", async (target, to) => {
    expect(await find({ channel: "named", target })).toMatchObject({ target: { to } });
  });

  it.each<[SpotQuestion, RegExp]>([
    [{ target: "x" }, /Channel is required when several are configured: named, fake/],
    [{ channel: "pigeon", target: "x" }, /"pigeon" is not configured here \(configured: named, fake\)/],
    [{ channel: "named" }, /no target was given/],
    [{ channel: "named", accountId: "third", target: "user:1" }, /no account "third" \(it has: default, second\)/],
    [{ channel: "named", target: "12" }, /a person or a room\?/],
    [
      { channel: "named", target: "bob" },
      /may be several.*Bob Miller @bob \(user 1\).*Bobby @bobby \(user 2\).*bob \(group 4\)/,
    ],
    [{ channel: "named", target: "nobody" }, /nobody and no group called "nobody" was found/],
  ])("is not guessed: %j", async (question, says) => {
    await expect(find(question)).rejects.toThrow(says);
  });
});
