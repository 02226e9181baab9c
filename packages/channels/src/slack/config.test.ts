// Settings become an account, a policy, and addresses, or a sentence about what is missing.
import { describe, expect, it } from "vitest";
import { slackChannel } from "./channel.ts";

const { configure, policy, readId, readTarget } = slackChannel;
const nothing = () => undefined;

describe("an account", () => {
  it.each([
    ["no token", {}, /botToken/],
    ["a token, but no way for events", { botToken: "xoxb-1" }, /appToken/],
    ["a bot token in place of the app token", { botToken: "xoxb-1", appToken: "xoxb-1" }, /xapp-/],
    ["HTTP without a secret", { botToken: "xoxb-1", appToken: "xapp-1", mode: "http" }, /signingSecret/],
    ["HTTP with an empty secret", { botToken: "xoxb-1", mode: "http", signingSecret: "  " }, /signingSecret/],
    ["an odd path", { botToken: "xoxb-1", mode: "http", signingSecret: "s", webhookPath: "events" }, /webhookPath/],
    ["an odd address", { botToken: "xoxb-1", appToken: "xapp-1", apiRoot: "file:///etc" }, /apiRoot/],
    ["settings of another shape", "xoxb-1", /cannot be read/],
  ])("with %s is incomplete, and says why", (_name, settings, why) => {
    const read = configure(settings, nothing);
    expect(read).toMatchObject({ kind: "incomplete", why: expect.stringMatching(why) });
    expect(JSON.stringify(read)).not.toContain("xoxb-1");
  });

  it("takes tokens from the environment, the file first", () => {
    const env: Record<string, string> = { SLACK_BOT_TOKEN: "xoxb-env", SLACK_APP_TOKEN: "xapp-env" };
    expect(configure({ botToken: "xoxb-file" }, (name) => env[name])).toMatchObject({
      account: { botToken: "xoxb-file", way: { kind: "socket", appToken: "xapp-env" } },
    });
  });

  it("listens over HTTP when it is told to", () => {
    const settings = { botToken: "xoxb-1", mode: "http", signingSecret: "s", webhookPath: "/slack/other" };
    expect(configure(settings, nothing)).toMatchObject({
      account: { way: { kind: "http", signingSecret: "s", path: "/slack/other" }, apiRoot: "https://slack.com/api/" },
    });
  });
});

describe("the policy", () => {
  it("reads the older place of direct message settings, too", () => {
    expect(policy({ dm: { policy: "open", allowFrom: ["*"] } })).toMatchObject({ dm: "open", allowFrom: ["*"] });
    expect(policy({ dmPolicy: "allowlist", allowFrom: ["U1"], dm: { policy: "open" } })).toMatchObject({
      dm: "allowlist",
      allowFrom: ["U1"],
    });
    expect(policy({ dm: { enabled: false }, dmPolicy: "open" }).dm).toBe("disabled");
  });

  it("lets everybody speak in a channel that is listed, unless it names its people", () => {
    const { groups, groupAllowFrom } = policy({
      allowFrom: ["U0OWNER001"],
      requireMention: false,
      channels: {
        C0GENERAL1: {},
        C0TEAM0001: {
          users: ["U0ALICE001"],
          requireMention: true,
          systemPrompt: "Be short.",
          tools: { deny: ["exec"] },
        },
        C0CLOSED01: { allow: false },
        C0CLOSED02: { enabled: false },
        C0BROKEN01: { users: "everybody" },
      },
    });
    expect(groups).toMatchObject({
      C0GENERAL1: { isEnabled: true, allowFrom: ["*"], requireMention: false },
      C0TEAM0001: {
        allowFrom: ["U0ALICE001"],
        requireMention: true,
        systemPrompt: "Be short.",
        tools: { deny: ["exec"] },
      },
      C0CLOSED01: { isEnabled: false },
      C0CLOSED02: { isEnabled: false },
      C0BROKEN01: { isEnabled: false },
    });
    // Somebody who may write directly opens no channel by that.
    expect(groupAllowFrom).toEqual([]);
    expect(groups["*"]).toBeUndefined();
  });

  it("shuts everything when it cannot be read", () => {
    for (const settings of [{ dm: 7 }, { channels: [] }, { groupPolicy: "maybe" }, "open"]) {
      expect(policy(settings)).toMatchObject({ dm: "disabled", group: "disabled" });
    }
  });

  it("lists group direct messages when they are switched on", () => {
    const dm = { groupEnabled: true, groupChannels: ["G0MPIM0001"] };
    expect(policy({ allowFrom: ["U1"], dm }).groups).toMatchObject({ G0MPIM0001: { allowFrom: ["U1"] } });
    expect(policy({ dm: { ...dm, groupEnabled: false } }).groups).toEqual({});
  });
});

describe("addresses", () => {
  it.each([
    ["U0ALICE001", { kind: "id", id: "U0ALICE001" }],
    ["user:W0ALICE001", { kind: "id", id: "W0ALICE001" }],
    ["slack:U0ALICE001", { kind: "id", id: "U0ALICE001" }],
    ["<@U0ALICE001>", { kind: "id", id: "U0ALICE001" }],
    ["channel:C0GENERAL1", { kind: "id", id: "C0GENERAL1" }],
    ["*", { kind: "id", id: "*" }],
    ["@alice", { kind: "name", name: "@alice" }],
    ["alice@example.org", { kind: "name", name: "alice@example.org" }],
    ["#general", { kind: "name", name: "#general" }],
  ])("%s in a list is read", (written, expected) => {
    expect(readId(written)).toEqual(expected);
  });

  it.each([
    ["user:U0ALICE001", "user:U0ALICE001", "direct"],
    ["U0ALICE001", "user:U0ALICE001", "direct"],
    ["channel:C0GENERAL1", "channel:C0GENERAL1", "channel"],
    ["C0GENERAL1", "channel:C0GENERAL1", "channel"],
    ["<#C0GENERAL1|general>", "channel:C0GENERAL1", "channel"],
    ["G0GROUP001", "channel:G0GROUP001", "group"],
    ["channel:D0ALICEDM1", "channel:D0ALICEDM1", "direct"],
  ])("%s leads to %s", (written, to, kind) => {
    expect(readTarget(written)).toMatchObject({ kind: "target", target: { to }, chat: { kind } });
  });

  it.each([
    ["#general", "#general"],
    ["channel:general", "#general"],
    ["@alice", "@alice"],
    ["user:alice", "@alice"],
  ])("%s is a name to look up", (written, name) => {
    expect(readTarget(written)).toEqual({ kind: "name", name });
  });

  it.each(["", "#", "user:", "B0DEPLOY01"])("%j is no address", (written) => {
    expect(readTarget(written).kind).toBe("unusable");
  });
});
