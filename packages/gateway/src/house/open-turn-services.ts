// Opens what turns are made with (tools, approvals, prompts, commands) when the first message or question arrives.
import { rightsOf } from "@chela/sdk";
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
import { createToolbox, listTools, type Toolbox } from "../rooms/tools/room.ts";
import { ROOMS } from "./contributions.ts";
import type { House } from "./house.ts";
import { privateNotes } from "./tools/private-notes.ts";

export interface TurnServices extends TurnRunner {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
}

export async function openTurnServices(house: House): Promise<TurnServices> {
  const { clock, log, config, agentOf } = house;
  const [tools, { approvals }, table, { skills }] = await Promise.all([
    openToolbox(house),
    house.exec(),
    house.chatCommands(),
    house.skills(),
  ]);
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
    ...openTurns(house, { tools, table, prompts, skillCalled: (word) => skills.commandOf(word) }),
    tools,
    approvals,
  };
}

/** A reader of files may fill a fifth of a large context; the gate keeps every result below a third of it. */
const MAX_RESULT_CHARS = 540_000;

async function openToolbox(house: House): Promise<Toolbox> {
  const { clock, log, config } = house;
  const tools = await Promise.all(ROOMS.flatMap((room) => (room.tools ?? []).map((make) => make(house))));
  return createToolbox({
    tools,
    lists: listTools(tools),
    config: () => config.current(),
    clock,
    log,
    redact: (text) => log.redact(text),
    sandbox: house.sandboxes,
    closedNotes: ({ agentId, sessionKey, requester }) =>
      rightsOf(requester, sessionKey).notes ? [] : privateNotes(agentId, house),
    limits: { maxResultChars: MAX_RESULT_CHARS },
  });
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
