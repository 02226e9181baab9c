// Opens what turns are made with (tools, approvals, prompts, commands) when the first message or question arrives.
import { rightsOf, textOf, type Tool, type ToolContext } from "@chela/sdk";
import { askBeforeTool } from "../flow/hooks/turn-hooks.ts";
import { openPrompts } from "../flow/turn/prompt.ts";
import { openTurns } from "../flow/turn/open-turns.ts";
import type { TurnRunner } from "../flow/queue.ts";
import type { Approvals } from "../rooms/approvals/room.ts";
// Past the room, which would load all of memory with the first message.
import { isStillKnown, NO_BLOCK, readBlock } from "../rooms/memory/learned-block.ts";
import type { LearnedBlock } from "../rooms/memory/room.ts";
import { createToolbox, listTools, type BeforeRun, type Toolbox } from "../rooms/tools/room.ts";
import { ROOMS } from "./contributions.ts";
import type { House } from "./house.ts";
import { privateNotes } from "./tools/private-notes.ts";

export interface TurnServices extends TurnRunner {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
}

export async function openTurnServices(house: House): Promise<TurnServices> {
  const { clock, log, config, agentOf } = house;
  const [tools, { approvals }, commands] = await Promise.all([openToolbox(house), house.exec(), house.chatCommands()]);
  let table = commands;
  house.plugins.onChange(async () => {
    table = await house.chatCommands();
  });
  const prompts = openPrompts({
    clock,
    log,
    config,
    agentOf,
    hookFiles: house.hookTeller.files,
    sandboxOf: (subject) => house.sandboxes.describe(subject),
    learnedOf: (agentId) => learnedOf(agentId, house),
    isStillKnown: (agentId, block) => isStillKnown(house.ledger, agentId, block),
  });
  return { ...openTurns(house, { tools, table: () => table, prompts }), tools, approvals };
}

/** A reader of files may fill a fifth of a large context; the gate keeps every result below a third of it. */
const MAX_RESULT_CHARS = 540_000;

async function openToolbox(house: House): Promise<Toolbox> {
  const { clock, log, config } = house;
  const own = await Promise.all(ROOMS.flatMap((room) => (room.tools ?? []).map((make) => make(house))));
  let tools = await withBrought(own, house);
  house.plugins.onChange(async () => {
    tools = await withBrought(own, house);
  });
  return createToolbox({
    tools: () => tools,
    lists: listTools(own),
    config: () => config.current(),
    clock,
    log,
    redact: (text) => log.redact(text),
    sandbox: house.sandboxes,
    beforeRun: [(tool, args, context) => askPlugins(tool.name, args, context, house)],
    afterRun({ name, args, durationMs }, { content, isError }, { agentId, sessionKey, runId, toolCallId }) {
      if (!house.typedHooks.has("after_tool_call")) return;
      const told = { toolName: name, params: args, runId, toolCallId, durationMs };
      const outcome = isError ? { error: textOf({ role: "toolResult", content } as never) } : { result: { content } };
      void house.typedHooks.watch(
        "after_tool_call",
        { ...told, ...outcome },
        { agentId, sessionKey, runId, toolName: name, toolCallId },
      );
    },
    closedNotes: ({ agentId, sessionKey, requester }) =>
      rightsOf(requester, sessionKey).notes ? [] : privateNotes(agentId, house),
    limits: { maxResultChars: MAX_RESULT_CHARS },
  });
}

async function askPlugins(
  toolName: string,
  params: unknown,
  { agentId, sessionKey, runId, toolCallId }: ToolContext,
  { typedHooks }: House,
): ReturnType<BeforeRun> {
  if (!typedHooks.has("before_tool_call")) return { kind: "allow" };
  const event = { toolName, params, runId, toolCallId };
  const said = await askBeforeTool(typedHooks, event, { agentId, sessionKey, runId, toolName, toolCallId });
  if (said.kind === "block") return { kind: "deny", why: said.why };
  return said.isChanged ? { kind: "allow", args: said.params } : { kind: "allow" };
}

/** Ours, and those of plugins whose names nobody has. */
async function withBrought(own: readonly Tool[], house: House): Promise<readonly Tool[]> {
  const brought = house.plugins.brought().flatMap(({ tools = [] }) => tools.map((make) => make(house)));
  if (brought.length === 0) return own;
  const taken = new Set(own.map(({ name }) => name.toLowerCase()));
  const free = (await Promise.all(brought)).filter(({ name, plugin }) => {
    if (!taken.has(name.toLowerCase())) return true;
    house.log.warn(`the tool ${name} of the plugin ${plugin?.id ?? ""} is not there: the name is taken`);
    return false;
  });
  return [...own, ...free];
}

/** What the owner's own words taught, for the prompt. */
async function learnedOf(agentId: string, house: House): Promise<LearnedBlock> {
  const { enabled = true, inPrompt = true } = house.config.current().memory?.learning ?? {};
  return enabled && inPrompt && house.hasMemory(agentId) ? await readBlock(house.ledger, agentId) : NO_BLOCK;
}
