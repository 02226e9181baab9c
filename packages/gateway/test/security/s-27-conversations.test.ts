// S-27: who may look into which conversation is worked out a second time here, and compared with what every tool does, for
// every caller, every conversation, every setting and many ways to write a key.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTools, say } from "@chela/sdk/testing";
import { ensureDebianPackage, warnNotTested } from "../support/stages/debian-package.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const KEYS = [
  "agent:a:main",
  "agent:a:webchat:direct:p1",
  "agent:a:webchat:direct:p2",
  "agent:a:webchat:group:g1",
  "agent:a:webchat:group:g1:thread:7",
  "agent:a:cron:job1",
  "agent:b:main",
  "agent:b:webchat:direct:p1",
  "agent:b:webchat:group:g1",
];
const PARENT = "agent:a:webchat:direct:p1";
const CALLERS = [...KEYS.filter((key) => key !== "agent:a:webchat:group:g1:thread:7"), "child"];

interface Rule {
  readonly visibility: "self" | "tree" | "agent" | "all" | undefined;
  readonly agentToAgent: { readonly enabled: boolean; readonly allow?: readonly string[] } | undefined;
}
const RULES: readonly Rule[] = [
  { visibility: undefined, agentToAgent: undefined },
  { visibility: "self", agentToAgent: { enabled: true, allow: ["*"] } },
  { visibility: "tree", agentToAgent: { enabled: true, allow: ["*"] } },
  { visibility: "agent", agentToAgent: { enabled: true, allow: ["*"] } },
  { visibility: "all", agentToAgent: undefined },
  { visibility: "all", agentToAgent: { enabled: true } },
  { visibility: "all", agentToAgent: { enabled: true, allow: ["a"] } },
  { visibility: "all", agentToAgent: { enabled: false, allow: ["a", "b"] } },
  { visibility: "all", agentToAgent: { enabled: true, allow: ["a", "b"] } },
];

interface Scene {
  readonly gateway: TestGateway;
  readonly client: WireClient;
  /** All conversations, the sub-agent's with them. */
  readonly keys: readonly string[];
  readonly child: string;
}

const wordOf = (key: string): string => `word${Buffer.from(key).toString("hex")}`;
const mainOf = (key: string): string => `agent:${agentOf(key)}:main`;
const agentOf = (key: string): string => key.split(":")[1] ?? "";

function maySee(caller: string, target: string, { visibility = "tree", agentToAgent }: Rule, child: string): boolean {
  if (caller === target) return true;
  if (visibility === "self") return false;
  if (target === child && caller === PARENT) return true;
  if (visibility === "tree") return false;
  if (agentOf(caller) === agentOf(target)) return true;
  const { enabled = false, allow = [] } = agentToAgent ?? {};
  const isListed = (agent: string): boolean => allow.includes(agent) || allow.includes("*");
  return visibility === "all" && enabled && isListed(agentOf(caller)) && isListed(agentOf(target));
}

async function openScene(config: Json = {}): Promise<Scene> {
  const gateway = await startTestGateway({
    config: {
      ...config,
      agents: {
        defaults: { model: "scripted/test", sandbox: { mode: "off" } },
        list: [{ id: "a", default: true }, { id: "b" }],
      },
      tools: { loopDetection: { enabled: false }, exec: { security: "full", ask: "off" } },
    },
  });
  const client = await gateway.connect();
  for (const sessionKey of KEYS) {
    await client.agent(`remember ${wordOf(sessionKey)}`, { sessionKey, agentId: agentOf(sessionKey) });
  }
  await client.agent(`/subagents spawn ${wordOf("child")}`, { sessionKey: PARENT, agentId: "a" });
  const child = await eventually("the sub-agent is done", async () => {
    const { subagents } = await client.call("subagents.list", { sessionKey: PARENT });
    return subagents[0]?.state === "ended" ? String(subagents[0].sessionKey) : undefined;
  });
  return { gateway, client, keys: [...KEYS, child], child };
}

/** Lets the model of one conversation make these calls; the results as it got them. */
async function attempt(
  { gateway, client }: Pick<Scene, "gateway" | "client">,
  sessionKey: string,
  calls: ReadonlyArray<readonly [name: string, args: Json]>,
): Promise<ToolResultMessage[]> {
  const named = calls.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }));
  gateway.model.script(callTools(named), say("done"));
  await client.agent("try", { sessionKey, agentId: agentOf(sessionKey) });
  const messages = gateway.model.requests.at(-1)?.messages ?? [];
  return messages.filter(({ role }) => role === "toolResult").slice(-calls.length) as ToolResultMessage[];
}

async function setRule({ client, gateway }: Scene, { visibility, agentToAgent }: Rule): Promise<void> {
  const { hash } = await client.call("config.get");
  const patch = {
    tools: {
      sessions: visibility ? { visibility } : null,
      agentToAgent: agentToAgent ? { enabled: agentToAgent.enabled, allow: agentToAgent.allow ?? null } : null,
    },
  };
  await client.call("config.patch", { raw: JSON.stringify(patch), baseHash: hash });
  await eventually("the rule holds", () => {
    const { tools } = gateway.gateway.config.current();
    return (
      (tools?.sessions?.visibility === visibility && tools?.agentToAgent?.enabled === agentToAgent?.enabled) ||
      undefined
    );
  });
}

/** Keys that look like another one's, or lead there in a careless program. */
const spellings = (key: string): string[] => [
  key.toUpperCase(),
  ` ${key}\n`,
  key.slice("agent:".length),
  key.split(":").slice(2).join(":"),
  `agent:a:../${key}`,
  `agent:a:${key}`,
  `${key}:thread:1`,
  `${key}/`,
  `${key}*`,
  key.slice(0, -1),
  encodeURIComponent(key),
  key.replaceAll(":", "\u200b:"),
];

describe("S-27: conversations", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.gateway[Symbol.asyncDispose]());

  test.for(RULES)("are seen as the rules say: %j", async (rule) => {
    await setRule(scene, rule);
    const { keys, child } = scene;
    const wrong: unknown[] = [];
    for (const named of CALLERS) {
      const caller = named === "child" ? child : named;
      const others = keys.filter((key) => key !== caller);
      const results = await attempt(scene, caller, [
        ...others.map((sessionKey) => ["sessions_history", { sessionKey, limit: 2 }] as const),
        ...others.map((sessionKey) => ["session_status", { sessionKey }] as const),
        ["sessions_list", { limit: 100, messageLimit: 1 }],
        // The beginning of the word of each.
        ["sessions_search", { query: "word", limit: 50 }],
      ]);
      const list = textOf(results.at(-2) ?? { content: "" });
      const found = textOf(results.at(-1) ?? { content: "" });
      for (const [at, target] of others.entries()) {
        const expected = maySee(caller, target, rule, child);
        const history = results[at];
        const status = results[others.length + at];
        // A thread's key contains that of its chat: the quotes tell them apart. An agent's own main conversation is "main".
        const isListed = list.includes(`"${target}"`) || (target === mainOf(caller) && list.includes('"main"'));
        const isFound = found.includes(`"${target}"`);
        const got = [history?.isError === false, status?.isError === false, isListed, isFound];
        // A sub-agent is not offered what its rules take away; then it sees nothing at all.
        const isShown = got.every((seen) => seen === expected) || (caller === child && got.every((seen) => !seen));
        if (!isShown) wrong.push({ caller, target, expected, got });
        // The task of a sub-agent was said in the conversation that started it.
        const heard = target === child && caller === PARENT ? results.slice(0, -1) : results;
        const isTold = heard.some((one) => textOf(one).includes(wordOf(target === child ? "child" : target)));
        if (isTold && !expected) wrong.push({ caller, told: target });
      }
      countCases("S-27", others.length * 5);
    }
    expect(wrong).toEqual([]);
  });

  test("are reached by no other writing of their key", async () => {
    await setRule(scene, { visibility: "tree", agentToAgent: undefined });
    const { gateway, child } = scene;
    const caller = "agent:a:webchat:direct:p2";
    const hidden = scene.keys.filter((key) => key !== caller);
    const asked = gateway.model.requests.length;
    for (const target of hidden) {
      const written = spellings(target);
      const results = await attempt(scene, caller, [
        ...written.map((sessionKey) => ["sessions_history", { sessionKey, includeTools: true }] as const),
        ...written.map((sessionKey) => ["session_status", { sessionKey, model: "scripted/test" }] as const),
        ...[target, ...written].map(
          (sessionKey) => ["sessions_send", { sessionKey, message: "tell me", timeoutSeconds: 1 }] as const,
        ),
        ["sessions_search", { query: "remember" }],
        ["sessions_search", { query: wordOf(target) }],
      ]);
      const told = results.filter((one) => textOf(one).includes(wordOf(target === child ? "child" : target)));
      expect(told.map(textOf)).toEqual([]);
      countCases("S-27", results.length);
    }
    // Nobody was asked but the one who tried.
    const woken = gateway.model.requests
      .slice(asked)
      .filter(({ messages }) => !JSON.stringify(messages).includes("try"));
    expect(woken).toEqual([]);
  });
});

describe("S-27: background commands", () => {
  const MAIN = "agent:a:main";
  const GUEST = "agent:a:webchat:direct:p2";
  const actions = ["poll", "log", "write", "submit", "send-keys", "paste", "kill", "clear", "remove"];

  test("belong to the conversation that started them, and to those that may look into it", async () => {
    const scene = await openScene();
    await using gateway = scene.gateway;
    await attempt(scene, MAIN, [["exec", { command: `echo ${wordOf("process")}; sleep 60`, background: true }]]);
    const [own] = await attempt(scene, MAIN, [["process", { action: "list" }]]);
    const [id = ""] = textOf(own ?? { content: "" }).split(" ");
    expect(textOf(own ?? { content: "" })).toContain("running");
    for (const caller of [GUEST, "agent:a:webchat:group:g1", "agent:a:cron:job1", "agent:b:main"]) {
      const results = await attempt(scene, caller, [
        ["process", { action: "list" }],
        ...actions.map(
          (action) => ["process", { action, sessionId: id, data: "x", keys: ["C-c"], text: "x" }] as const,
        ),
      ]);
      expect(results.slice(1).filter(({ isError }) => !isError)).toEqual([]);
      expect(JSON.stringify(results)).not.toContain(wordOf("process"));
      expect(textOf(results[0] ?? { content: "" })).toBe("No background commands.");
      countCases("S-27", results.length);
    }
    const [still] = await attempt(scene, MAIN, [["process", { action: "poll", sessionId: id }]]);
    expect(textOf(still ?? { content: "" })).toContain("still running");
    await setRule(scene, { visibility: "agent", agentToAgent: undefined });
    const [killed] = await attempt(scene, GUEST, [["process", { action: "kill", sessionId: id }]]);
    expect(killed?.isError).toBe(false);
    const [foreign] = await attempt(scene, "agent:b:main", [["process", { action: "list" }]]);
    expect(textOf(foreign ?? { content: "" })).toBe("No background commands.");
    expect(gateway.readLog()).toContain("command ended");
  });
});

const isThere = ensureDebianPackage("bubblewrap", "bwrap");
if (!isThere) warnNotTested("S-27, sandboxes of other conversations", "no bubblewrap");

describe.runIf(isThere)("S-27: sandboxes", () => {
  test.for(["session", "agent"] as const)(
    "of the scope %s keep their files and processes to themselves",
    async (scope) => {
      const gateway = await startTestGateway({
        config: {
          agents: {
            defaults: { model: "scripted/test", sandbox: { mode: "all", scope } },
            list: [{ id: "a", default: true }, { id: "b" }],
          },
          // In a sandbox one sees no more than what one spawned, whatever else is said.
          tools: { sessions: { visibility: "all" }, agentToAgent: { enabled: true, allow: ["*"] } },
        },
      });
      await using _gateway = gateway;
      const scene = { gateway, client: await gateway.connect() };
      const owner = "agent:a:webchat:group:g1";
      const word = wordOf("sandbox");
      await attempt(scene, owner, [
        [
          "exec",
          {
            command: `echo ${word} > mine.txt; echo ${word} > /tmp/mine.txt; sh -c "sleep 60; : ${word}"`,
            background: true,
          },
        ],
        ["write", { path: "written.txt", content: word }],
      ]);
      const [own] = await attempt(scene, owner, [["process", { action: "list" }]]);
      const [id = ""] = textOf(own ?? { content: "" }).split(" ");
      expect(textOf(own ?? { content: "" })).toContain("running");
      const others = ["agent:b:webchat:group:g1", ...(scope === "session" ? ["agent:a:webchat:group:g2"] : [])];
      for (const caller of others) {
        const results = await attempt(scene, caller, [
          [
            "exec",
            {
              command:
                "cat mine.txt written.txt /tmp/mine.txt; grep -rs word /workspace /tmp /var/tmp /home /root /run /dev/shm; cat /proc/*/cmdline",
            },
          ],
          ["read", { path: "written.txt" }],
          ["process", { action: "list" }],
          ["process", { action: "kill", sessionId: id }],
          ["sessions_history", { sessionKey: owner, includeTools: true }],
          ["sessions_list", { messageLimit: 20 }],
          ["sessions_search", { query: "word" }],
        ]);
        expect(JSON.stringify(results.map(textOf))).not.toContain(word.slice(4));
        expect(results[3]?.isError).toBe(true);
        countCases("S-27", results.length);
      }
      const [still] = await attempt(scene, owner, [["process", { action: "poll", sessionId: id }]]);
      expect(textOf(still ?? { content: "" })).toContain("still running");
    },
  );
});
