// The tool `process`: follows, feeds and ends the commands an agent left running in the background.
import * as z from "zod";
import {
  GatewayError,
  once,
  type Clock,
  type ExecGuard,
  type Parsed,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@chela/sdk";
import { orAborted } from "@chela/sdk/base";
import type { CommandOwner, CommandSession } from "./command-session.ts";
import { answer } from "./exec-results.ts";
import type { CommandSessions } from "./command-sessions.ts";
import { describeList, describeLog, describeState } from "./process-results.ts";
import { encodeHex, encodeKey, encodePaste } from "./keys.ts";

export interface ProcessToolParts {
  readonly guard: Pick<ExecGuard, "authorizeInput">;
  readonly clock: Clock;
  readonly sessions: CommandSessions;
  /** Whether a conversation may look into another one of its agent. Without it each knows its own commands alone. */
  sees?(caller: Pick<ToolContext, "agentId" | "sessionKey" | "requester">, sessionKey: string): Promise<boolean>;
}

const LONGEST_POLL_MS = 120_000;
/** Actions that change nothing. */
const LOOKS: ReadonlySet<unknown> = new Set(["list", "log", "poll"]);

const Parameters = once(() =>
  z.strictObject({
    action: z.enum(["list", "poll", "log", "write", "send-keys", "submit", "paste", "kill", "clear", "remove"]),
    sessionId: z.string().optional(),
    data: z.string().optional().describe("for write, submit"),
    keys: z.array(z.string()).optional().describe("Enter, Up, C-c, M-x …"),
    hex: z.array(z.string()).optional(),
    literal: z.string().optional().describe("for send-keys"),
    text: z.string().optional().describe("for paste"),
    bracketed: z.boolean().optional(),
    eof: z.boolean().optional().describe("close input after write"),
    offset: z.number().min(0).optional().describe("first line of log"),
    limit: z.number().min(1).optional(),
    timeout: z.number().min(0).optional().describe("ms poll waits for news"),
  }),
);
type Arguments = Parsed<typeof Parameters>;
/** Arguments of an action on one session. */
type SessionArguments = Arguments & { action: Exclude<Arguments["action"], "list"> };

export function processTool(parts: ProcessToolParts): Tool {
  const tool: Tool<ReturnType<typeof Parameters>> = {
    name: "process",
    label: "Process",
    description:
      "Follows and controls commands that exec left running: read output, type, end them. submit presses Enter; clear forgets an ended one.",
    family: "runtime",
    profiles: ["coding"],
    inSandbox: "allowed",
    told: 90,
    effects: ["exec"],
    keepsToSandbox: true,
    effectsOf: ({ action }) => (LOOKS.has(action) ? ["read"] : ["exec"]),
    parameters: Parameters,
    async run(args, context) {
      const all = parts.sessions.list(context.agentId).filter(({ owner }) => isWithinReach(owner, context));
      const starters = new Set(all.map(({ owner }) => owner.sessionKey));
      starters.delete(context.sessionKey);
      // Mostly there is nobody else, and nothing to wait for.
      const others = starters.size === 0 ? starters : await seenAmong(starters, parts, context);
      const own = all.filter(({ owner }) => owner.sessionKey === context.sessionKey || others.has(owner.sessionKey));
      const { action, ...details } = args;
      if (action === "list") return describeList(own);
      const session = findSession(args, own);
      return act(parts, session, { action, ...details }, context);
    },
  };
  return tool;
}

/** Where people share a conversation, one who is kept in a sandbox must not type into what an owner runs on the machine. */
function isWithinReach({ scope }: CommandOwner, { requester, sandbox }: ToolContext): boolean {
  return requester.standing === "owner" || scope === sandbox?.scope;
}

/** A guest of the agent, or a conversation in a sandbox, must not read or end what another one of them started. */
async function seenAmong(
  keys: ReadonlySet<string>,
  { sees }: ProcessToolParts,
  { agentId, sessionKey, requester }: ToolContext,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (const key of keys) if (await sees?.({ agentId, sessionKey, requester }, key)) seen.add(key);
  return seen;
}

function findSession({ action, sessionId }: Arguments, own: readonly CommandSession[]): CommandSession {
  const session = own.find(({ id }) => id === sessionId);
  if (session) return session;
  const known =
    own.length > 0 ? `Those that exist: ${own.map(({ id }) => id).join(", ")}.` : "There is none at present.";
  const what =
    sessionId === undefined ? `${action} needs a sessionId.` : `There is no session ${JSON.stringify(sessionId)}.`;
  throw new GatewayError("PROCESS_REQUEST", `${what} ${known}`);
}

async function act(
  parts: ProcessToolParts,
  session: CommandSession,
  args: SessionArguments,
  context: ToolContext,
): Promise<ToolOutput> {
  switch (args.action) {
    case "poll":
      await waitForNews(session, parts.clock, Math.min(args.timeout ?? 0, LONGEST_POLL_MS), context.signal);
      return describeState(session);
    case "log":
      return describeLog(session, args.offset, args.limit);
    case "write":
      return type(parts, session, args.data ?? "", context, args.eof === true);
    case "submit":
      // A terminal expects the Enter key; a program that reads a pipe expects the end of a line.
      return type(parts, session, `${args.data ?? ""}${session.hasTerminal ? "\r" : "\n"}`, context);
    case "paste":
      return type(parts, session, pasted(session, args), context);
    case "send-keys":
      return type(parts, session, typed(args), context);
    case "kill":
      await kill(session, context.signal);
      return describeState(session);
    case "clear":
      return clear(parts, session);
    case "remove":
      await kill(session, context.signal);
      parts.sessions.remove(session);
      return done(session, "ended and forgotten");
  }
}

/** Until something was printed, the command ended, the time is up, or the turn is stopped. */
function waitForNews(session: CommandSession, clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || session.exit || session.output.hasPending || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      cancelWait();
      cancelWatch();
      signal.removeEventListener("abort", settle);
      resolve();
    };
    const cancelWait = clock.after(ms, settle);
    const cancelWatch = session.onChange(settle);
    signal.addEventListener("abort", settle);
  });
}

/** What a command may take for commands is asked about like one. */
async function type(
  parts: ProcessToolParts,
  session: CommandSession,
  data: string | Buffer,
  context: ToolContext,
  closesInput = false,
): Promise<ToolOutput> {
  if (session.input === "free" || session.exit) return write(session, data, closesInput);
  const { agentId, sessionKey, runId, requester } = context;
  const { command, cwd, id: processId } = session;
  const text = typeof data === "string" ? data : data.toString("utf8");
  const decision = await parts.guard.authorizeInput(
    { command, cwd, processId, text, closesInput, agentId, sessionKey, runId, requester },
    {
      signal: context.signal,
      onPending: ({ id, expiresAtMs }) =>
        context.update("Waiting for approval …", {
          status: "approval-pending",
          approvalId: id,
          approvalSlug: id.slice(0, 8),
          expiresAtMs,
          host: "gateway",
          command,
          cwd,
        }),
    },
  );
  if (decision.kind === "denied") return answer(decision.why, { status: "denied", sessionId: processId }, true);
  if (decision.lasts) session.input = "free";
  return write(session, data, closesInput);
}

function write(session: CommandSession, data: string | Buffer, closeInput = false): ToolOutput {
  if (session.exit)
    throw new GatewayError("PROCESS_REQUEST", `Session ${session.id} has ended and takes no more input.`);
  const isTaken = (data.length === 0 || session.write(data)) && (!closeInput || session.closeInput());
  if (!isTaken) {
    const advice = "Only commands started with background or pty can be written to, until their input is closed.";
    throw new GatewayError("PROCESS_REQUEST", `Session ${session.id} takes no input. ${advice}`);
  }
  return done(session, `was sent ${Buffer.byteLength(data)} bytes${closeInput ? ", and its input was closed" : ""}`);
}

function pasted(session: CommandSession, { text, data, bracketed = true }: Arguments): string {
  const content = text ?? data;
  if (!content) throw new GatewayError("PROCESS_REQUEST", "paste needs text.");
  return bracketed && session.hasTerminal ? encodePaste(content) : content;
}

function typed({ literal = "", keys = [], hex = [] }: Arguments): Buffer {
  const data = Buffer.concat([Buffer.from(literal), Buffer.from(keys.map(encodeKey).join("")), ...hex.map(encodeHex)]);
  if (data.length === 0) throw new GatewayError("PROCESS_REQUEST", "send-keys needs keys, literal or hex.");
  return data;
}

async function kill(session: CommandSession, signal: AbortSignal): Promise<void> {
  session.stop("killed");
  await orAborted(session.ended, signal).catch(() => undefined);
}

function clear(parts: ProcessToolParts, session: CommandSession): ToolOutput {
  if (!session.exit) {
    throw new GatewayError("PROCESS_REQUEST", `Session ${session.id} is still running; remove ends and forgets it.`);
  }
  parts.sessions.remove(session);
  return done(session, "forgotten");
}

function done(session: CommandSession, what: string): ToolOutput {
  return answer(`Session ${session.id}: ${what}.`, { status: session.state, sessionId: session.id });
}
