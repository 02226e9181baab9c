// A message with chat commands, and a house of plain values that notes what was done to it.
import {
  GatewayError,
  type ChatCall,
  type CommandRequester,
  type InboxMessage,
  type ModelChoice,
  type SessionEntry,
  type SessionModels,
  type SessionPatch,
} from "@chela/sdk";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openChatCommands } from "../../src/house/open-chat-commands.ts";
import type { House } from "../../src/house/house.ts";
import { createCommands, type Commands } from "../../src/rooms/commands/room.ts";
import type { SubagentView } from "../../src/rooms/subagents/room.ts";

/** Into which conversations are exported. */
export const WORKSPACE = mkdtempSync(join(tmpdir(), "chela-commands-"));

/** Those of all rooms. */
export const COMMANDS = await openChatCommands();

export const NOW = Date.UTC(2026, 1, 27, 14, 3);

export const OWNER: CommandRequester = {
  kind: "operator",
  channel: "webchat",
  account: "default",
  id: "device-1",
  name: "Ann",
  isOwner: true,
  standing: "owner",
  isAuthorised: true,
  canApprove: true,
};
export const STRANGER: CommandRequester = {
  ...OWNER,
  kind: "sender",
  channel: "telegram",
  id: "666",
  isOwner: false,
  standing: "stranger",
  isAuthorised: false,
  canApprove: false,
};
export const GUEST: CommandRequester = { ...STRANGER, id: "123", isAuthorised: true, standing: "approved" };

const MODELS: readonly ModelChoice[] = [
  { provider: "anthropic", id: "claude-opus-4-6", name: "Claude Opus 4.6", alias: "opus" },
  { provider: "anthropic", id: "claude-sonnet-4-6", name: "Claude Sonnet 4.6", alias: "sonnet" },
  { provider: "openai", id: "gpt-5.2", name: "GPT-5.2", alias: "gpt" },
  ...Array.from({ length: 10 }, (_, index) => ({ provider: "ollama", id: `small-${index}`, name: `Small ${index}` })),
];

const knowsModel = (ref: string) =>
  MODELS.some(({ provider, id, alias }) => [alias, id, `${provider}/${id}`].includes(ref));

/** One message, the house it is answered in, and what came of it. */
export interface FakeWorld extends ChatCall {
  readonly house: House;
  readonly done: unknown[];
  readonly patches: SessionPatch[];
}

type Changes = Partial<ChatCall> & { readonly house?: Partial<Record<keyof House, unknown>> };

export function commandsIn(house: House): Commands {
  return createCommands({ table: COMMANDS, house, knowsModel });
}

const HELPER: SubagentView = {
  runId: "11112222-0000-8000-8000-000000000000",
  sessionKey: "agent:main:subagent:1",
  label: "sum",
  task: "Add all the numbers up",
  state: "running",
  createdAt: NOW - 60_000,
} as SubagentView;
const HELPERS: readonly SubagentView[] = [
  HELPER,
  { ...HELPER, runId: "33334444-0000-8000-8000-000000000000", label: "old", state: "ended", outcome: "killed" },
];

const ENTRY: SessionEntry = {
  sessionId: "3f0c1a2b-0000-4000-8000-000000000000",
  updatedAt: NOW - 120_000,
  inputTokens: 12_300,
  outputTokens: 3_456,
  cacheRead: 15_000,
  cacheWrite: 666,
  totalTokens: 15_678,
  contextTokens: 200_000,
  compactionCount: 1,
};

const HOUR = 3_600_000;

export function fakeWorld(
  { house: parts = {}, ...changes }: Changes = {},
  entry: Partial<Record<keyof SessionEntry, unknown>> = {},
): FakeWorld {
  const done: unknown[] = [];
  const patches: SessionPatch[] = [];
  const note = <T>(answer: T, ...what: unknown[]): T => (done.push(what), answer);
  const session = (): SessionEntry =>
    Object.assign({}, ENTRY, entry, ...patches.map((patch) => Object.fromEntries(Object.entries(patch))));
  const message = { runId: "run", sessionKey: "agent:main:main", agentId: "main", admittedAt: NOW } as InboxMessage;
  return {
    house: { ...fakeHouse(note), ...parts } as unknown as House,
    done,
    patches,
    message,
    now: NOW,
    requester: OWNER,
    settings: { config: true, debug: true, modelAliases: { opus: "anthropic/claude-opus-4-6" } },
    sessionKey: message.sessionKey,
    agentId: message.agentId,
    session: async () => session(),
    patchSession: async (fields) => void patches.push(fields),
    inName: (work) => work(),
    contextReport: async () => ({
      usedTokens: 15_678,
      windowTokens: 200_000,
      systemChars: 12_345,
      messages: 41,
      files: [
        { name: "AGENTS.md", chars: 3_000 },
        { name: "SOUL.md", chars: 20_000, isCut: true },
      ],
      tools: [{ name: "read", chars: 400 }],
      skills: [],
    }),
    tools: async () => ["read", "write", "edit", "apply_patch", "exec", "process", "session_status", "web_fetch"],
    ...changes,
  };
}

type Note = <T>(answer: T, ...what: unknown[]) => T;

function fakeHouse(note: Note) {
  return {
    version: "1.2.3",
    startedAt: NOW - 24 * HOUR,
    clock: { after: (_ms: number, task: () => void) => task() },
    chatCommands: async () => COMMANDS,
    sessionDefaults: () => ({
      thinking: "low",
      verbose: "off",
      reasoning: "off",
      elevated: "off",
      exec: { host: "sandbox", security: "allowlist", ask: "on-miss" },
      queue: "collect",
      activation: "mention",
    }),
    elevated: () => ({ kind: "allowed" }),
    agents: () => [{ id: "main", name: "Chela" }, { id: "work" }],
    sessionModels: async () => FAKE_MODELS,
    config: fakeConfig(note),
    exec: async () => ({ approvals: fakeApprovals(note) }),
    ...fakeTree(note),
    subagents: { whenReady: async () => fakeSubagents(note) },
    acpWorkers: { known: () => undefined },
    inbound: {
      stopEarlier: async () => {},
      chore: async ({ body }: { body: { chore: { instructions?: string } } }) =>
        note(
          {
            kind: "accepted",
            done: Promise.resolve({ meta: { kind: "compacted", before: 150_000, after: 22_000, window: 200_000 } }),
          },
          "compact",
          body.chore.instructions,
        ),
    },
    ledger: { usageTotal: async ({ from, of }: { from: number; of?: object }) => spentSince(from, of) },
    budgets: {
      view: async () => [
        {
          limit: { scope: "all", period: "day", to: NOW + 2 * HOUR, usd: 5, tokens: Infinity },
          spent: { usd: 1.5, tokens: 0 },
        },
        {
          limit: { scope: "all", period: "total", to: NOW, usd: Infinity, tokens: 200_000 },
          spent: { usd: 0, tokens: 200_001 },
        },
      ],
    },
    restart: () => note(undefined, "restart"),
  };
}

function spentSince(from: number, of?: object) {
  const nothing = {
    inputCost: 0,
    outputCost: 0,
    cacheReadCost: 0,
    cacheWriteCost: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
  };
  if (of) return { ...nothing, input: 15_756, inputCost: 0.42 };
  return from > NOW - 2 * 24 * HOUR
    ? { ...nothing, output: 120_000, outputCost: 1.5 }
    : { ...nothing, cacheRead: 2_400_000, cacheReadCost: 8 };
}

const FAKE_MODELS: SessionModels = {
  list: async () => MODELS,
  resolve: async (ref) => {
    const model = MODELS.find(({ provider, id, alias }) => [alias, id, `${provider}/${id}`].includes(ref));
    return model ? { kind: "found", model } : { kind: "refused", why: `There is no model "${ref}".` };
  },
  candidates: async () => ["anthropic/claude-opus-4-6", "openai/gpt-5.2", "ollama/small-0"],
  current: async () => ({
    ref: "anthropic/claude-opus-4-6",
    defaultRef: "anthropic/claude-opus-4-6",
    credential: "env",
    thinkingLevels: ["off", "minimal", "low", "medium", "high"],
  }),
  profiles: async (provider) => (provider === "openai" ? ["openai:work", "openai:home"] : []),
};

function fakeConfig(note: Note) {
  const file = { agents: {}, gateway: { port: 18789, list: Array.from({ length: 40 }, (_, index) => index) } };
  return {
    current: () => ({
      agents: { defaults: { userTimezone: "UTC" }, list: [{ id: "main", name: "Chela" }, { id: "work" }] },
    }),
    describe: () => ({ config: { agents: {}, gateway: { auth: { token: "__MASKED__" } } } }),
    getPath: (path: string) => (path === "gateway" ? { kind: "found", value: file.gateway } : { kind: "absent" }),
    setPath: (path: string, value: unknown) => note({ kind: "written", plan: { restart: true } }, "set", path, value),
    unsetPath: (path: string) => note({ kind: "written", plan: { restart: false } }, "unset", path),
    overrides: () => ({ "messages.prefix": "x" }),
    override: (path: string, value: unknown) => note(undefined, "debug", path, value),
    dropOverride: (path: string) => note(true, "undebug", path),
    dropOverrides: () => note(undefined, "debug-reset"),
  };
}

function fakeApprovals(note: Note) {
  return {
    list: () => [{ id: "ab12", request: { command: "git push\u202e origin" }, expiresAtMs: NOW + 90_000 }],
    resolve: (id: string, decision: string) => {
      if (id !== "ab12") throw new GatewayError("EXEC_UNAVAILABLE", `nothing waits under "${id}"`);
      note(undefined, "approve", id, decision);
    },
  };
}

function fakeTree(note: Note) {
  const point = { entryId: "a1b2c3d4", preview: "What is the weather like in Paris today?" };
  const timestamp = new Date(NOW - HOUR).toISOString();
  return {
    lanes: { runIds: () => [] },
    transcripts: { forget: () => {}, path: async () => note([], "exported") },
    workspaceOf: () => WORKSPACE,
    branches: {
      checkpoint: async (_sessionId: string, name: string) =>
        note({ entryId: point.entryId, label: name, timestamp }, "checkpoint", name),
      async moveTo(_sessionId: string, target: { readonly ref?: string }) {
        if (target.ref === "nowhere") throw new GatewayError("SESSION_TREE", `there is no place "nowhere"`);
        return note(point, "move", target);
      },
      tree: async () => ({
        branches: [
          { ...point, timestamp, labels: [], isActive: true },
          { ...point, entryId: "b1b2c3d4", timestamp, labels: ["before-lunch"], isActive: false },
        ],
        checkpoints: [],
      }),
    },
  };
}

function fakeSubagents(note: Note) {
  return {
    list: async () => HELPERS,
    find: async (_key: string, target: string) =>
      target === "sum" ? { kind: "found", children: [HELPER] } : { kind: "refused", why: `No "${target}" here.` },
    kill: async (_key: string, target: string) =>
      target === "nobody"
        ? { kind: "refused", why: "Nothing is running." }
        : note({ kind: "killed", children: [HELPER] }, "kill", target),
    steer: async (_caller: object, target: string, text: string) =>
      note({ kind: "said", child: HELPER }, "steer", target, text),
    spawn: async (_asking: object, { task, agentId }: { task: string; agentId?: string }) =>
      note({ kind: "started", runId: HELPER.runId }, "spawn", task, agentId),
    log: async () => [
      { role: "user", text: "count" },
      { role: "assistant", text: "three" },
    ],
  };
}
