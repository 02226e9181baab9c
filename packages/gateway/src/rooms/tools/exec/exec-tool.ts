// The tool `exec`: asks whether a command may run, runs exactly what was approved, and waits for it for a while.
import { posix } from "node:path";
import * as z from "zod";
import {
  GatewayError,
  once,
  type Clock,
  type ExecDecision,
  type ExecGuard,
  type ExecRequest,
  type Parsed,
  type PreparedStep,
  type SandboxView,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@chela/sdk";
import type { CommandOptions, CommandSession } from "./command-session.ts";
import { buildEnvironment } from "./environment.ts";
import { answer, describeEnded, describeRunning } from "./exec-results.ts";
import type { CommandSessions } from "./command-sessions.ts";
import type { ElevatedLevel, ExecSettings } from "./parts.ts";
import { reportProgress } from "./progress.ts";
import { loadTerminals, TERMINAL_KIND, type TerminalLibrary } from "./start-terminal.ts";
import { findWorkDirectory } from "./work-directory.ts";

/** Who has a command run, in which conversation. */
type ExecCaller = Pick<ToolContext, "agentId" | "sessionKey" | "requester">;

export interface ExecToolParts {
  readonly guard: ExecGuard;
  readonly clock: Clock;
  readonly sessions: CommandSessions;
  /** The gateway's own environment; a command gets the few names of it that are safe to share. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  settings(agentId: string): ExecSettings;
  /** What skills that the conversation has activated are given. */
  skillEnvironment?(caller: ExecCaller & Pick<ToolContext, "runId">): Promise<Readonly<Record<string, string>>>;
  elevatedLevel(caller: ExecCaller): ElevatedLevel | Promise<ElevatedLevel>;
  /** Where the library for terminals comes from, if not from the package we install. */
  readonly importTerminals?: () => Promise<TerminalLibrary>;
}

const LEAST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 120_000;
/** The longest time a timer can hold. */
const LONGEST_TIMEOUT_SEC = 2_000_000;
/** A stopped turn does not wait longer than this for its command to be gone. */
const LET_GO_MS = 80;

const Parameters = once(() =>
  z.strictObject({
    command: z.string().min(1),
    workdir: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    yieldMs: z.number().optional().describe("wait, then go on in background (10000)"),
    background: z.boolean().optional(),
    timeout: z.number().min(0).optional().describe("seconds"),
    pty: z.boolean().optional().describe("for programs that need a terminal"),
    elevated: z.boolean().optional(),
    host: z.enum(["sandbox", "gateway", "node"]).optional(),
    security: z.enum(["deny", "allowlist", "full"]).optional(),
    ask: z.enum(["off", "on-miss", "always"]).optional(),
    node: z.string().optional(),
  }),
);
type Arguments = Parsed<typeof Parameters>;

export function execTool(parts: ExecToolParts): Tool {
  const tool: Tool<ReturnType<typeof Parameters>> = {
    name: "exec",
    label: "Exec",
    description:
      "Runs a shell command in the workspace. A command that takes long goes on in the background; follow it with process.",
    family: "runtime",
    profiles: ["coding"],
    inSandbox: "allowed",
    told: 80,
    effects: ["exec"],
    keepsToSandbox: true,
    parameters: Parameters,
    async run(args, context) {
      // Everything that can fail or take time comes before the guard, so that what it confirmed runs at once.
      const { elevated, sandbox } = await choosePlace(parts, args, context);
      const place = await sandbox?.open();
      const terminals = args.pty ? await loadTerminals(parts.importTerminals) : undefined;
      const settings = parts.settings(context.agentId);
      const request = await buildRequest(parts, settings, args, context, { elevated, sandbox });
      const decision = await askGuard(parts, request, context);
      if (decision.kind === "denied") return denied(decision.why, request);
      const first = await prepareFirst(parts, decision);
      if (first.kind === "refused") return denied(first.why, request);
      if (context.signal.aborted) {
        parts.guard.release(decision);
        return denied("The turn was stopped before the command began.", request);
      }
      const session = startSession(parts, decision, {
        first,
        prepare: (step) => parts.guard.prepareStep(decision, step),
        input: decision.input,
        owner: {
          agentId: context.agentId,
          sessionKey: context.sessionKey,
          standing: context.requester.standing,
          ...(sandbox ? { scope: sandbox.scope } : {}),
        },
        plan: decision.plan,
        takesInput: args.background === true,
        keepsTimeout: args.timeout !== undefined,
        ...(terminals ? { terminals } : {}),
        ...(place ? { place } : {}),
        ...timeoutOf(args, settings),
      });
      return args.background ? handOver(parts, session) : waitFor(parts, session, waitMsOf(args, settings), context);
    },
  };
  return tool;
}

type Allowed = Extract<ExecDecision, { kind: "allowed" }>;

/** Inside of a sandbox there is nothing of this machine to prepare. */
async function prepareFirst(parts: ExecToolParts, decision: Allowed): Promise<PreparedStep> {
  if (decision.plan.how.kind === "sandbox") return { kind: "ready", pipeline: [] };
  const first = await parts.guard.prepareStep(decision, 0);
  if (first.kind === "refused") parts.guard.release(decision);
  return first;
}

function startSession(parts: ExecToolParts, decision: Allowed, options: CommandOptions): CommandSession {
  try {
    const session = parts.sessions.start(options);
    void session.ended.then(() => parts.guard.release(decision));
    return session;
  } catch (error) {
    parts.guard.release(decision);
    throw error;
  }
}

interface CommandPlace {
  readonly elevated?: ExecRequest["elevated"];
  readonly sandbox?: SandboxView | undefined;
}

/** In the sandbox where the conversation has one, else on the gateway's machine. What cannot be had is refused, never replaced. */
async function choosePlace(parts: ExecToolParts, args: Arguments, context: ToolContext): Promise<CommandPlace> {
  const refuse = (why: string) => new GatewayError("EXEC_UNAVAILABLE", why);
  if (args.host === "node" || args.node !== undefined) {
    throw refuse("Commands cannot run on a node here. Leave out host and node to run the command on the gateway.");
  }
  if (args.elevated) {
    const level = await parts.elevatedLevel(context);
    if (level !== "off") return { elevated: level === "full" ? "full" : "ask" };
    throw refuse("Elevated commands are not allowed in this conversation. Call again without elevated.");
  }
  const { sandbox } = context;
  if (sandbox && args.host === "gateway")
    throw refuse("Commands of this conversation are kept in a sandbox. Leave out host to run the command there.");
  if (!sandbox && args.host === "sandbox")
    throw refuse("This conversation has no sandbox. Leave out host to run the command on the gateway.");
  return { sandbox };
}

async function buildRequest(
  parts: ExecToolParts,
  settings: ExecSettings,
  args: Arguments,
  context: ToolContext,
  { elevated, sandbox }: CommandPlace,
): Promise<ExecRequest> {
  const { agentId, sessionKey, runId, requester } = context;
  const terminal = args.pty ? { terminal: TERMINAL_KIND } : {};
  // Inside nothing is inherited: the sandbox has an environment of its own.
  const source = sandbox
    ? { own: {}, allowed: [], pathPrepend: [] }
    : { own: parts.environment, allowed: settings.env, pathPrepend: settings.pathPrepend };
  const given = (await parts.skillEnvironment?.(context)) ?? {};
  const { PATH, ...env } = buildEnvironment({
    ...source,
    given,
    closed: [context.workspace],
    call: args.env ?? {},
    ...terminal,
  });
  return {
    command: args.command,
    cwd: sandbox
      ? posix.resolve(sandbox.workdir, args.workdir ?? "")
      : await findWorkDirectory(context.workspace, args.workdir),
    env: sandbox || PATH === undefined ? env : { ...env, PATH },
    chosen: Object.keys(args.env ?? {}),
    ...(Object.keys(given).length > 0 ? { given } : {}),
    ...(sandbox ? { sandbox: sandbox.scope } : {}),
    agentId,
    sessionKey,
    runId,
    requester,
    ...(args.security ? { security: args.security } : {}),
    ...(args.ask ? { ask: args.ask } : {}),
    ...(elevated ? { elevated } : {}),
  };
}

/** Allowed only when the guard said so and still says so. */
async function askGuard(parts: ExecToolParts, request: ExecRequest, context: ToolContext): Promise<ExecDecision> {
  let approvalId: string | undefined;
  const decision = await parts.guard.authorize(request, {
    signal: context.signal,
    onPending: ({ id, command, cwd, expiresAtMs }) => {
      approvalId = id;
      context.update("Waiting for approval …", {
        status: "approval-pending",
        approvalId: id,
        approvalSlug: id.slice(0, 8),
        expiresAtMs,
        host: request.sandbox === undefined ? "gateway" : "sandbox",
        command,
        cwd,
      });
    },
  });
  if (approvalId !== undefined) {
    const isAllowed = decision.kind === "allowed";
    context.update(isAllowed ? "Approved." : "Not approved.", { status: "approval-resolved", approvalId, isAllowed });
  }
  if (decision.kind === "denied") return decision;
  const why = await parts.guard.confirm(decision, request);
  return why === undefined ? decision : { kind: "denied", why };
}

function denied(why: string, { command, cwd }: ExecRequest): ToolOutput {
  return answer(why, { status: "denied", command, cwd }, true);
}

/** A named limit is kept. Without one, only a command that somebody waits for has a limit. */
function timeoutOf(args: Arguments, settings: ExecSettings): { timeoutMs?: number } {
  const isPatient = args.background === true || args.yieldMs !== undefined;
  const seconds = args.timeout ?? (isPatient ? 0 : settings.timeoutSec);
  return seconds > 0 ? { timeoutMs: Math.min(seconds, LONGEST_TIMEOUT_SEC) * 1000 } : {};
}

function waitMsOf(args: Arguments, settings: ExecSettings): number {
  return Math.min(Math.max(args.yieldMs ?? settings.backgroundMs, LEAST_WAIT_MS), LONGEST_WAIT_MS);
}

async function waitFor(
  parts: ExecToolParts,
  session: CommandSession,
  waitMs: number,
  context: ToolContext,
): Promise<ToolOutput> {
  const endProgress = reportProgress(session, parts.clock, context);
  const outcome = await firstEvent(session, parts.clock, waitMs, context.signal);
  endProgress();
  if (outcome === "waited") return handOver(parts, session);
  if (outcome === "stopped") {
    session.stop("turn-stopped", true);
    await firstEvent(session, parts.clock, LET_GO_MS);
  }
  return describeEnded(session);
}

function handOver(parts: ExecToolParts, session: CommandSession): ToolOutput {
  parts.sessions.detach(session);
  return describeRunning(session);
}

/** What comes first: the end, the end of our patience (or nothing left to wait for), or the end of the turn. */
function firstEvent(
  session: CommandSession,
  clock: Clock,
  waitMs: number,
  signal?: AbortSignal,
): Promise<"ended" | "waited" | "stopped"> {
  return new Promise((resolve) => {
    const settle = (outcome: "ended" | "waited" | "stopped"): void => {
      cancelWait();
      cancelWatch();
      signal?.removeEventListener("abort", stop);
      resolve(outcome);
    };
    const stop = (): void => settle("stopped");
    const cancelWait = clock.after(waitMs, () => settle("waited"));
    const cancelWatch = session.onChange(() => {
      if (session.exit) settle("ended");
      else if (session.lingers && signal) settle("waited");
    });
    signal?.addEventListener("abort", stop);
  });
}
