import { describe, expect, it } from "vitest";
import { sendPolicyFor, type PolicedSession, type SendPolicyView } from "./room.ts";

const group: PolicedSession = { key: "agent:work:telegram:group:-5", channel: "telegram", chatType: "group" };
const direct: PolicedSession = { key: "agent:main:main", channel: "telegram", chatType: "direct" };
const deny = (match: NonNullable<SendPolicyView["rules"]>[number]["match"]): SendPolicyView => ({
  rules: [{ action: "deny", match }],
});

describe("sendPolicyFor", () => {
  it.each<[string, SendPolicyView | undefined, PolicedSession, "allow" | "deny"]>([
    ["nothing configured", undefined, group, "allow"],
    ["only rules that do not match", deny({ channel: "slack" }), group, "allow"],
    ["the default", { default: "deny" }, group, "deny"],
    ["a rule before the default", { default: "deny", rules: [{ action: "allow" }] }, group, "allow"],
    ["a rule that names nothing", deny({}), group, "deny"],
    ["a rule without an action is passed over", { rules: [{ match: {} }, { action: "deny" }] }, group, "deny"],
    ["a channel, in any case", deny({ channel: "Telegram" }), group, "deny"],
    ["a channel nobody told", deny({ channel: "telegram" }), { key: "agent:x:y" }, "allow"],
    ["a kind of chat", deny({ chatType: "group" }), group, "deny"],
    ["another kind of chat", deny({ chatType: "channel" }), group, "allow"],
    ["dm for direct", deny({ chatType: "dm" }), direct, "deny"],
    ["a key without its agent", deny({ keyPrefix: "telegram:group:" }), group, "deny"],
    ["a key with its agent, where it is left out", deny({ keyPrefix: "agent:work:" }), group, "allow"],
    ["a whole key", deny({ rawKeyPrefix: "Agent:Work:" }), group, "deny"],
    ["a whole key of another agent", deny({ rawKeyPrefix: "agent:main:" }), group, "allow"],
    ["a prefix in the middle", deny({ rawKeyPrefix: "telegram:" }), group, "allow"],
    ["two conditions, one fails", deny({ channel: "telegram", chatType: "direct" }), group, "allow"],
    ["two conditions", deny({ channel: "telegram", chatType: "group" }), group, "deny"],
    [
      "a rule that denies, whatever stands before it",
      {
        rules: [
          { action: "allow", match: { keyPrefix: "telegram:group:-5" } },
          { action: "deny", match: { chatType: "group" } },
        ],
      },
      group,
      "deny",
    ],
    [
      "a rule that allows against the default",
      { default: "deny", rules: [{ action: "allow", match: { chatType: "group" } }] },
      group,
      "allow",
    ],
    ["the session's own word against a rule", deny({}), { ...group, entryPolicy: "allow" }, "allow"],
    ["the session's own word against the default", undefined, { ...group, entryPolicy: "deny" }, "deny"],
  ])("%s", (_what, policy, session, result) => {
    expect(sendPolicyFor(policy, session)).toBe(result);
  });
});
