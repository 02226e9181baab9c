// Where a message of a channel goes: which agent, which session, and when a conversation starts anew.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import { createFakeChannel, say, type SaidOptions } from "@chela/sdk/testing";
import { openChannelStage, toldBy, type ChannelStage } from "../support/stages/channel-stage.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import type { Json } from "../support/wire-client.ts";

const OPEN = {
  dmPolicy: "open",
  allowFrom: ["alice", "*"],
  groupPolicy: "open",
  groups: { "*": { requireMention: false, allowFrom: ["*"] } },
};
const AGENTS = { list: [{ id: "main", default: true }, { id: "work" }, { id: "home" }] };
const group = (id: string, more: Partial<ChannelEvent["chat"]> = {}) => ({ kind: "group" as const, id, ...more });
let count = 0;

/** Writes, waits for the answer, and asks the gateway why it went where it went. */
async function routeOf({ client, ask }: ChannelStage, said: SaidOptions): Promise<[string, string, string]> {
  const id = `event-${(count += 1)}`;
  await ask("hello", { ...said, id });
  const { trace } = await client.call("runs.explain", { id });
  const { agentId, sessionKey, matchedBy } = trace.route;
  return [agentId, sessionKey, matchedBy];
}

describe("bindings", () => {
  const bind = (agentId: string, match: Json) => ({ agentId, match: { channel: "fake", ...match } });
  const bindings = [
    bind("home", { accountId: "*" }),
    bind("work", { accountId: "second" }),
    bind("home", { teamId: "T1" }),
    bind("work", { guildId: "G1" }),
    bind("home", { guildId: "G1", roles: ["admins"] }),
    bind("work", { peer: { kind: "group", id: "desk" } }),
    bind("home", { peer: { kind: "group", id: "desk:thread:7" } }),
    bind("work", { peer: { kind: "direct", id: "boss" } }),
    bind("gone", { peer: { kind: "group", id: "lost" } }),
    bind("work", { peer: { kind: "group" } }),
  ];
  const TABLE: ReadonlyArray<readonly [matchedBy: string, agent: string, key: string, said: SaidOptions]> = [
    ["binding.peer", "work", "agent:work:fake:group:desk", { chat: group("desk") }],
    ["binding.peer", "work", "agent:work:fake:direct:boss", { from: "boss" }],
    ["binding.peer", "home", "agent:home:fake:group:desk:thread:7", { chat: group("desk", { threadId: "7" }) }],
    ["binding.peer.parent", "work", "agent:work:fake:group:desk:thread:8", { chat: group("desk", { threadId: "8" }) }],
    ["binding.peer.parent", "work", "agent:work:fake:group:desk-2", { chat: group("desk-2", { parentId: "desk" }) }],
    [
      "binding.guild+roles",
      "home",
      "agent:home:fake:channel:hall",
      { chat: { kind: "channel", id: "hall", guildId: "G1" }, roles: ["guests", "admins"] },
    ],
    [
      "binding.guild",
      "work",
      "agent:work:fake:channel:hall",
      { chat: { kind: "channel", id: "hall", guildId: "G1" }, roles: ["guests"] },
    ],
    ["binding.team", "home", "agent:home:fake:group:plaza", { chat: group("plaza", { teamId: "T1" }) }],
    ["binding.account", "work", "agent:work:fake:group:any", { account: "second", chat: group("any") }],
    ["binding.channel", "home", "agent:home:fake:group:any", { chat: group("any") }],
    ["binding.channel", "home", "agent:home:main", {}],
    ["default", "main", "agent:main:fake:group:lost", { chat: group("lost") }],
  ];
  let stage: ChannelStage;
  const other = createFakeChannel({ id: "other" });
  beforeAll(async () => {
    stage = await openChannelStage({
      settings: { ...OPEN, accounts: { second: {} } },
      channels: { other: other.channel },
      config: { agents: AGENTS, bindings, channels: { other: { token: "t", ...OPEN } } },
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(TABLE)("%s leads to %s in %s", async (matchedBy, agent, key, said) => {
    expect(await routeOf(stage, said)).toEqual([agent, key, matchedBy]);
  });

  it("of one channel say nothing about another, whose messages the default agent gets", async () => {
    await other.untilConnected();
    await other.say("hello", { id: "elsewhere", chat: group("desk") });
    await other.until(1);
    const { trace } = await stage.client.call("runs.explain", { id: "elsewhere" });
    expect(trace.route).toEqual({
      agentId: "main",
      sessionKey: "agent:main:other:group:desk",
      matchedBy: "default",
    });
  });

  it("whose agent does not exist are told to the operator", () => {
    expect(stage.gateway.readLog()).toMatch(/names the agent \\"gone\\", which does not exist/);
  });

  it("give each conversation a session of its own", async () => {
    const { sessions } = await stage.client.call("sessions.list", {});
    const keys = (sessions as { key: string }[]).map(({ key }) => key);
    const origins = (sessions as { key: string; origin?: { from?: string; to?: string } }[]).filter(
      ({ key }) => keys.includes(key) && key.includes(":direct:"),
    );
    expect(origins.length).toBeGreaterThan(0);
    for (const { origin } of origins)
      expect(origin).toMatchObject({ from: expect.stringMatching(/^[a-z-]+:./), to: expect.any(String) });
    expect(keys).toEqual(expect.arrayContaining(TABLE.map(([, , key]) => key)));
  });
});

describe("a direct chat", () => {
  it.each([
    ["main", "agent:main:main", "agent:main:main"],
    [undefined, "agent:main:main", "agent:main:main"],
    ["per-peer", "agent:main:direct:alice", "agent:main:direct:alice"],
    ["per-channel-peer", "agent:main:fake:direct:alice", "agent:main:fake:direct:alice"],
    ["per-account-channel-peer", "agent:main:fake:default:direct:alice", "agent:main:fake:second:direct:alice"],
  ])("with dmScope %s belongs to %s, and on another account to %s", async (dmScope, first, second) => {
    await using stage = await openChannelStage({
      settings: { ...OPEN, accounts: { second: {} } },
      config: { session: dmScope ? { dmScope } : {} },
    });
    expect((await routeOf(stage, {}))[1]).toBe(first);
    expect((await routeOf(stage, { account: "second" }))[1]).toBe(second);
    // A stranger shares with nobody, whatever is written.
    const ofBob = first === "agent:main:main" ? "agent:main:fake:direct:bob" : first.replace("alice", "bob");
    expect((await routeOf(stage, { from: "bob" }))[1]).toBe(ofBob);
  });

  it.each([
    [undefined, ["main", "fake:direct:bob", "fake:direct:mia", "fake:direct:gus", "fake:direct:eve"]],
    ["main", ["main", "main", "main", "fake:direct:gus", "fake:direct:eve"]],
  ])("with dmScope %s is shared by those who were vouched for at most", async (dmScope, expected) => {
    await using stage = await openChannelStage({
      settings: { dmPolicy: "open", allowFrom: ["*", "alice", "bob"] },
      config: { session: dmScope ? { dmScope } : {}, commands: { ownerAllowFrom: ["alice"] } },
    });
    for (const [id, role] of [
      ["mia", "member"],
      ["gus", "guest"],
    ])
      await stage.client.call("people.put", {
        person: { id: `${id}-1`, name: id, role, ids: [{ channel: "fake", id }] },
      });
    const keys: string[] = [];
    for (const from of ["alice", "bob", "mia", "gus", "eve"]) keys.push((await routeOf(stage, { from }))[1]);
    expect(keys).toEqual(expected.map((name) => `agent:main:${name}`));
  });

  it("of a linked person is one conversation on all their channels, and nobody else's", async () => {
    const other = createFakeChannel({ id: "other" });
    await using stage = await openChannelStage({
      settings: OPEN,
      channels: { other: other.channel },
      config: {
        session: { dmScope: "per-peer", identityLinks: { ann: ["fake:alice", "other:anna"] } },
        channels: { other: { token: "t", ...OPEN } },
      },
    });
    await other.untilConnected();
    await stage.ask("my cat is called Tom", { id: "one" });
    stage.model.script(say("Tom."));
    await other.say("what is my cat called?", { from: "anna", id: "two" });
    expect((await other.until(1))[0]?.text).toBe("Tom.");
    expect(toldBy(stage.model.requests[1])).toEqual([
      expect.stringMatching(/Tom$/),
      expect.stringMatching(/called\?$/),
    ]);
    await other.say("and mine?", { from: "ann", id: "three" });
    await other.until(2);
    expect(toldBy(stage.model.requests[2]).join()).not.toContain("Tom");
    const keys = [];
    for (const id of ["one", "two", "three"])
      keys.push((await stage.client.call("runs.explain", { id })).trace.route.sessionKey);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("belongs to the main session, whatever that is called", async () => {
    await using stage = await openChannelStage({ config: { session: { mainKey: "Home" } } });
    expect((await routeOf(stage, {}))[1]).toBe("agent:main:home");
  });

  it("and a group called alike are two conversations", async () => {
    await using stage = await openChannelStage({
      settings: OPEN,
      config: { session: { dmScope: "per-channel-peer" } },
    });
    await stage.ask("a secret");
    await stage.ask("hello", { from: "bob", chat: group("alice") });
    expect(toldBy(stage.model.requests[1]).join()).not.toContain("a secret");
  });

  it("has threads of their own below it", async () => {
    await using stage = await openChannelStage({
      settings: OPEN,
      fake: { traits: { threadWord: "topic" } },
      config: { session: { dmScope: "per-channel-peer" } },
    });
    expect((await routeOf(stage, { chat: { threadId: "5" } }))[1]).toBe("agent:main:fake:direct:alice:thread:5");
    expect((await routeOf(stage, { chat: group("g1", { threadId: "5" }) }))[1]).toBe(
      "agent:main:fake:group:g1:topic:5",
    );
  });
});

describe("a conversation starts anew", () => {
  const MINUTE = 60_000;
  /** Whether the second message is answered with the first one in mind. */
  async function remembers(session: Json, waitMs: number, said: SaidOptions = {}): Promise<boolean> {
    const clock = createShiftedClock();
    await using stage = await openChannelStage({ clock, settings: OPEN, config: { session } });
    await stage.ask("remember the plum", said);
    clock.advance(waitMs);
    await stage.ask("what was it?", said);
    return toldBy(stage.model.requests[1]).join().includes("plum");
  }
  const inGroup = { chat: group("g1") };
  const inThread = { chat: group("g1", { threadId: "5" }) };

  it.each<[string, Json, number, SaidOptions, boolean]>([
    ["not before the day is over", {}, 60 * MINUTE, {}, true],
    ["each day", {}, 24 * 60 * MINUTE, {}, false],
    ["at the hour that is set", { reset: { mode: "daily", atHour: 13 } }, 61 * MINUTE, {}, false],
    ["not before that hour", { reset: { mode: "daily", atHour: 14 } }, 61 * MINUTE, {}, true],
    ["after a pause", { reset: { mode: "idle", idleMinutes: 30 } }, 31 * MINUTE, {}, false],
    ["not after a short pause", { reset: { mode: "idle", idleMinutes: 30 } }, 29 * MINUTE, {}, true],
    ["in groups", { resetByType: { group: { mode: "idle", idleMinutes: 5 } } }, 6 * MINUTE, inGroup, false],
    ["in groups and not directly", { resetByType: { group: { mode: "idle", idleMinutes: 5 } } }, 6 * MINUTE, {}, true],
    ["in threads", { resetByType: { thread: { mode: "idle", idleMinutes: 5 } } }, 6 * MINUTE, inThread, false],
    ["in its channel", { resetByChannel: { fake: { mode: "idle", idleMinutes: 5 } } }, 6 * MINUTE, {}, false],
    ["in its channel alone", { resetByChannel: { other: { mode: "idle", idleMinutes: 5 } } }, 6 * MINUTE, {}, true],
    [
      "by the rule of its channel rather than of its type",
      {
        resetByType: { group: { mode: "idle", idleMinutes: 5 } },
        resetByChannel: { fake: { mode: "idle", idleMinutes: 50 } },
      },
      6 * MINUTE,
      inGroup,
      true,
    ],
  ])("%s", async (_when, session, waitMs, said, isRemembered) => {
    expect(await remembers(session, waitMs, said)).toBe(isRemembered);
  });

  it.each(["/new", "/reset"])("with %s, which is greeted, or goes on with what stands behind it", async (word) => {
    await using stage = await openChannelStage({ settings: OPEN });
    await stage.ask("remember the plum");
    stage.model.script(say("Hello! What shall we do?"));
    expect(await stage.ask(word)).toBe("Hello! What shall we do?");
    expect(toldBy(stage.model.requests[1]).join()).not.toContain("plum");
    await stage.ask("remember the pear");
    await stage.ask(`${word} and now the apple`);
    expect(toldBy(stage.model.requests.at(-1))).toEqual([expect.stringMatching(/\] and now the apple$/)]);
  });

  it("not by the word of somebody who may not give commands", async () => {
    await using stage = await openChannelStage({ settings: OPEN });
    await stage.ask("remember the plum", inGroup);
    expect(await stage.fake.say("/new", { ...inGroup, from: "mallory" })).toEqual({ kind: "settled", why: "ignored" });
    await stage.ask("what was it?", inGroup);
    expect(toldBy(stage.model.requests.at(-1)).join()).toContain("plum");
  });
});

describe("session.sendPolicy", () => {
  const deny = (match: Json) => ({ session: { sendPolicy: { rules: [{ action: "deny", match }] } } });
  it.each<[string, Json, SaidOptions, SaidOptions]>([
    ["groups", deny({ chatType: "group" }), { chat: group("g1") }, {}],
    ["direct chats", deny({ chatType: "direct" }), {}, { chat: group("g1") }],
    ["a channel", deny({ channel: "fake", chatType: "dm" }), {}, { chat: group("g1") }],
    ["keys", deny({ keyPrefix: "fake:group:quiet" }), { chat: group("quiet-1") }, { chat: group("loud") }],
    ["whole keys", deny({ rawKeyPrefix: "agent:main:main" }), {}, { chat: group("loud") }],
  ])("silences %s from the first message on, and nothing else", async (_what, config, silent, loud) => {
    await using stage = await openChannelStage({ settings: OPEN, config });
    const refused = { kind: "settled", why: "refused" };
    expect(await stage.fake.say("hello", silent)).toEqual(refused);
    expect(await stage.ask("hello", loud)).toMatch(/hello$/);
    expect(await stage.fake.say("hello again", silent)).toEqual(refused);
    expect(JSON.stringify(stage.model.requests)).not.toContain("hello again");
  });

  it("can be changed for one conversation by /send, and changed back", async () => {
    await using stage = await openChannelStage({ settings: OPEN });
    await stage.ask("/send off");
    expect(await stage.fake.say("hello")).toEqual({ kind: "settled", why: "refused" });
    expect(await stage.ask("hello", { chat: group("g1") })).toMatch(/hello$/);
    expect(await stage.fake.say("/stop")).toEqual({ kind: "settled", why: "stopped" });
    await stage.fake.until(3);
    await stage.ask("/send on");
    expect(await stage.ask("hello")).toMatch(/hello$/);
  });
});
