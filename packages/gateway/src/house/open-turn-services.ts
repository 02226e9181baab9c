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
import { agentSkills } from "../rooms/config/room.ts";
import { forModels, insidePlace } from "../rooms/skills/room.ts";
import type { PromptSkills } from "../flow/turn/kit.ts";
import { createToolbox, listTools, type BeforeRun, type Toolbox, type ToolSource } from "../rooms/tools/room.ts";
import { ROOMS } from "./contributions.ts";
import type { House } from "./house.ts";
import { privateNotes } from "./tools/private-notes.ts";

export interface TurnServices extends TurnRunner {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
}

export async function openTurnServices(house: House): Promise<TurnServices> {
  const { clock, log, config, agentOf } = house;
  const [tools, { approvals }, commands, { skills }] = await Promise.all([
    openToolbox(house),
    house.exec(),
    house.chatCommands(),
    house.skills(),
  ]);
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
    skillsOf: (agentId, asked) => skillsOf(agentId, asked, house),
    learnedOf: (agentId) => learnedOf(agentId, house),
    isStillKnown: (agentId, block) => isStillKnown(house.ledger, agentId, block),
  });
  return {
    ...openTurns(house, { tools, table: () => table, prompts, skillCalled: (word) => skills.commandOf(word) }),
    tools,
    approvals,
  };
}

/** A reader of files may fill a fifth of a large context; the gate keeps every result below a third of it. */
const MAX_RESULT_CHARS = 540_000;

async function openToolbox(house: House): Promise<Toolbox> {
  const { clock, log, config } = house;
  const own = await Promise.all(ROOMS.flatMap((room) => (room.tools ?? []).map((make) => make(house))));
  return createToolbox({
    tools: own,
    source: joinSources([await toolsOfPlugins(house), toolsOfServers(house)]),
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

const NO_TOOLS: readonly Tool[] = [];

/** Tools of MCP servers. Nothing of them is loaded as long as none is named. */
function toolsOfServers(house: House): ToolSource {
  let tools = () => NO_TOOLS;
  return {
    async ready() {
      if (!house.mcp.known() && !house.hasMcp()) return;
      const { servers } = await house.mcp();
      await servers.ready();
      tools = () => servers.tools();
    },
    tools: () => tools(),
  };
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

/** Tools of plugins, as they are brought now. */
async function toolsOfPlugins(house: House): Promise<ToolSource> {
  const collect = () =>
    Promise.all(house.plugins.brought().flatMap(({ tools = [] }) => tools.map((make) => make(house))));
  let tools: readonly Tool[] = await collect();
  house.plugins.onChange(async () => {
    tools = await collect();
  });
  return { ready: async () => {}, tools: () => tools };
}

/** Several as one: the same array as long as none of them changed. */
function joinSources(sources: readonly ToolSource[]): ToolSource {
  let joined: { readonly of: ReadonlyArray<readonly Tool[]>; readonly tools: readonly Tool[] } = { of: [], tools: [] };
  return {
    async ready() {
      await Promise.all(sources.map((source) => source.ready()));
    },
    tools() {
      const of = sources.map((source) => source.tools());
      const isSame = of.length === joined.of.length && of.every((tools, at) => tools === joined.of[at]);
      if (!isSame) joined = { of, tools: of.flat() };
      return joined.tools;
    },
  };
}

/** The list in the prompt, and the same in the shape of OpenClaw's index of sessions. */
async function skillsOf(
  agentId: string,
  { chat, isSandboxed }: { readonly chat?: readonly string[] | undefined; readonly isSandboxed: boolean },
  house: House,
): Promise<PromptSkills> {
  const { skills, copies } = await house.skills();
  const known = skills.look(agentId);
  if (isSandboxed) copies.bringUpToDate(agentId, known.ready);
  const list = skills.list(agentId, { chat, ...(isSandboxed ? { locate: insidePlace } : {}) });
  const told = forModels(known, chat);
  const { text: prompt, version } = list;
  const names = told.map(({ name, skill: { primaryEnv, requires } }) => ({
    name,
    ...(primaryEnv ? { primaryEnv } : {}),
    ...(requires.env.length > 0 ? { requiredEnv: requires.env } : {}),
  }));
  const resolvedSkills = told.map(({ name, filePath, baseDir, source, skill: { description } }) => {
    return { name, description, filePath, baseDir, source };
  });
  const filter = chat ?? agentSkills(house.config.current(), agentId);
  const snapshot = { prompt, skills: names, ...(filter ? { skillFilter: filter } : {}), resolvedSkills, version };
  return { ...list, snapshot };
}

/** What the owner's own words taught, for the prompt. */
async function learnedOf(agentId: string, house: House): Promise<LearnedBlock> {
  const { enabled = true, inPrompt = true } = house.config.current().memory?.learning ?? {};
  return enabled && inPrompt && house.hasMemory(agentId) ? await readBlock(house.ledger, agentId) : NO_BLOCK;
}
