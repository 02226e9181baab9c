// What settings of a Mattermost account mean, and how people and places are written.
import { describe, expect, it } from "vitest";
import { mattermostChannel } from "./channel.ts";

const ID = "abcdefghijklmnopqrstuvwxy1";
const nothing = (): undefined => undefined;

describe("the settings", () => {
  it("need a token and a server, which may be in the environment", () => {
    expect(mattermostChannel.configure({ baseUrl: "https://chat.example" }, nothing)).toMatchObject({
      kind: "incomplete",
    });
    expect(mattermostChannel.configure({ botToken: "t" }, nothing)).toMatchObject({ kind: "incomplete" });
    expect(mattermostChannel.configure({ botToken: "t", baseUrl: "ftp://x" }, nothing).kind).toBe("incomplete");
    const env: Record<string, string> = { MATTERMOST_BOT_TOKEN: "t", MATTERMOST_URL: "https://chat.example/team/" };
    expect(mattermostChannel.configure({}, (name) => env[name])).toMatchObject({
      kind: "configured",
      account: { baseUrl: "https://chat.example/team", prefixes: [] },
    });
  });

  it("show the token nowhere", () => {
    const configured = mattermostChannel.configure(
      { botToken: "hidden-token", baseUrl: "https://chat.example" },
      nothing,
    );
    expect(JSON.stringify(configured)).not.toContain("hidden-token");
  });

  it("have signs to begin with only in onchar mode", () => {
    const prefixesOf = (more: object): unknown => {
      const read = mattermostChannel.configure({ botToken: "t", baseUrl: "https://c.example", ...more }, nothing);
      return read.kind === "configured" ? read.account.prefixes : read;
    };
    expect(prefixesOf({ chatmode: "onchar" })).toEqual([">", "!"]);
    expect(prefixesOf({ chatmode: "onchar", oncharPrefixes: ["?", " "] })).toEqual(["?"]);
    expect(prefixesOf({ oncharPrefixes: ["?"] })).toEqual([]);
  });

  it("say by the mode whether we must be mentioned, and open nothing by it", () => {
    const groups = { [ID]: {} };
    expect(mattermostChannel.policy({ chatmode: "onmessage", groups }).groups).toEqual({
      [ID]: { requireMention: false },
    });
    expect(mattermostChannel.policy({ chatmode: "oncall", groups }).groups).toEqual({ [ID]: {} });
    expect(mattermostChannel.policy({ chatmode: "onmessage", requireMention: true, groups }).groups).toEqual({
      [ID]: { requireMention: true },
    });
    expect(mattermostChannel.policy({ chatmode: "onmessage" }).groups).toEqual({});
    expect(mattermostChannel.policy({ chatmode: "onmessage", groupPolicy: "open" }).groups).toEqual({
      "*": { requireMention: false },
    });
    expect(mattermostChannel.policy({ chatmode: "sometimes" })).toMatchObject({ dm: "disabled", group: "disabled" });
  });
});

describe("addresses", () => {
  it.each([
    [ID, { kind: "id", id: ID }],
    [`user:${ID}`, { kind: "id", id: ID }],
    ["@Alice", { kind: "name", name: "alice" }],
    ["two words", { kind: "unusable" }],
  ])("the entry %j means %j", (written, means) => {
    expect(mattermostChannel.readId(written)).toMatchObject(means);
  });

  it.each([
    [`channel:${ID}`, { kind: "target", target: { to: `channel:${ID}` }, chat: { kind: "channel", id: ID } }],
    [ID, { kind: "target", target: { to: `channel:${ID}` } }],
    [`user:${ID}`, { kind: "target", target: { to: `user:${ID}` }, chat: { kind: "direct", id: ID } }],
    ["@alice", { kind: "name", name: "@alice" }],
    ["#town-square", { kind: "name", name: "#town-square" }],
    ["channel:../users/me", { kind: "unusable" }],
  ])("the target %j means %j", (written, means) => {
    expect(mattermostChannel.readTarget(written)).toMatchObject(means);
  });
});
