import { describe, expect, it } from "vitest";
import { jsonOf, openWorld, textOf, userSays, type SeedSession } from "./world.test-support.ts";

const CANARY = "CANARY-of-the-other-agent";

/** Sessions of the other agent, of every kind; some rows have names that should not exist but might. */
const THEIRS = [
  "agent:work:main",
  "agent:work:telegram:group:-100",
  "agent:work:slack:channel:c1",
  "agent:work:telegram:direct:42",
  "agent:work:telegram:default:direct:42",
  "agent:work:subagent:1f0c",
  "agent:work:cron:job-1",
  "agent:work:cron:job-1:run:9",
  "agent:work:hook:mail",
  "agent:work:telegram:group:-100:topic:7",
  "agent:WORK:Odd",
  "AGENT:work:shouting",
  "agent:work:agent:main:main",
  "agent:work:../main",
  "work",
  "agent:",
  "agent::main",
];
/** Sessions without an agent in their key belong to the default agent, which is the other one in one of the cases. */
const OWNERLESS = ["global", "unknown", "hook:1", "node-7"];

const SPELLINGS: ReadonlyArray<(key: string) => string> = [
  (key) => key,
  (key) => key.toUpperCase(),
  (key) => `  ${key}\t`,
  (key) => key.replace("agent:", "Agent:"),
  (key) => `agent:main:../${key.slice(6)}`,
  (key) => `agent:main:main/../../${key}`,
  (key) => `agent:main:${key}`,
  (key) => `${key}:`,
  (key) => `${key}\u0000`,
  (key) => `id-of-${key}`,
  (key) => encodeURIComponent(key),
];

const OWN: SeedSession = {
  key: "agent:main:main",
  entry: { label: "mine" },
  entries: [userSays("own00001", "hello")],
};

function theirSession(key: string): SeedSession {
  const parent = key.includes("subagent") ? { spawnedBy: "agent:work:main" } : {};
  return {
    key,
    entry: { label: `label ${key}`, displayName: CANARY, subject: CANARY, lastTo: CANARY, ...parent },
    entries: [userSays("entry001", CANARY)],
  };
}

const SETTINGS = [
  ["the defaults", {}],
  ["visibility self", { visibility: "self" }],
  ["visibility agent", { visibility: "agent" }],
  ["visibility all alone", { visibility: "all" }],
  ["agentToAgent alone", { agentToAgent: { enabled: true, allow: ["*"] } }],
  ["all, but agentToAgent off", { visibility: "all", agentToAgent: { enabled: false, allow: ["*"] } }],
  ["all and on, but no list", { visibility: "all", agentToAgent: { enabled: true } }],
  ["all and on, but an empty list", { visibility: "all", agentToAgent: { enabled: true, allow: [] } }],
  ["all and on, but others listed", { visibility: "all", agentToAgent: { enabled: true, allow: ["main", "home"] } }],
  ["all and on, but the caller is not listed", { visibility: "all", agentToAgent: { enabled: true, allow: ["work"] } }],
  ["all and on, in a sandbox", { visibility: "all", agentToAgent: { enabled: true, allow: ["*"] }, isConfined: true }],
  ["a visibility nobody knows", { visibility: "everything" as "all", agentToAgent: { enabled: true, allow: ["*"] } }],
] as const;

describe("sessions of another agent", () => {
  it.each(SETTINGS)("are out of reach for every tool under every spelling, with %s", async (_name, settings) => {
    // Whoever spells keys for us may be wrong: nothing must depend on it.
    for (const canonicalKey of [undefined, (_agentId: string, written: string) => written]) {
      const world = await openWorld({
        sessions: [OWN, ...[...THEIRS, ...OWNERLESS].map(theirSession)],
        agents: [{ id: "main" }, { id: "work", name: CANARY }],
        settings: { defaultAgentId: "work", ...settings },
        ...(canonicalKey ? { parts: { canonicalKey } } : {}),
      });
      const missing = textOf(await world.call("sessions_history", { sessionKey: "agent:main:nowhere" }));

      for (const key of [...THEIRS, ...OWNERLESS]) {
        for (const sessionKey of SPELLINGS.map((spell) => spell(key))) {
          const history = await world.call("sessions_history", { sessionKey, includeTools: true, entryId: "entry001" });
          const status = await world.call("session_status", { sessionKey });
          const change = await world.call("session_status", { sessionKey, model: "demo/second" });
          for (const answer of [history, status, change]) expect(textOf(answer)).toBe(missing);
          const message = await world.call("sessions_send", { sessionKey, message: "hi" });
          expect(jsonOf(message)).toEqual({ ...(JSON.parse(missing) as object), sessionKey });
          expect(message.isError).toBe(true);
        }
        for (const agentId of [undefined, "work", "WORK", "main"]) {
          const byLabel = await world.call("sessions_send", { label: `label ${key}`, agentId, message: "hi" });
          expect(jsonOf(byLabel)["status"]).toBe("forbidden");
        }
      }
      for (const kinds of [undefined, ["main", "group", "cron", "hook", "node", "other"]]) {
        const list = await world.call("sessions_list", { kinds, messageLimit: 20 });
        expect(jsonOf(list)).toMatchObject({ count: 1, sessions: [{ key: "main" }] });
        expect(textOf(list)).not.toContain(CANARY);
      }
      const agents = await world.call("agents_list");
      expect(jsonOf(agents)["agents"]).toEqual([{ id: "main", configured: true }]);

      // The two lists read the caller's own messages; nothing else was read or written.
      expect(new Set(world.touched)).toEqual(new Set(["history of id-of-agent:main:main"]));
      expect(world.sent).toEqual([]);
    }
  });

  it("are seen when visibility is all and both agents are on the list", async () => {
    const world = await openWorld({
      sessions: [OWN, theirSession("agent:work:main"), theirSession("agent:other:main")],
      agents: [{ id: "main" }, { id: "work" }, { id: "other" }],
      settings: { visibility: "all", agentToAgent: { enabled: true, allow: ["ma*n", "WORK"] } },
    });
    expect(jsonOf(await world.call("sessions_list"))).toMatchObject({
      sessions: [{ key: "main" }, { key: "agent:work:main" }],
    });
    expect(textOf(await world.call("sessions_history", { sessionKey: "agent:work:main" }))).toContain(CANARY);
    expect(jsonOf(await world.call("sessions_history", { sessionKey: "agent:other:main" }))["status"]).toBe(
      "forbidden",
    );
    expect(jsonOf(await world.call("agents_list"))["agents"]).toEqual([
      { id: "main", configured: true },
      { id: "work", configured: true },
    ]);
  });

  it("can be written to before their first word, once they may be seen", async () => {
    const world = await openWorld({
      sessions: [OWN],
      agents: [{ id: "main" }, { id: "work" }],
      settings: { visibility: "all", agentToAgent: { enabled: true, allow: ["*"] }, maxPingPongTurns: 0 },
    });
    expect(jsonOf(await world.call("sessions_send", { sessionKey: "agent:work:main", message: "hi" }))).toMatchObject({
      status: "ok",
      sessionKey: "agent:work:main",
    });
    expect(
      jsonOf(await world.call("sessions_send", { sessionKey: "agent:nobody:main", message: "hi" }))["status"],
    ).toBe("forbidden");
  });
});

describe("sessions of the same agent", () => {
  const chat = { key: "agent:main:telegram:direct:5" };
  const child = { key: "agent:main:subagent:a", entry: { spawnedBy: "agent:main:main" } };
  const grandchild = { key: "agent:helper:subagent:b", entry: { spawnedBy: "agent:main:subagent:a" } };
  const nephew = { key: "agent:main:subagent:c", entry: { spawnedBy: chat.key } };
  const circle = { key: "agent:main:subagent:d", entry: { spawnedBy: "agent:main:subagent:d" } };
  const cronRun = { key: "agent:main:cron:x:run:1" };
  const all = [OWN, chat, child, grandchild, nephew, circle, cronRun];
  const spawned = [child.key, grandchild.key];
  const sameAgent = [chat.key, child.key, nephew.key, circle.key, cronRun.key];

  it.each([
    ["self", false, []],
    ["tree", false, spawned],
    [undefined, false, spawned],
    ["agent", false, [...sameAgent, grandchild.key]],
    ["all", false, [...sameAgent, grandchild.key]],
    ["self", true, []],
    ["tree", true, spawned],
    ["agent", true, spawned],
    ["all", true, spawned],
  ] as const)("are seen with visibility %s (confined: %s) as far as it says", async (visibility, isConfined, seen) => {
    const world = await openWorld({ sessions: all, settings: { visibility, isConfined } });
    const kinds = ["main", "group", "cron", "hook", "node", "other"];
    const { sessions } = jsonOf(await world.call("sessions_list", { kinds })) as { sessions: { key: string }[] };
    expect(new Set(sessions.map(({ key }) => key))).toEqual(new Set(["main", ...seen]));
    for (const { key } of all.slice(1)) {
      const history = jsonOf(await world.call("sessions_history", { sessionKey: key }));
      expect([key, history["status"]]).toEqual([
        key,
        (seen as readonly string[]).includes(key) ? undefined : "forbidden",
      ]);
    }
  });

  it("do not let a spawned session look at the one that spawned it", async () => {
    const world = await openWorld({ sessions: all });
    const from = { sessionKey: child.key };
    expect(jsonOf(await world.call("sessions_history", { sessionKey: "main" }, from))["status"]).toBe("forbidden");
    expect(jsonOf(await world.call("session_status", { sessionKey: "main", model: "x/y" }, from))["status"]).toBe(
      "forbidden",
    );
  });
});
