import { describe, expect, it } from "vitest";
import type { Chat, KeyDefaults } from "@chela/sdk";
import { createChance, type Chance } from "./chance.test-support.ts";
import { routeEvent, type BindingView, type RoutedEvent, type RoutingView } from "./room.ts";

const defaults: KeyDefaults = { defaultAgentId: "main", mainKey: "main", scope: "per-sender" };
const AGENTS = ["main", "peer", "parent", "roles", "guild", "team", "account", "channel", "other"];
const agents = { list: AGENTS.map((id) => ({ id })) };

type Match = NonNullable<BindingView["match"]>;
const bind = (agentId: string, match: Match): BindingView => ({ agentId, match });

function event(chat: Partial<Chat> = {}, rest: Partial<Omit<RoutedEvent, "chat">> = {}): RoutedEvent {
  const sender = { id: "7", roles: ["admin"] };
  return {
    channel: "discord",
    account: "default",
    chat: { kind: "channel", id: "c1", ...chat },
    sender,
    standing: "owner",
    ...rest,
  };
}

const route = (bindings: BindingView[], of: RoutedEvent, config: Partial<RoutingView> = {}) =>
  routeEvent(of, { agents, bindings, ...config }, defaults);

const EVERY_TIER: BindingView[] = [
  bind("channel", { channel: "discord", accountId: "*" }),
  bind("account", { channel: "discord" }),
  bind("team", { channel: "discord", teamId: "t1" }),
  bind("guild", { channel: "discord", guildId: "g1" }),
  bind("roles", { channel: "discord", guildId: "g1", roles: ["admin", "owner"] }),
  bind("parent", { channel: "discord", peer: { kind: "channel", id: "p1" } }),
  bind("peer", { channel: "discord", peer: { kind: "channel", id: "c1" } }),
];

describe("routeEvent follows the most specific binding", () => {
  it.each([
    ["binding.peer", "peer", event({ parentId: "p1", guildId: "g1", teamId: "t1" })],
    ["binding.peer.parent", "parent", event({ id: "c2", parentId: "p1", guildId: "g1", teamId: "t1" })],
    ["binding.guild+roles", "roles", event({ id: "c2", guildId: "g1", teamId: "t1" })],
    ["binding.guild", "guild", event({ id: "c2", guildId: "g1", teamId: "t1" }, { sender: { id: "7" } })],
    ["binding.team", "team", event({ id: "c2", guildId: "g2", teamId: "t1" })],
    ["binding.account", "account", event({ id: "c2" })],
    ["binding.channel", "channel", event({ id: "c2" }, { account: "work" })],
    ["default", "main", event({}, { channel: "slack" })],
  ])("%s", (matchedBy, agentId, of) => {
    const found = route(EVERY_TIER, of);
    expect(found).toMatchObject({ matchedBy, agentId, channel: of.channel, accountId: of.account });
    expect(found.warning).toBeUndefined();
    expect(found.binding === undefined ? "main" : EVERY_TIER[found.binding]?.agentId).toBe(agentId);
  });

  it("takes the first of two in the same tier", () => {
    const same = { channel: "discord", guildId: "g1" };
    expect(route([bind("guild", same), bind("other", same)], event({ guildId: "g1" })).agentId).toBe("guild");
    expect(route([bind("other", same), bind("guild", same)], event({ guildId: "g1" })).agentId).toBe("other");
  });

  it("uses the keys of the agent it found", () => {
    expect(route(EVERY_TIER, event())).toMatchObject({
      sessionKey: "agent:peer:discord:channel:c1",
      mainSessionKey: "agent:peer:main",
    });
  });
});

describe("everything a binding names must hold", () => {
  const whole: Match = {
    channel: "discord",
    accountId: "work",
    peer: { kind: "channel", id: "c1" },
    guildId: "g1",
    teamId: "t1",
    roles: ["admin"],
  };
  const fits = event({ guildId: "g1", teamId: "t1" }, { account: "work" });
  it.each<[string, RoutedEvent, boolean]>([
    ["all", fits, true],
    ["not the channel", { ...fits, channel: "slack" }, false],
    ["not the account", { ...fits, account: "home" }, false],
    ["not the peer", { ...fits, chat: { ...fits.chat, id: "c2" } }, false],
    ["not the kind of peer", { ...fits, chat: { ...fits.chat, kind: "direct" } }, false],
    ["not the guild", { ...fits, chat: { ...fits.chat, guildId: "g2" } }, false],
    ["not the team", { ...fits, chat: { ...fits.chat, teamId: "t2" } }, false],
    ["not the role", { ...fits, sender: { id: "7", roles: ["guest"] } }, false],
  ])("%s", (_what, of, matches) => {
    expect(route([bind("other", whole)], of).matchedBy).toBe(matches ? "binding.peer" : "default");
  });
});

describe("what a binding may say", () => {
  const direct = (id: string, rest: Partial<RoutedEvent> = {}) =>
    event({ kind: "direct", id }, { channel: "whatsapp", sender: { id }, ...rest });
  const peer = (kind: "direct" | "dm" | "group" | "channel", id: string): Match => ({
    channel: "whatsapp",
    peer: { kind, id },
  });
  const group = (id: string, threadId?: string) =>
    event({ kind: "group", id, ...(threadId ? { threadId } : {}) }, { channel: "telegram" });
  const inGroup = (id: string): Match => ({ channel: "telegram", peer: { kind: "group", id } });

  it.each<[string, Match, RoutedEvent, string]>([
    ["no account: the default one", { channel: "discord" }, event(), "binding.account"],
    ["no account: no other one", { channel: "discord" }, event({}, { account: "work" }), "default"],
    [
      "no account: the one configured as default",
      { channel: "discord" },
      event({}, { account: "work", defaultAccount: "work" }),
      "binding.account",
    ],
    ["any account", { channel: "discord", accountId: "*" }, event({}, { account: "work" }), "binding.channel"],
    [
      "names in any case",
      { channel: "Discord", accountId: " Work " },
      event({}, { account: "work" }),
      "binding.account",
    ],
    ["dm for direct", peer("dm", "+49"), direct("+49"), "binding.peer"],
    [
      "another id of the same person",
      peer("direct", "+49"),
      direct("1@lid", { sender: { id: "1@lid", otherIds: ["+49"] } }),
      "binding.peer",
    ],
    ["not an id of ours in somebody's chat", peer("direct", "us"), direct("+49", { sender: { id: "us" } }), "default"],
    [
      "a group called channel",
      peer("channel", "g"),
      { ...direct("g"), chat: { kind: "group", id: "g" } },
      "binding.peer",
    ],
    ["a group is no person", peer("group", "+49"), direct("+49"), "default"],
    ["a topic", inGroup("-1:topic:42"), group("-1", "42"), "binding.peer"],
    ["a thread", inGroup("-1:thread:42"), group("-1", "42"), "binding.peer"],
    ["another topic", inGroup("-1:topic:43"), group("-1", "42"), "default"],
    ["the chat of a topic", inGroup("-1"), group("-1", "42"), "binding.peer.parent"],
    ["a topic is not its chat", inGroup("-1:topic:42"), group("-1"), "default"],
    ["a star is no peer", inGroup("*"), group("-1"), "default"],
    ["roles without a guild", { channel: "discord", roles: ["admin"] }, event(), "binding.account"],
    ["roles without a guild, not held", { channel: "discord", roles: ["owner"] }, event(), "default"],
  ])("%s", (_what, match, of, matchedBy) => {
    expect(route([bind("other", match)], of).matchedBy).toBe(matchedBy);
  });

  it.each<[string, BindingView]>([
    ["no channel", bind("other", { accountId: "*" })],
    ["nothing", { agentId: "other" }],
    ["a peer without an id", bind("other", { channel: "discord", accountId: "*", peer: { kind: "channel" } })],
    ["a peer without a kind", bind("other", { channel: "discord", accountId: "*", peer: { id: "c1" } })],
  ])("is for nobody when it names %s", (_what, broken) => {
    const found = route([broken], event());
    expect(found.matchedBy).toBe("default");
    expect(found.considered).toMatchObject([{ binding: 0, kind: "unusable" }]);
  });
});

describe("a binding whose agent does not exist", () => {
  const lower = bind("channel", { channel: "discord", accountId: "*" });
  it.each(["nobody", "", "  ", "!!!"])(
    "leads %j to the default agent, with a warning, and to nobody else",
    (agentId) => {
      const found = route([lower, bind(agentId, { channel: "discord", guildId: "g1" })], event({ guildId: "g1" }));
      expect(found).toMatchObject({ agentId: "main", matchedBy: "default" });
      expect(found.warning).toMatch(/bindings\[1\].*does not exist.*"main" answers instead/);
      expect(found.considered).toMatchObject([{ kind: "outranked" }, { kind: "unknown-agent" }]);
      expect(found.binding).toBeUndefined();
    },
  );
  it("does no harm where it does not match", () => {
    const found = route([bind("nobody", { channel: "slack" }), lower], event());
    expect(found).toMatchObject({ agentId: "channel", binding: 1 });
    expect(found.warning).toBeUndefined();
  });
  it("is found by its id as agents are listed", () => {
    const config = { agents: { list: [{ id: "main" }, { id: "My Agent" }] } };
    expect(route([bind("my agent", { channel: "discord" })], event(), config).agentId).toBe("my-agent");
  });
});

describe("the order of bindings", () => {
  function anyBinding(chance: Chance): BindingView {
    const match: Match = {
      channel: chance.pick(["discord", "discord", "slack"]),
      accountId: chance.maybe(chance.pick(["*", "default", "work"])),
      peer: chance.maybe({ kind: chance.pick(["channel", "direct"] as const), id: chance.pick(["c1", "c2", "p1"]) }),
      guildId: chance.maybe(chance.pick(["g1", "g2"])),
      teamId: chance.maybe(chance.pick(["t1", "t2"])),
      roles: chance.maybe([chance.pick(["admin", "owner"])]),
    };
    return bind(chance.pick([...AGENTS, "nobody"]), match);
  }
  const anyEvent = (chance: Chance): RoutedEvent => {
    const [parentId, guildId, teamId] = [chance.maybe("p1"), chance.maybe("g1"), chance.maybe("t1")];
    const chat = {
      ...(parentId ? { parentId } : {}),
      ...(guildId ? { guildId } : {}),
      ...(teamId ? { teamId } : {}),
    };
    return event(chat, { account: chance.pick(["default", "work"]) });
  };
  const tierOf = (binding: BindingView, of: RoutedEvent) => route([binding], of).considered[0]?.tier ?? "none";
  const outcome = (bindings: BindingView[], of: RoutedEvent) => {
    const { agentId, matchedBy } = route(bindings, of);
    return { agentId, matchedBy };
  };

  it("matters only within a tier", () => {
    const chance = createChance(1);
    for (let round = 0; round < 400; round += 1) {
      const of = anyEvent(chance);
      const bindings = Array.from({ length: 1 + chance.below(8) }, () => anyBinding(chance));
      const tiers = chance.shuffle([...new Set(bindings.map((binding) => tierOf(binding, of)))]);
      const moved = tiers.flatMap((tier) => bindings.filter((binding) => tierOf(binding, of) === tier));
      expect(outcome(moved, of)).toEqual(outcome(bindings, of));
    }
  });

  it("lets no less specific binding change what was found", () => {
    const chance = createChance(2);
    const ranks = ["binding.peer", "binding.peer.parent", "binding.guild+roles", "binding.guild", "binding.team"];
    const rank = (tier: string) => [...ranks, "binding.account", "binding.channel", "none"].indexOf(tier);
    let compared = 0;
    for (let round = 0; round < 400; round += 1) {
      const of = anyEvent(chance);
      const bindings = Array.from({ length: 1 + chance.below(5) }, () => anyBinding(chance));
      const best = Math.min(...bindings.map((binding) => rank(tierOf(binding, of))));
      const added = anyBinding(chance);
      if (rank(tierOf(added, of)) <= best) continue;
      compared += 1;
      expect(outcome([added, ...bindings], of)).toEqual(outcome(bindings, of));
    }
    expect(compared).toBeGreaterThan(50);
  });

  it("gives the same route for the same message", () => {
    const of = event({ guildId: "g1" });
    expect(route(EVERY_TIER, of)).toEqual(route(EVERY_TIER, of));
  });
});
