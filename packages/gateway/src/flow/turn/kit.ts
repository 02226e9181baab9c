// Turn kit: what turns are made with, and what holds for a turn by its agent, its conversation and the configuration.
import {
  modelOverrideOf,
  type ImageBlock,
  type InboxMessage,
  type MediaRef,
  type ModelInfo,
  type Requester,
  type RunRecord,
  type SessionEntry,
  type ThinkingLevel,
} from "@chela/sdk";
import type { House } from "../../house/house.ts";
import type { ContextSettings, PromptFile } from "../../rooms/agent/room.ts";
import { accountSettings } from "../../rooms/channels/room.ts";
import type { CommandOutcome } from "../../rooms/commands/room.ts";
import { historyLimit } from "../../rooms/config/room.ts";
import { isStale, resetRuleFor, resetTypeOf } from "../../rooms/sessions/room.ts";
import type { SkillList } from "../../rooms/skills/room.ts";
import type { Toolbox, ToolSubject } from "../../rooms/tools/room.ts";
import type { ErrandTerms, MessageBody } from "../message-body.ts";
import type { ContextFitter } from "./context-fitter.ts";
import type { Commit } from "./patient-commit.ts";
import type { Prompts } from "./prompt.ts";

export interface TurnKit {
  readonly house: House;
  readonly tools: Toolbox;
  readonly prompts: Prompts;
  readonly fitter: ContextFitter;
  readonly commit: Commit;
  contextOf(agentId: string): ContextSettings;
  runCommands(record: RunRecord, body: MessageBody): Promise<RanCommands>;
}

export interface TurnSettings {
  readonly timeoutMs: number;
  /** How often a model may be asked in one turn. */
  readonly maxSteps: number;
  readonly context: ContextSettings;
  readonly timeZone?: string;
  readonly thinking: string;
}

export interface PromptQuestion {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly model: ModelInfo;
  readonly thinking: ThinkingLevel;
  /** Only the owner is told what was learned of them, and what is noted about people. */
  readonly requester: Requester;
  /** The gateway's own work in the conversation: it is told what the conversation was, so that the prompt is cached. */
  readonly isOwnWork?: boolean;
  /** Of that: work on the conversation itself, whoever takes part in it. */
  readonly isChore?: boolean;
  /** Given by the caller of this turn. */
  readonly extra?: string;
  /** How much of the workspace is told of, when it is not what the conversation usually has. */
  readonly context?: "full" | "minimal" | "light";
  /** The skills the operator set for the group it was written in; absent for all the agent has. */
  readonly chatSkills?: readonly string[];
  /** Its tools include what skills are activated by. */
  readonly hasSkillTools?: boolean;
}

/** The skills a prompt told of. */
export interface PromptSkills extends SkillList {
  readonly snapshot: object;
}

interface PromptSources {
  readonly workspaceDir: string;
  readonly bootstrapMaxChars: number;
  readonly bootstrapTotalMaxChars: number;
  readonly sandbox: { readonly sandboxed: boolean };
  readonly files: readonly PromptFile[];
  /** How much the part about the files takes, headings and all. */
  readonly projectChars: number;
  readonly skills: PromptSkills;
}

export interface PreparedPrompt {
  readonly system: string;
  /** How much of it comes from files of the workspace. */
  readonly fileChars?: number;
  /** What it was made of, for the report in the index of sessions. */
  readonly sources?: PromptSources;
  /** What the model has to know of changes behind the frozen prompt; goes before the person's text. */
  readonly note?: string;
  /** To be called when the turn went well: the first meeting has happened. */
  readonly wasUsed?: () => Promise<void>;
}

/** What running the commands of a message came to; the patch is written with the message's next commit. */
export interface RanCommands {
  readonly outcome: CommandOutcome;
  patch(entry: SessionEntry): SessionEntry;
  readonly hasPatch: boolean;
}

/** What came with a message: pictures a model can see, and words about the rest. */
export interface TakenIn {
  readonly images: readonly ImageBlock[];
  /** Lines to stand before the text. */
  readonly notes: readonly string[];
  /** What is kept of it, for those who show the conversation. */
  readonly files: readonly MediaRef[];
}

export interface Steered {
  readonly record: RunRecord;
  /** It is answered by this turn, and not by one of its own as well. */
  readonly isDone: boolean;
}

const MAX_STEPS = 100;

export function turnSettings({ house, contextOf }: TurnKit, agentId: string): TurnSettings {
  const { timeoutSeconds, thinkingDefault, userTimezone } = house.agentOf(agentId);
  return {
    timeoutMs: timeoutSeconds * 1e3,
    maxSteps: MAX_STEPS,
    context: contextOf(agentId),
    ...(userTimezone ? { timeZone: userTimezone } : {}),
    thinking: thinkingDefault,
  };
}

/** Whether a conversation was left alone so long that the next message begins a new one. */
export function isLeftAlone(
  { config, clock }: House,
  { sessionKey, channel }: InboxMessage,
  entry: SessionEntry,
): boolean {
  const rule = resetRuleFor(config.current().session, { channel, type: resetTypeOf(sessionKey) });
  return isStale(entry, rule, clock.now()) !== undefined;
}

/** How much of what was heard in a group is told. */
export function heardLimit({ config }: House, { channel, account, agentId }: InboxMessage): number {
  return historyLimit(config.current(), accountSettings(config.current(), channel, account) ?? {}, agentId);
}

/** First choice first. Throws MODEL_UNKNOWN. */
export function candidatesFor(
  { models }: House,
  agentId: string,
  entry: SessionEntry,
  terms?: ErrandTerms,
): Promise<readonly ModelInfo[]> {
  return models.candidates({ agentId, override: terms?.model ?? modelOverrideOf(entry), fallbacks: terms?.fallbacks });
}

/** What policies know of a turn besides its model and requester. */
export async function subjectOf(
  { sandboxes }: House,
  { agentId, sessionKey, body }: InboxMessage,
  entry: SessionEntry,
  requester: Requester,
): Promise<Omit<ToolSubject, "model" | "requester">> {
  // With the first turn it is decided which conversations are kept in a sandbox.
  await sandboxes.ready();
  return {
    agentId,
    sessionKey,
    ...groupOf(body as MessageBody),
    sandboxed: sandboxes.need({ agentId, sessionKey, requester }).kind === "required",
    ...(entry.spawnDepth === undefined ? {} : { subagentDepth: entry.spawnDepth }),
  };
}

/** The operator's limits on tools for the group a message was written in. */
function groupOf({ origin }: MessageBody): Pick<ToolSubject, "group"> {
  return origin?.group ? { group: origin.group as NonNullable<ToolSubject["group"]> } : {};
}
