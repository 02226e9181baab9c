// A gateway in small for the tests of exec and process: real programs, a guard that allows what a test says.
import { spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  textOf,
  type Clock,
  type ExecDecision,
  type ExecGuard,
  type ExecPlan,
  type ExecRequest,
  type Logger,
  type ModelInfo,
  type PreparedStep,
  type Tool,
  type ToolOutput,
} from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "../../../base/ids.ts";
import { createCommandSessions } from "./command-sessions.ts";
import { execTool, type ExecToolParts } from "./exec-tool.ts";
import type { ExecSettings, ExitNotice } from "./parts.ts";
import { processTool, type ProcessToolParts } from "./process-tool.ts";

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly details: Record<string, unknown>;
}

interface CallOptions {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
  readonly onUpdate?: (text: string, details: unknown) => void;
}

export interface Bench extends AsyncDisposable {
  readonly workspace: string;
  /** What the guard was asked. */
  readonly requests: ExecRequest[];
  readonly notices: ExitNotice[];
  exec(args: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  process(args: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  /** Polls a background command until it has ended, gathering what it prints. */
  follow(sessionId: unknown): Promise<Answer & { all: string }>;
  close(): Promise<void>;
}

export interface BenchOptions extends Partial<Omit<ExecToolParts, "settings" | "sessions">> {
  readonly settings?: Partial<ExecSettings>;
  readonly sees?: NonNullable<ProcessToolParts["sees"]>;
}

const MODEL: ModelInfo = {
  provider: "p",
  id: "m",
  name: "M",
  api: "demo",
  reasoning: false,
  input: ["text"],
  contextWindow: 100_000,
  maxTokens: 1_000,
};
const SETTINGS: ExecSettings = {
  backgroundMs: 10_000,
  timeoutSec: 1_800,
  cleanupMs: 1_800_000,
  notifyOnExit: true,
  notifyOnExitEmptySuccess: false,
  pathPrepend: [],
  env: [],
};

export async function createBench(options: BenchOptions = {}): Promise<Bench> {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "chela-exec-")));
  const requests: ExecRequest[] = [];
  const notices: ExitNotice[] = [];
  const clock: Clock = options.clock ?? systemClock;
  const settings = () => ({ ...SETTINGS, ...options.settings });
  const sessions = createCommandSessions({
    clock,
    ids: createIds(),
    log: silentLog(),
    settings,
    notifyExit: (notice) => notices.push(notice),
  });
  const guard = options.guard ?? guardWith(inShell);
  const exec = execTool({
    environment: process.env,
    elevatedLevel: () => "off",
    ...options,
    guard: { ...guard, authorize: (request, how) => (requests.push(request), guard.authorize(request, how)) },
    clock,
    sessions,
    settings,
  });
  const follower = processTool({ guard, clock, sessions, ...(options.sees ? { sees: options.sees } : {}) });
  const call = async (tool: Tool, args: Record<string, unknown>, how: CallOptions = {}): Promise<Answer> => {
    const output: ToolOutput = await tool.run(tool.parameters().parse(args), {
      agentId: how.agentId ?? "main",
      sessionKey: how.sessionKey ?? `agent:${how.agentId ?? "main"}:main`,
      runId: "run",
      toolCallId: "call",
      requester: { channel: "webchat", account: "default", id: "owner", isOwner: true, standing: "owner" },
      workspace,
      model: MODEL,
      signal: how.signal ?? new AbortController().signal,
      update: (text, details) => how.onUpdate?.(text, details),
    });
    return {
      text: textOf({ content: [...output.content] }),
      isError: output.isError === true,
      details: output.details as Record<string, unknown>,
    };
  };
  const bench: Bench = {
    workspace,
    requests,
    notices,
    exec: (args, how) => call(exec, args, how),
    process: (args, how) => call(follower, args, how),
    async follow(sessionId) {
      for (let all = ""; ;) {
        const state = await bench.process({ action: "poll", sessionId, timeout: 120_000 });
        all += state.text;
        if (state.details["status"] !== "running") return { ...state, all };
      }
    },
    close: () => sessions.close(),
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Allows everything, planned as the test says. */
export function guardWith(how: (command: string) => ExecPlan["how"]): ExecGuard {
  return {
    authorize: async (request) => allow(request, how(request.command)),
    confirm: async () => undefined,
    prepareStep: async ({ plan }, step) => preparedOf(plan, step),
    release: () => {},
    authorizeInput: async () => ({ kind: "denied", why: "Nothing was typed: the test did not expect it." }),
  };
}

function preparedOf({ how }: ExecPlan, step: number): PreparedStep {
  const pipeline = how.kind === "shell" ? [how.program] : how.kind === "direct" ? how.steps[step]?.pipeline : [];
  return { kind: "ready", pipeline: pipeline ?? [] };
}

export function allow(request: ExecRequest, how: ExecPlan["how"]): ExecDecision {
  const { command, cwd, env } = request;
  return { kind: "allowed", plan: { command, cwd, env, how }, seal: "seal", because: "test", input: "free" };
}

export function inShell(command: string): ExecPlan["how"] {
  return { kind: "shell", program: { file: "/bin/sh", argv: ["sh", "-c", command] } };
}

/** Words joined by |, && , || and ; as they stand: enough to write plans in tests. */
export function withoutShell(command: string): ExecPlan["how"] {
  const parts = command.split(/ (&&|\|\||;) /);
  const when = { "&&": "success", "||": "failure", ";": "always" } as const;
  return {
    kind: "direct",
    steps: parts.flatMap((part, index) => {
      if (index % 2 === 1) return [];
      const pipeline = part.split(" | ").map((program) => {
        const argv = program.trim().split(" ");
        const [file = ""] = argv;
        return { file: file.startsWith("/") ? file : `/bin/${file}`, argv };
      });
      return [{ when: index === 0 ? "always" : when[parts[index - 1] as keyof typeof when], pipeline }];
    }),
  };
}

function silentLog(): Logger {
  const nothing = () => {};
  const log: Logger = {
    log: nothing,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    child: () => log,
  };
  return log;
}

/** A program that has ended but was not yet noticed by its parent does not count. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

/** Whether all of them end soon: the system takes a moment to bury the dead. */
export async function areGone(pids: readonly number[]): Promise<boolean> {
  for (let looks = 0; looks < 200; looks += 1) {
    if (!pids.some(isAlive)) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}
