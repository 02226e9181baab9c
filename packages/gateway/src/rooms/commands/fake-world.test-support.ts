// A world of plain values for the tests of commands: it notes what was done to it.
import type { SessionEntry } from "@chela/sdk";
import type { CommandRequester, CommandWorld, HelperView, ModelChoice, SessionPatch } from "./room.ts";

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

export const MODELS: readonly ModelChoice[] = [
  { provider: "anthropic", id: "claude-opus-4-6", name: "Claude Opus 4.6", alias: "opus" },
  { provider: "anthropic", id: "claude-sonnet-4-6", name: "Claude Sonnet 4.6", alias: "sonnet" },
  { provider: "openai", id: "gpt-5.2", name: "GPT-5.2", alias: "gpt" },
  ...Array.from({ length: 10 }, (_, index) => ({ provider: "ollama", id: `small-${index}`, name: `Small ${index}` })),
];

export const knowsModel = (ref: string) =>
  MODELS.some(({ provider, id, alias }) => [alias, id, `${provider}/${id}`].includes(ref));

export interface FakeWorld extends CommandWorld {
  readonly done: unknown[];
  readonly patches: SessionPatch[];
}

const HELPER: HelperView = {
  runId: "11112222-0000-8000-8000-000000000000",
  sessionKey: "agent:main:subagent:1",
  label: "sum",
  task: "Add all the numbers up",
  state: "running",
  createdAt: NOW - 60_000,
};
const HELPERS: readonly HelperView[] = [
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

export function fakeWorld(
  changes: Partial<CommandWorld> = {},
  entry: Partial<Record<keyof SessionEntry, unknown>> = {},
): FakeWorld {
  const done: unknown[] = [];
  const patches: SessionPatch[] = [];
  const note = <T>(answer: T, ...what: unknown[]): T => (done.push(what), answer);
  const point = { id: "a1b2c3d4", at: NOW - 3_600_000, preview: "What is the weather like in Paris today?" };
  const session = (): SessionEntry =>
    Object.assign({}, ENTRY, entry, ...patches.map((patch) => Object.fromEntries(Object.entries(patch))));
  return {
    done,
    patches,
    version: "1.2.3",
    now: NOW,
    startedAt: NOW - 86_400_000,
    timeZone: "UTC",
    requester: OWNER,
    settings: { config: true, debug: true, modelAliases: { opus: "anthropic/claude-opus-4-6" } },
    sessionKey: "agent:main:main",
    agentId: "main",
    defaults: {
      thinking: "low",
      verbose: "off",
      reasoning: "off",
      elevated: "off",
      exec: { host: "sandbox", security: "allowlist", ask: "on-miss" },
      queue: "collect",
      activation: "mention",
    },
    session: async () => session(),
    patchSession: async (fields) => void patches.push(fields),
    elevated: () => ({ kind: "allowed" }),
    models: {
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
    },
    config: {
      get: async (path) =>
        path === undefined
          ? { agents: {}, gateway: { auth: { token: "__MASKED__" } } }
          : path === "gateway"
            ? { port: 18789, list: Array.from({ length: 40 }, (_, index) => index) }
            : undefined,
      set: async (path, value) => note({ kind: "changed", needsRestart: true }, "set", path, value),
      unset: async (path) => note({ kind: "changed", needsRestart: false }, "unset", path),
    },
    debug: {
      show: () => ({ "messages.prefix": "x" }),
      set: (path, value) => note({ kind: "changed" }, "debug", path, value),
      unset: (path) => note({ kind: "changed" }, "undebug", path),
      reset: () => note(undefined, "debug-reset"),
    },
    approvals: {
      list: async () => [{ id: "ab12", command: "git push\u202e origin", expiresAt: NOW + 90_000 }],
      resolve: async (id, decision) =>
        id === "ab12"
          ? note({ kind: "resolved", command: "git push" }, "approve", id, decision)
          : { kind: "refused", why: `Nothing waits under "${id}".` },
    },
    tree: {
      checkpoint: async (name) => note({ ...point, name }, "checkpoint", name),
      rewind: async (to) => note({ kind: "moved", to: point }, "rewind", to),
      branches: async () => [
        { ...point, isCurrent: true },
        { ...point, id: "b1b2c3d4", name: "before-lunch", isCurrent: false },
      ],
      switchTo: async (nameOrId) =>
        nameOrId === "nowhere"
          ? { kind: "refused", why: `There is no place "nowhere".` }
          : note({ kind: "moved", to: { ...point, name: nameOrId } }, "switch", nameOrId),
    },
    helpers: {
      list: async () => HELPERS,
      find: async (target) =>
        target === "sum" ? { kind: "found", helper: HELPER } : { kind: "refused", why: `No "${target}" here.` },
      kill: async (target) =>
        target === "nobody"
          ? { kind: "refused", why: "Nothing is running." }
          : note({ kind: "killed", helpers: [HELPER] }, "kill", target),
      steer: async (target, message) => note({ kind: "said", helper: HELPER }, "steer", target, message),
      spawn: async (task, agentId) => note({ kind: "started", runId: HELPER.runId }, "spawn", task, agentId),
      log: async () => [
        { role: "user", text: "count" },
        { role: "assistant", text: "three" },
      ],
    },
    compact: async (instructions) =>
      note({ kind: "compacted", before: 150_000, after: 22_000, window: 200_000 }, "compact", instructions),
    usage: async () => ({
      session: { tokens: 15_756, cost: 0.42 },
      today: { tokens: 120_000, cost: 1.5 },
      month: { tokens: 2_400_000 },
    }),
    budgets: async () => [
      { name: "per day", unit: "usd", limit: 5, used: 1.5, resetsAt: NOW + 7_200_000 },
      { name: "per turn", unit: "tokens", limit: 200_000, used: 200_001 },
    ],
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
    exportSession: async (path) => note({ kind: "written", path: path ?? "session-3f0c1a2b.html" }, "export", path),
    restart: async () => note({ kind: "restarting" }, "restart"),
    agents: () => [{ id: "main", name: "Chela" }, { id: "work" }],
    tools: async () => ["read", "write", "edit", "apply_patch", "exec", "process", "session_status", "web_fetch"],
    ...changes,
  };
}
