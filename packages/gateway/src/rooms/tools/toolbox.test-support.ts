// What the tests of the tools room share: a toolbox with fake tools, and the people and models that use it.
import * as z from "zod";
import type { Logger, ModelInfo, Requester, Tool, ToolCallBlock, ToolFamily, ToolOutput } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { BUILT_IN } from "./policy/catalogue.ts";
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

/** All built-in tools, and one that a plugin brings. */
export const ALL_TOOLS: readonly Tool[] = [
  ...(Object.keys(BUILT_IN) as ToolFamily[]).flatMap((family) =>
    BUILT_IN[family].map((name) => fakeTool(name, { family })),
  ),
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
export function openToolbox(over: Partial<ToolboxParts> = {}) {
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
  const toolbox = createToolbox({ tools: ALL_TOOLS, config: () => ({}), clock, log, ...over });
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
