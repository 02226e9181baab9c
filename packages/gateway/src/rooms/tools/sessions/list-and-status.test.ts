import { describe, expect, it } from "vitest";
import { describeTool } from "../gate/describe-tool.ts";
import { agentSays, jsonOf, NOW, openWorld, textOf, userSays, type SeedSession } from "./world.test-support.ts";

const MINUTE = 60_000;
const SESSIONS: readonly SeedSession[] = [
  {
    key: "agent:main:main",
    entry: {
      displayName: "Home",
      lastChannel: "telegram",
      lastTo: "telegram:5",
      deliveryContext: { channel: "telegram", to: "telegram:5" },
      model: "first",
      totalTokens: 100,
      contextTokens: 1000,
      sessionFile: "/secret/place/x.jsonl",
      skillsSnapshot: { prompt: "long" },
    },
    entries: [userSays("user0001", "hello"), agentSays("agent001", [{ type: "text", text: "z".repeat(2000) }])],
  },
  { key: "agent:main:telegram:group:-100", entry: { updatedAt: NOW - 5 * MINUTE } },
  { key: "agent:main:cron:job", entry: { updatedAt: NOW - 10 * MINUTE } },
  { key: "agent:main:cron:job:run:1", entry: { updatedAt: NOW - 11 * MINUTE } },
  { key: "agent:main:hook:mail", entry: { updatedAt: NOW - 20 * MINUTE } },
  { key: "agent:main:node-7", entry: { updatedAt: NOW - 30 * MINUTE } },
  { key: "agent:main:slack:work:direct:u1", entry: { updatedAt: NOW - 40 * MINUTE } },
];

const open = () => openWorld({ sessions: SESSIONS, settings: { visibility: "agent" } });

describe("sessions_list", () => {
  it("shows kind, channel and what is known of a session, newest first", async () => {
    const { sessions, count } = jsonOf(await (await open()).call("sessions_list")) as {
      count: number;
      sessions: Record<string, unknown>[];
    };
    expect(count).toBe(6);
    expect(sessions.map(({ key, kind, channel }) => [key, kind, channel])).toEqual([
      ["main", "main", "telegram"],
      ["agent:main:telegram:group:-100", "group", "telegram"],
      ["agent:main:cron:job", "cron", "internal"],
      ["agent:main:hook:mail", "hook", "internal"],
      ["agent:main:node-7", "node", "internal"],
      ["agent:main:slack:work:direct:u1", "other", "slack"],
    ]);
    expect(sessions[0]).toEqual({
      key: "main",
      kind: "main",
      channel: "telegram",
      displayName: "Home",
      deliveryContext: { channel: "telegram", to: "telegram:5" },
      updatedAt: NOW,
      sessionId: "id-of-agent:main:main",
      model: "first",
      contextTokens: 1000,
      totalTokens: 100,
      lastChannel: "telegram",
      lastTo: "telegram:5",
    });
  });

  it.each([
    [{ kinds: ["group", "hook"] }, ["agent:main:telegram:group:-100", "agent:main:hook:mail"]],
    [{ kinds: ["cron"] }, ["agent:main:cron:job", "agent:main:cron:job:run:1"]],
    [{ limit: 2 }, ["main", "agent:main:telegram:group:-100"]],
    [{ activeMinutes: 6 }, ["main", "agent:main:telegram:group:-100"]],
    [{ kinds: [] }, []],
  ])("chooses by %j", async (args, keys) => {
    const { sessions } = jsonOf(await (await open()).call("sessions_list", args)) as { sessions: { key: string }[] };
    expect(sessions.map(({ key }) => key)).toEqual(keys);
  });

  it("adds the last messages, shortened", async () => {
    const answer = jsonOf(await (await open()).call("sessions_list", { kinds: ["main"], messageLimit: 1 }));
    const [row] = answer["sessions"] as { messages: { id: string; content: { text: string }[] }[] }[];
    expect(row?.messages.map(({ id }) => id)).toEqual(["agent001"]);
    expect(row?.messages[0]?.content[0]?.text.length).toBeLessThan(520);
  });

  it("stays below 80 KB, however long the messages are", async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      key: `agent:main:chat-${index}`,
      entries: Array.from({ length: 10 }, (_, at) => userSays(`user${index}x${at}`, "y".repeat(450))),
    }));
    const world = await openWorld({ sessions: many, settings: { visibility: "agent" } });
    const answer = await world.call("sessions_list", { limit: 60, messageLimit: 10 });
    expect(answer.details).toMatchObject({ truncated: true });
    expect(JSON.stringify(answer.details).length).toBeLessThan(82_000);
    expect(jsonOf(answer)["count"]).toBeGreaterThan(5);
  });
});

describe("session_status", () => {
  it("shows a short card of this session, also before it is written down", async () => {
    const world = await openWorld({ sessions: [] });
    const text = textOf(await world.call("session_status"));
    expect(text).toContain("Time: ");
    expect(text).toContain("2026-02-26T10:00:00.000Z");
    expect(text).toContain("Session: agent:main:main\nAgent: main\nModel: demo/first");
    expect(text.split("\n").length).toBeLessThanOrEqual(12);
  });

  it("sets a model for a session that can be seen, and resets it", async () => {
    const child = { key: "agent:main:subagent:a", entry: { spawnedBy: "agent:main:main", thinkingLevel: "high" } };
    const world = await openWorld({ sessions: [{ key: "agent:main:main" }, child] });
    const set = textOf(await world.call("session_status", { sessionKey: child.key, model: "demo/second" }));
    expect(set).toContain("Model: demo/second (set for this session)");
    expect(set.split("\n").length).toBeLessThanOrEqual(12);
    expect((await world.ledger.session("agent:main:main"))?.modelOverride).toBeUndefined();
    const reset = textOf(await world.call("session_status", { sessionKey: child.key, model: " Default " }));
    expect(reset).toContain("Model: demo/first\n");
  });

  it("says why a model cannot be set", async () => {
    const world = await openWorld({ sessions: [{ key: "agent:main:main" }] });
    const answer = await world.call("session_status", { model: "demo/none" });
    expect(answer.isError).toBe(true);
    expect(jsonOf(answer)).toEqual({ status: "error", error: "There is no model of that name." });
  });
});

describe("agents_list", () => {
  const agents = [{ id: "a" }, { id: "main", name: "Chela" }, { id: "work" }];
  it.each([
    [undefined, false, [{ id: "main", name: "Chela", configured: true }]],
    [
      ["work", "ghost"],
      false,
      [
        { id: "main", name: "Chela", configured: true },
        { id: "work", configured: true },
        { id: "ghost", configured: false },
      ],
    ],
    [
      ["*"],
      true,
      [
        { id: "main", name: "Chela", configured: true },
        { id: "a", configured: true },
        { id: "work", configured: true },
      ],
    ],
  ])("shows whom this agent may start when allowAgents is %j", async (allowAgents, allowAny, listed) => {
    const world = await openWorld({ sessions: [], agents, settings: { allowAgents } });
    expect(jsonOf(await world.call("agents_list"))).toEqual({ requester: "main", allowAny, agents: listed });
  });
});

describe("the six tools", () => {
  it("cost a model less than 2.4 KB", async () => {
    const { tools } = await openWorld({ sessions: [] });
    const described = tools.map(describeTool);
    expect(described.map(({ name }) => name)).toEqual([
      "sessions_list",
      "sessions_history",
      "sessions_search",
      "sessions_send",
      "session_status",
      "agents_list",
    ]);
    expect(Buffer.byteLength(JSON.stringify(described))).toBeLessThanOrEqual(2400);
  });
});
