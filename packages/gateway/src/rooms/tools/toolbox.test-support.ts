// Helpers for tests of the tools room: a toolbox with fake tools, and the people and models that use it.
import * as z from "zod";
import type { Logger, ModelInfo, Requester, Tool, ToolCallBlock, ToolOutput, ToolTraits } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { listTools } from "./policy/catalogue.ts";
import { createToolbox, type ToolboxParts, type ToolSubject, type TurnContext } from "./room.ts";

export const MODEL: ModelInfo = {
  provider: "openai",
  id: "gpt-test",
  name: "Test",
  api: "openai-completions",
  reasoning: false,
  input: ["text"],
  contextWindow: 200_000,
  maxTokens: 4_000,
};

export const STRANGER: Requester = {
  channel: "telegram",
  account: "default",
  id: "42",
  name: "Bob",
  isOwner: false,
  standing: "approved",
};
export const OWNER: Requester = { ...STRANGER, id: "1", name: "Ann", isOwner: true, standing: "owner" };

export function fakeTool(name: string, over: Partial<Tool> = {}): Tool {
  return {
    name,
    label: name,
    description: `The tool ${name}.`,
    family: "fs",
    effects: ["read"],
    parameters: () => z.object({}),
    run: async () => text(`${name} ran`),
    ...over,
  };
}

export function text(content: string): ToolOutput {
  return { content: [{ type: "text", text: content }] };
}

const CODING = { profiles: ["coding"], inSandbox: "allowed" } as const;
const TALKING = { profiles: ["coding", "messaging"], inSandbox: "allowed" } as const;

/** What the tools of the gateway say of themselves; `test/flow/tool-lists.test.ts` holds that they do. */
export const BUILT_IN: readonly ToolTraits[] = [
  { name: "read", family: "fs", ...CODING, told: 10 },
  { name: "write", family: "fs", ...CODING, notForGuests: true, told: 20 },
  { name: "edit", family: "fs", ...CODING, notForGuests: true, told: 30 },
  { name: "apply_patch", family: "fs", ...CODING, notForGuests: true, told: 40 },
  { name: "exec", family: "runtime", ...CODING, told: 80 },
  { name: "process", family: "runtime", ...CODING, told: 90 },
  { name: "web_search", family: "web", inSandbox: "allowed", told: 100 },
  { name: "web_fetch", family: "web", inSandbox: "allowed", told: 110 },
  { name: "memory_search", family: "memory", ...CODING, notForSubagents: "all" },
  { name: "memory_get", family: "memory", ...CODING, notForSubagents: "all" },
  { name: "sessions_list", family: "sessions", ...TALKING, notForSubagents: "last", told: 190 },
  { name: "sessions_history", family: "sessions", ...TALKING, notForSubagents: "last", told: 200 },
  { name: "sessions_search", family: "sessions", ...TALKING, notForSubagents: "last", told: 210 },
  { name: "sessions_send", family: "sessions", ...TALKING, notForSubagents: "all", told: 220 },
  { name: "sessions_spawn", family: "sessions", ...CODING, notForSubagents: "last" },
  { name: "subagents", family: "sessions", ...CODING, told: 230 },
  {
    name: "session_status",
    family: "sessions",
    profiles: ["minimal", "coding", "messaging"],
    inSandbox: "allowed",
    notForSubagents: "all",
    told: 240,
  },
  { name: "message", family: "messaging", profiles: ["messaging"], inSandbox: "allowed", told: 160 },
  {
    name: "cron",
    family: "automation",
    profiles: ["coding"],
    inSandbox: "denied",
    notForSubagents: "all",
    ownerOnly: true,
    told: 150,
  },
  { name: "gateway", family: "automation", inSandbox: "denied", notForSubagents: "all", ownerOnly: true, told: 170 },
  { name: "nodes", family: "nodes", inSandbox: "denied", ownerOnly: true, told: 140 },
  { name: "agents_list", family: "agents", notForSubagents: "all", told: 180 },
  { name: "image", family: "media", ...CODING, told: 250 },
  { name: "attach", family: "media", ...TALKING, told: 260 },
];

/** All built-in tools, those that only have a name so far, and one that a plugin brings. */
export const ALL_TOOLS: readonly Tool[] = [
  ...BUILT_IN.map(({ name, ...traits }) => fakeTool(name, traits)),
  fakeTool("browser", { family: "ui", told: 120 }),
  fakeTool("canvas", { family: "ui", told: 130 }),
  fakeTool("tts", { family: "media" }),
  fakeTool("lobster", { family: "automation" }),
];

export function subjectWith(over: Partial<ToolSubject> = {}): ToolSubject {
  return {
    agentId: "main",
    sessionKey: "agent:main:main",
    model: MODEL,
    requester: OWNER,
    sandboxed: false,
    ...over,
  };
}

/** A toolbox on a clock that stands still, with every line it logs. */
export function openToolbox({
  tools = ALL_TOOLS,
  ...over
}: Partial<Omit<ToolboxParts, "tools">> & { readonly tools?: readonly Tool[] } = {}) {
  const clock = createFakeClock();
  const logged: string[] = [];
  const write = (line: string): void => void logged.push(line);
  const log: Logger = {
    log: (_level, line) => write(line),
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    child: () => log,
  };
  const toolbox = createToolbox({
    tools: () => tools,
    lists: listTools(BUILT_IN),
    config: () => ({}),
    clock,
    log,
    ...over,
  });
  return { toolbox, clock, logged };
}

/** Whatever a file may hold: the policy must stand even what the configuration's schema would not let through. */
export function namesFor(config: unknown, subject: Partial<ToolSubject> = {}): readonly string[] {
  const { toolbox } = openToolbox({ config: () => config as ReturnType<ToolboxParts["config"]> });
  return toolbox.for(subjectWith(subject)).described.map(({ name }) => name);
}

export function callOf(name: string, args: Record<string, unknown> = {}): ToolCallBlock {
  return { type: "toolCall", id: `call-${name}`, name, arguments: args };
}

export function turnContext(over: Partial<TurnContext> = {}): TurnContext {
  return { runId: "run-1", workspace: "/workspace", signal: new AbortController().signal, update: () => {}, ...over };
}
