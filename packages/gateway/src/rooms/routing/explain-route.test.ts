import { describe, expect, it } from "vitest";
import { explainRoute, type RoutedEvent, type RoutingView } from "./room.ts";
import type { KeyDefaults } from "@chela/sdk";

const defaults: KeyDefaults = { defaultAgentId: "main", mainKey: "main", scope: "per-sender" };
const agents = { list: [{ id: "main" }, { id: "family" }, { id: "work" }] };
const event: RoutedEvent = {
  channel: "telegram",
  account: "default",
  threadWord: "topic",
  chat: { kind: "group", id: "-100", threadId: "42" },
  sender: { id: "7" },
  standing: "member",
};
const config: RoutingView = {
  agents,
  bindings: [
    { agentId: "work", match: { channel: "slack" } },
    { agentId: "work", match: { channel: "telegram", accountId: "*" } },
    {
      agentId: "family",
      comment: "the family group",
      match: { channel: "telegram", peer: { kind: "group", id: "-100" } },
    },
    { agentId: "work", match: { accountId: "*" } },
  ],
};

describe("explainRoute", () => {
  it("tells where a message goes, which tier decided, and what became of each binding", () => {
    expect(explainRoute(event, config, defaults).split("\n")).toEqual([
      'Message: telegram, account "default", group "-100", thread "42", from "7"',
      "Sender:  a member",
      "Agent:   family",
      "Session: agent:family:telegram:group:-100:topic:42",
      "Parent:  agent:family:telegram:group:-100",
      "Because: bindings[2] matches (binding.peer.parent)",
      "",
      "Tiers, the first that matches decides:",
      "  1 binding.peer         –",
      "  2 binding.peer.parent  bindings[2] chosen",
      "  3 binding.guild+roles  –",
      "  4 binding.guild        –",
      "  5 binding.team         –",
      "  6 binding.account      –",
      "  7 binding.channel      bindings[1] outranked",
      "  8 default              –",
      "",
      "Bindings:",
      '  [0] → work: does not match: it is for the channel "slack"',
      "  [1] → work: outranked: it matches too, but bindings[2] is more specific",
      "  [2] → family (the family group): chosen: it is the most specific one that matches",
      "  [3] → work: unusable: it names no channel; write match.channel",
    ]);
  });

  it("says when nothing is bound", () => {
    const text = explainRoute({ ...event, chat: { kind: "direct", id: "7" } }, { agents }, defaults);
    expect(text).toContain("Because: no binding matches (default)");
    expect(text).toContain("  8 default              agent main");
    expect(text).toContain("There are no bindings.");
  });

  it("warns of a binding that cannot be followed", () => {
    const text = explainRoute(
      event,
      { agents, bindings: [{ agentId: "wrok", match: { channel: "telegram" } }] },
      defaults,
    );
    expect(text).toMatch(/^Warning: bindings\[0\] matches but names the agent "wrok", which does not exist/m);
    expect(text).toContain("known: main, family, work");
    expect(text).toContain("[0] → wrok: cannot be followed");
  });

  it("keeps what an id holds on one line", () => {
    const text = explainRoute({ ...event, sender: { id: "x\nAgent: root" } }, { agents }, defaults);
    expect(text.split("\n")[0]).toContain(String.raw`from "x\nAgent: root"`);
    expect(text).not.toMatch(/^Agent: root/m);
  });
});
