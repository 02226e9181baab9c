// Joins workspace and prompt: what an agent is told before a conversation, frozen for as long as the conversation is warm.
import { arch, hostname, platform } from "node:os";
import type { Clock } from "@chela/sdk";
import { postCompactionRefresh, systemPrompt, type PromptParts, type PromptSandbox } from "./agent/room.ts";
import type { LogSink } from "./base/log.ts";
import { localZone } from "./base/time-prefix.ts";
import { changedFilesNote } from "./base/written-text.ts";
import type { AgentSettings, ConfigStore } from "./config/room.ts";
import type { PreparedPrompt, PromptQuestion } from "./flow/turn-parts.ts";
import type { HookBell } from "./automation/hook-bell.ts";
import {
  bootstrapFiles,
  completeBootstrap,
  ensureWorkspace,
  FILE_LIMITS,
  FIRST_MEETING,
  PromptFiles,
  type FileSet,
} from "./workspace/room.ts";

export interface Prompts {
  prepare(question: PromptQuestion): Promise<PreparedPrompt>;
  /** The conversation begins anew for the model: what its files say now is read again. */
  renew(sessionId: string): void;
  /** The rules of the workspace that must survive a summary. */
  rules(agentId: string): Promise<string | undefined>;
  /** What of the workspace a conversation has been given. */
  files(agentId: string, sessionKey: string, sessionId: string): Promise<PromptFileSize[]>;
}

export interface PromptFileSize {
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
  hookFiles: HookBell["files"];
  /** What the conversation sees of its sandbox; undefined when it has none. */
  sandboxOf(subject: { readonly agentId: string; readonly sessionKey: string }): Promise<PromptSandbox | undefined>;
}

const MOST_PROMPTS = 200;

export function joinPrompt({ clock, log, config, agentOf, hookFiles, sandboxOf }: PromptRoomParts): Prompts {
  const files = new PromptFiles({ log, limits: () => fileLimits(config) });
  const ensured = new Set<string>();
  const runtime = { host: hostname(), os: `${platform()} (${arch()})` };
  /** By the files they tell of: conversations with the same files share one prompt, which is long. */
  const written = new WeakMap<object, Map<string, { readonly config: unknown; readonly system: string }>>();
  const remembered = (
    question: PromptQuestion,
    files: object,
    sandbox: PromptSandbox | undefined,
    parts: () => PromptParts,
  ): string => {
    const { agentId, model, thinking, extra } = question;
    const key = JSON.stringify([agentId, model.provider, model.id, thinking, extra, sandbox]);
    const prompts = written.get(files) ?? new Map<string, { readonly config: unknown; readonly system: string }>();
    const known = prompts.get(key);
    if (known?.config === config.current()) return known.system;
    if (prompts.size >= MOST_PROMPTS) prompts.clear();
    const system = systemPrompt(parts());
    prompts.set(key, { config: config.current(), system });
    written.set(files, prompts);
    return system;
  };

  const ensure = async (directory: string): Promise<void> => {
    if (ensured.has(directory)) return;
    const skipBootstrap = config.current().agents?.defaults?.skipBootstrap ?? false;
    // A workspace that cannot be written is no reason not to answer.
    await ensureWorkspace(directory, { skipBootstrap, now: clock.now() }).catch((error: unknown) =>
      log.warn("the workspace could not be prepared", { directory, error: String(error) }),
    );
    ensured.add(directory);
  };

  return {
    renew: (sessionId) => files.renew(sessionId),
    async prepare(question) {
      const agent = agentOf(question.agentId);
      const { workspace, identity } = agent;
      await ensure(workspace);
      const set = question.context ?? fileSetOf(question.sessionKey);
      const seen = await files.filesFor(question.sessionId, workspace, set, clock.now());
      const { agentId, sessionKey, sessionId } = question;
      const who = { agentId, sessionKey, sessionId, workspaceDir: workspace, fileSet: set };
      const given = await hookFiles(who, seen.files);
      const { provider, id } = question.model;
      const sandbox = await sandboxOf(who);
      const told = remembered(question, given, sandbox, () => ({
        mode: set === "full" ? "full" : "minimal",
        agent: {
          id: question.agentId,
          name: identity.name ?? agent.name ?? "Chela",
          ...(identity.theme ? { theme: identity.theme } : {}),
          ...(identity.emoji ? { emoji: identity.emoji } : {}),
        },
        workspace: { path: workspace, files: given, ...(sandbox ? { sandbox } : {}) },
        timeZone: agent.userTimezone ?? localZone(clock.now()),
        runtime: { ...runtime, model: `${provider}/${id}`, thinking: question.thinking },
        ...(question.extra ? { slots: { extra: question.extra } } : {}),
      }));
      const hasFirstMeeting = given.some(({ name }) => name === FIRST_MEETING);
      return {
        system: told,
        fileChars: given.reduce((chars, { content }) => chars + content.length, 0),
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

/** Sub-agents, jobs and groups are told who they are, not what is remembered of people. */
function fileSetOf(sessionKey: string): FileSet {
  return /:(subagent|cron|group|channel):/.test(sessionKey) ? "minimal" : "full";
}

function fileLimits(config: ConfigStore) {
  const { bootstrapMaxChars, bootstrapTotalMaxChars } = config.current().agents?.defaults ?? {};
  return { perFile: bootstrapMaxChars ?? FILE_LIMITS.perFile, total: bootstrapTotalMaxChars ?? FILE_LIMITS.total };
}
