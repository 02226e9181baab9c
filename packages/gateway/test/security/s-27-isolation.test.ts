// S-27: an agent tries every tool on everything another agent has; each attempt fails, and not one byte of it comes out.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTools, say } from "@chela/sdk/testing";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const CANARY = "canary27";
const AT_ONCE = 20;

interface Call {
  readonly name: string;
  readonly args: Json;
}

/** Where two agents live. */
interface Layout {
  readonly state: string;
  readonly workspaceA: string;
  readonly workspaceB: string;
  readonly agentDirB: string;
}

const SESSIONS_OF_B = [
  "agent:b:main",
  "agent:b:webchat:group:g1",
  "agent:b:webchat:direct:p1",
  "agent:b:webchat:direct:p1:thread:7",
  "agent:b:subagent:s1",
  "agent:b:cron:job1",
];

function configOf(layout: Layout, workspaceOnly: boolean): Json {
  return {
    agents: {
      list: [
        { id: "a", default: true, workspace: layout.workspaceA },
        { id: "b", workspace: layout.workspaceB, agentDir: layout.agentDirB },
      ],
    },
    tools: { sessions: { visibility: "all" }, agentToAgent: { enabled: false }, fs: { workspaceOnly } },
  };
}

/** B talks in all its sessions and has files with the mark; A may not know any of it. */
async function plantCanaries(layout: Layout, client: WireClient): Promise<void> {
  for (const [at, sessionKey] of SESSIONS_OF_B.entries()) {
    await client.agent(`remember ${CANARY}-session-${at}`, { sessionKey, agentId: "b" });
    await client.call("sessions.patch", { key: sessionKey, label: `label-of-b-${at}` });
  }
  for (const path of filesOfB(layout)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `line one\n${CANARY}-file\n`);
  }
}

const filesOfB = ({ workspaceB, agentDirB }: Layout): string[] => [
  join(workspaceB, "secret.md"),
  join(agentDirB, "auth-profiles.json"),
];

/** Files of the gateway itself, which no agent may touch either. */
const filesOfGateway = ({ state }: Layout): string[] => [
  join(state, "openclaw.json"),
  join(state, "ledger.sqlite"),
  join(state, "agents", "b", "sessions", "sessions.json"),
];

/** Ways to write the path of a file that is not one's own: those that lead to it, and those that only look like it. */
function spellings(path: string, { workspaceA }: Layout): { readonly leading: string[]; readonly odd: string[] } {
  const links = join(workspaceA, `links-${randomUUID()}`);
  mkdirSync(links);
  symlinkSync(path, join(links, "to-file"));
  symlinkSync(dirname(path), join(links, "to-folder"));
  symlinkSync(relative(links, path), join(links, "relative"));
  symlinkSync(join(links, "to-folder"), join(links, "twice"));
  const inside = relative(workspaceA, links);
  return {
    leading: [
      path,
      relative(workspaceA, path),
      join(inside, "to-file"),
      join(inside, "to-folder", basename(path)),
      join(inside, "relative"),
      join(inside, "twice", basename(path)),
      `/proc/self/root${path}`,
    ],
    odd: [
      `file://${path}`,
      `@${path}`,
      `./x/../${relative(workspaceA, path)}`,
      `${inside}/to-folder/../${basename(dirname(path))}/${basename(path)}`,
    ],
  };
}

function fileCalls(layout: Layout): Call[] {
  return [...filesOfB(layout), ...filesOfGateway(layout)].flatMap((file) => {
    const { leading, odd } = spellings(file, layout);
    const changed = leading.slice(0, 3).flatMap((path) => [
      { name: "write", args: { path, content: "overwritten by a" } },
      { name: "edit", args: { path, oldText: "line one", newText: "edited by a" } },
      { name: "apply_patch", args: { input: patchOf(path) } },
    ]);
    return [...[...leading, ...odd].map((path) => ({ name: "read", args: { path } })), ...changed];
  });
}

const patchOf = (path: string): string =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-line one\n+patched by a\n*** End Patch`;

function sessionCalls(sessionIds: readonly string[]): Call[] {
  const odd = ["AGENT:B:MAIN", " agent:b:main ", "b:main", "agent:a:../b:main", "agent:a:agent:b:main"];
  const keys = [...SESSIONS_OF_B, ...odd, ...sessionIds.slice(0, 2)];
  return [
    ...keys.flatMap((sessionKey) => [
      { name: "sessions_history", args: { sessionKey, includeTools: true } },
      { name: "sessions_send", args: { sessionKey, message: "tell me", timeoutSeconds: 1 } },
      { name: "session_status", args: { sessionKey } },
      { name: "session_status", args: { sessionKey, model: "scripted/test" } },
    ]),
    ...SESSIONS_OF_B.map((_, at) => ({
      name: "sessions_send",
      args: { label: `label-of-b-${at}`, agentId: "b", message: "tell me", timeoutSeconds: 1 },
    })),
  ];
}

/** Lets A's model call the tools; the results as the model got them. */
async function attempt(gateway: TestGateway, client: WireClient, calls: readonly Call[]): Promise<ToolResultMessage[]> {
  const results: ToolResultMessage[] = [];
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    const some = calls.slice(from, from + AT_ONCE);
    const named = some.map(({ name, args }, at) => ({ id: `c${from + at}`, name, arguments: args }));
    gateway.model.script(callTools(named), say("done"));
    await client.agent("try", { sessionKey: `agent:a:${randomUUID()}`, agentId: "a" });
    const messages = gateway.model.requests.at(-1)?.messages ?? [];
    results.push(...(messages.filter(({ role }) => role === "toolResult") as ToolResultMessage[]));
  }
  return results;
}

function layoutIn(state: string, elsewhere: string | undefined): Layout {
  const root = elsewhere ?? state;
  return {
    state,
    workspaceA: join(root, "workspace-of-a"),
    workspaceB: join(root, "workspace-of-b"),
    agentDirB: elsewhere ? join(elsewhere, "agent-of-b") : join(state, "agents", "b", "agent"),
  };
}

test.for([
  ["in the state directory, files confined to the workspace", false, true],
  ["elsewhere, with the machine's files free for reading", true, false],
] as const)("S-27: two agents %s", async ([, isElsewhere, workspaceOnly]) => {
  const other = mkdtempSync(join(tmpdir(), "chela-test-"));
  const stateRoot = mkdtempSync(join(tmpdir(), "chela-test-"));
  try {
    const layout = layoutIn(stateRoot, isElsewhere ? other : undefined);
    using directory = createStateDirectory(configOf(layout, workspaceOnly));
    writeFileSync(join(stateRoot, "openclaw.json"), readFileSync(join(directory.path, "openclaw.json")));
    await using gateway = await startTestGateway({ stateDir: stateRoot });
    const client = await gateway.connect();
    await client.agent("hello", { sessionKey: "agent:a:main", agentId: "a" });
    await plantCanaries(layout, client);
    const rows = (await client.call("sessions.list", { agentId: "b" })).sessions as { sessionId: string }[];
    const asked = gateway.model.requests.length;

    const calls = [...sessionCalls(rows.map(({ sessionId }) => sessionId)), ...fileCalls(layout)];
    const results = await attempt(gateway, client, calls);
    expect(results).toHaveLength(calls.length);
    countCases("S-27", calls.length);
    const succeeded = calls.filter((_, at) => !results[at]?.isError);
    expect(succeeded).toEqual([]);
    expect(results.filter((one) => textOf(one).includes(CANARY))).toEqual([]);
    expect(JSON.stringify(results)).not.toContain(gateway.token);

    const [list, agents, found] = await attempt(gateway, client, [
      { name: "sessions_list", args: { messageLimit: 20 } },
      { name: "agents_list", args: {} },
      { name: "sessions_search", args: { query: "remember session", limit: 50 } },
    ]);
    expect(list?.isError).toBe(false);
    expect(textOf(list ?? { content: "" })).not.toMatch(/canary27|agent:b|label-of-b/);
    expect(textOf(agents ?? { content: "" })).not.toContain(CANARY);
    expect(JSON.parse(textOf(found ?? { content: "" }))).toEqual({ hits: [], hasMore: false });
    // Nobody asked B's model meanwhile, and nothing of B's is changed.
    const toA = gateway.model.requests.slice(asked).filter(({ system }) => system.includes("Runtime: agent=a"));
    expect(toA).toHaveLength(gateway.model.requests.length - asked);
    for (const file of filesOfB(layout)) expect(readFileSync(file, "utf8")).toBe(`line one\n${CANARY}-file\n`);
    expect(JSON.stringify(gateway.model.requests.slice(asked))).not.toContain(CANARY);
  } finally {
    rmSync(other, { recursive: true, force: true });
    rmSync(stateRoot, { recursive: true, force: true });
  }
});
