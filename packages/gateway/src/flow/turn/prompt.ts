// Prompt of a turn: what an agent is told before a conversation, frozen for as long as the conversation is warm.
import { arch, hostname, platform } from "node:os";
import { rightsOf, sessionKind, type Clock, type Requester } from "@chela/sdk";
import {
  postCompactionRefresh,
  projectSection,
  systemPrompt,
  type PromptParts,
  type PromptSandbox,
} from "../../rooms/agent/room.ts";
import type { LogSink } from "../../base/log.ts";
import { localZone } from "../../base/text/time-prefix.ts";
import { changedFilesNote } from "../../base/text/written-text.ts";
import type { AgentSettings, ConfigStore } from "../../rooms/config/room.ts";
import type { PreparedPrompt, PromptQuestion, PromptSkills } from "./kit.ts";
import type { LearnedBlock } from "../../rooms/memory/room.ts";
import type { HookTeller } from "../hooks/hook-teller.ts";
import {
  bootstrapFiles,
  completeBootstrap,
  ensureWorkspace,
  FILE_LIMITS,
  FIRST_MEETING,
  PromptFiles,
  type FileSet,
} from "../../rooms/workspace/room.ts";

export interface Prompts {
  prepare(question: PromptQuestion): Promise<PreparedPrompt>;
  /** The conversation begins anew for the model: what its files say now is read again. */
  renew(sessionId: string): void;
  /** The rules of the workspace that must survive a summary. */
  rules(agentId: string): Promise<string | undefined>;
  /** What of the workspace a conversation has been given. */
  files(agentId: string, sessionKey: string, sessionId: string): Promise<PromptFileSize[]>;
}

interface PromptFileSize {
  readonly name: string;
  readonly chars: number;
  readonly isCut: boolean;
}

export interface PromptRoomParts {
  readonly clock: Clock;
  readonly log: LogSink;
  readonly config: ConfigStore;
  agentOf(agentId: string): AgentSettings;
  /** The files of a conversation as hooks leave them. */
  hookFiles: HookTeller["files"];
  /** What the conversation sees of its sandbox; undefined when it has none. */
  sandboxOf(subject: {
    readonly agentId: string;
    readonly sessionKey: string;
    readonly requester: Requester;
  }): Promise<PromptSandbox | undefined>;
  /** The skills a conversation's agent has, as its tools see them. */
  skillsOf(
    agentId: string,
    asked: { readonly chat?: readonly string[] | undefined; readonly isSandboxed: boolean },
  ): Promise<PromptSkills>;
  /** What the agent learned of its owner, and in which conversations; "" when that is nothing. */
  learnedOf(agentId: string): Promise<LearnedBlock>;
  /** False when something was forgotten since, or one of its conversations was deleted. */
  isStillKnown(agentId: string, learned: LearnedBlock): Promise<boolean>;
}

const NO_SKILLS: PromptSkills = { text: "", entries: [], version: 0, snapshot: { prompt: "", skills: [], version: 0 } };
const MOST_PROMPTS = 200;
const MOST_LEARNED = 1_000;
/** After an hour no provider remembers the prompt, so nothing is lost by a new one. */
const WARM_MS = 3_600_000;

export function openPrompts(parts: PromptRoomParts): Prompts {
  const { clock, log, config, agentOf, hookFiles, sandboxOf } = parts;
  const files = new PromptFiles({ log, limits: () => fileLimits(config) });
  const ensured = new Set<string>();
  const runtime = { host: hostname(), os: `${platform()} (${arch()})` };
  /** By the files they tell of: conversations with the same files share one prompt, which is long. */
  const written = new WeakMap<object, Map<string, { readonly config: unknown; readonly system: string }>>();
  const remembered = (
    question: PromptQuestion,
    files: object,
    sandbox: PromptSandbox | undefined,
    told: { readonly learned: string; readonly skills: string },
    parts: () => PromptParts,
  ): string => {
    const { agentId, model, thinking, extra } = question;
    const key = JSON.stringify([agentId, model.provider, model.id, thinking, extra, sandbox, told]);
    const prompts = written.get(files) ?? new Map<string, { readonly config: unknown; readonly system: string }>();
    const known = prompts.get(key);
    if (known?.config === config.current()) return known.system;
    if (prompts.size >= MOST_PROMPTS) prompts.clear();
    const system = systemPrompt(parts());
    prompts.set(key, { config: config.current(), system });
    written.set(files, prompts);
    return system;
  };

  /** What was learned, as each conversation was told it first: its prompt stays the same to the byte, unless that is gone. */
  const learnedBy = new Map<string, { readonly block: LearnedBlock; readonly usedAt: number }>();
  const learnedFor = async (question: PromptQuestion, set: FileSet): Promise<string> => {
    const { sessionId, agentId, requester, isOwnWork } = question;
    if (set !== "full" || requester.standing !== "owner") return "";
    const known = learnedBy.get(sessionId);
    // The gateway's own work is told no more than the conversation was.
    const isKnown = known !== undefined && (await parts.isStillKnown(agentId, known.block));
    if (isOwnWork) return isKnown ? known.block.text : "";
    const isWarm = isKnown && clock.steady() - known.usedAt < WARM_MS;
    const block = isWarm ? known.block : await parts.learnedOf(agentId);
    learnedBy.delete(sessionId);
    for (const oldest of learnedBy.keys()) {
      if (learnedBy.size < MOST_LEARNED) break;
      learnedBy.delete(oldest);
    }
    learnedBy.set(sessionId, { block, usedAt: clock.steady() });
    return block.text;
  };

  const setFor = ({ sessionId, sessionKey, requester, isChore, context }: PromptQuestion): FileSet => {
    // More of the workspace than somebody may know is nobody's to wish for.
    if (context !== undefined && context !== "full") return context;
    const isGuest = requester.standing !== "owner" || !rightsOf(requester, sessionKey).notes;
    if (!isChore) return fileSetOf(sessionKey, isGuest);
    return files.setGiven(sessionId) ?? fileSetOf(sessionKey, true);
  };

  const ensure = async (directory: string): Promise<void> => {
    if (ensured.has(directory)) return;
    const skipBootstrap = config.current().agents?.defaults?.skipBootstrap ?? false;
    // A workspace that cannot be written is no reason not to answer.
    const made = await ensureWorkspace(directory, { skipBootstrap, now: clock.now() }).catch((error: unknown) =>
      log.warn("the workspace could not be prepared", { directory, error: String(error) }),
    );
    if (made?.kind === "seeded") log.info("made a new workspace with its first files", { directory });
    ensured.add(directory);
  };

  return {
    renew(sessionId) {
      files.renew(sessionId);
      learnedBy.delete(sessionId);
    },
    async prepare(question) {
      const agent = agentOf(question.agentId);
      const { workspace, identity } = agent;
      await ensure(workspace);
      const set = setFor(question);
      const seen = await files.filesFor(question.sessionId, workspace, set, clock.steady());
      const { agentId, sessionKey, sessionId } = question;
      const who = { agentId, sessionKey, sessionId, workspaceDir: workspace, fileSet: set };
      const given = await hookFiles(who, seen.files);
      const { provider, id } = question.model;
      const sandbox = await sandboxOf({ agentId, sessionKey, requester: question.requester });
      const learned = await learnedFor(question, set);
      const skills = question.hasSkillTools
        ? await parts.skillsOf(agentId, { chat: question.chatSkills, isSandboxed: sandbox !== undefined })
        : NO_SKILLS;
      const slots = {
        ...(skills.text ? { skills: skills.text } : {}),
        ...(learned ? { memory: learned } : {}),
        ...(question.extra ? { extra: question.extra } : {}),
      };
      const told = remembered(question, given, sandbox, { learned, skills: skills.text }, () => ({
        mode: set === "full" || set === "guest" ? "full" : "minimal",
        agent: {
          id: question.agentId,
          name: identity.name ?? agent.name ?? "Chela",
          ...(identity.theme ? { theme: identity.theme } : {}),
          ...(identity.emoji ? { emoji: identity.emoji } : {}),
        },
        workspace: { path: workspace, files: given, ...(sandbox ? { sandbox } : {}) },
        timeZone: agent.userTimezone ?? localZone(clock.now()),
        runtime: { ...runtime, model: `${provider}/${id}`, thinking: question.thinking },
        slots,
      }));
      const limits = fileLimits(config);
      const hasFirstMeeting = given.some(({ name }) => name === FIRST_MEETING);
      return {
        system: told,
        fileChars: given.reduce((chars, { content }) => chars + content.length, 0),
        sources: {
          workspaceDir: workspace,
          bootstrapMaxChars: limits.perFile,
          bootstrapTotalMaxChars: limits.total,
          sandbox: { sandboxed: sandbox !== undefined },
          files: given,
          projectChars: projectSection(given).length,
          skills,
        },
        ...(seen.changed.length > 0 ? { note: changedFilesNote(seen.changed) } : {}),
        ...(hasFirstMeeting ? { wasUsed: () => completeBootstrap(workspace, clock.now()) } : {}),
      };
    },
    async rules(agentId) {
      const now = await bootstrapFiles(agentOf(agentId).workspace, { set: "minimal" });
      const rules = now.find(({ name }) => name === "AGENTS.md")?.content;
      return rules === undefined ? undefined : postCompactionRefresh(rules);
    },
    async files(agentId, sessionKey, sessionId) {
      const options = { set: fileSetOf(sessionKey), limits: fileLimits(config) };
      const seen = files.filesGiven(sessionId) ?? (await bootstrapFiles(agentOf(agentId).workspace, options));
      return seen.map(({ name, content, truncated }) => ({ name, chars: content.length, isCut: truncated }));
    },
  };
}

/** Sub-agents, jobs, groups and guests are told who they are, not what is remembered of people. */
function fileSetOf(sessionKey: string, isGuest = false): FileSet {
  if (sessionKind(sessionKey) === "group") return "group";
  if (/:(subagent|cron):/.test(sessionKey)) return "minimal";
  return isGuest ? "guest" : "full";
}

function fileLimits(config: ConfigStore) {
  const { bootstrapMaxChars, bootstrapTotalMaxChars } = config.current().agents?.defaults ?? {};
  return { perFile: bootstrapMaxChars ?? FILE_LIMITS.perFile, total: bootstrapTotalMaxChars ?? FILE_LIMITS.total };
}
