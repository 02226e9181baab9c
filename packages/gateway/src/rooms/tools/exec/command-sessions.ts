// Keeps the commands that run, and for a while those that ran; each agent knows its own only.
import { conversationKind, GatewayError, type Clock, type Ids, type Logger } from "@chela/sdk";
import { chooseName } from "./command-name.ts";
import { CommandSession, type CommandOptions, type CommandOwner } from "./command-session.ts";
import type { ExecSettings, ExitNotice } from "./parts.ts";

const MOST_PER_AGENT = 64;
const SHORTEST_STAY_MS = 60_000;
const LONGEST_STAY_MS = 3 * 3_600_000;
const NOTICE_TAIL_CHARS = 400;

export interface CommandSessionsParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  settings(agentId: string): ExecSettings;
  notifyExit(notice: ExitNotice): void;
}

export interface CommandSessions {
  /** Starts the plan at once. The caller waits for it, or hands it over with `detach`. */
  start(options: CommandOptions): CommandSession;
  /** From now on the tool `process` shows the command, and its end is told. */
  detach(session: CommandSession): void;
  /** The background commands of one agent, oldest first. */
  list(agentId: string): CommandSession[];
  /** Forgets a command; it should have ended. */
  remove(session: CommandSession): void;
  /** Ends everything that still runs and takes nothing new. */
  close(): Promise<void>;
}

export function createCommandSessions(parts: CommandSessionsParts): CommandSessions {
  const { clock, ids, log } = parts;
  const sessions = new Map<string, CommandSession>();
  /** Cancels the planned removal of a command that has ended. */
  const expiries = new Map<CommandSession, () => void>();
  let isClosed = false;
  const ofAgent = (agentId: string) => [...sessions.values()].filter(({ owner }) => owner.agentId === agentId);

  const remove = (session: CommandSession): void => {
    expiries.get(session)?.();
    expiries.delete(session);
    // The name may belong to a newer command by now.
    if (sessions.get(session.id) === session) sessions.delete(session.id);
  };
  const makeRoom = (agentId: string): void => {
    const own = ofAgent(agentId);
    if (own.length < MOST_PER_AGENT) return;
    const oldest = own.find(({ state }) => state !== "running");
    if (oldest) return remove(oldest);
    throw new GatewayError(
      "EXEC_UNAVAILABLE",
      `${MOST_PER_AGENT} commands of this agent are still running. End some with the tool process, action kill, and call again.`,
    );
  };

  const settle = (session: CommandSession): void => {
    const { agentId, sessionKey } = session.owner;
    log.info("command ended", { agentId, sessionKey, process: session.id, ...session.exit });
    if (!session.isBackground) return remove(session);
    tellOfEnd(session);
    // It may have been forgotten while it was being killed.
    if (sessions.get(session.id) !== session) return;
    const stayMs = Math.min(Math.max(parts.settings(agentId).cleanupMs, SHORTEST_STAY_MS), LONGEST_STAY_MS);
    expiries.set(
      session,
      clock.after(stayMs, () => remove(session)),
    );
  };
  const tellOfEnd = (session: CommandSession): void => {
    const { notifyOnExit, notifyOnExitEmptySuccess } = parts.settings(session.owner.agentId);
    const isSilentSuccess = session.state === "completed" && session.output.isBlank;
    const isOurDoing = session.stopReason === "killed" || session.stopReason === "gateway-stop";
    if (!notifyOnExit || isOurDoing || (isSilentSuccess && !notifyOnExitEmptySuccess)) return;
    const { exitCode = null } = session.exit ?? {};
    parts.notifyExit({ ...session.owner, processId: session.id, exitCode, text: noticeOf(session) });
  };

  return {
    start(options) {
      if (isClosed) throw new GatewayError("EXEC_UNAVAILABLE", "The gateway is stopping and starts no more commands.");
      makeRoom(options.owner.agentId);
      const session = new CommandSession(
        chooseName(ids, (name) => sessions.has(name)),
        clock,
        options,
      );
      sessions.set(session.id, session);
      const { agentId, sessionKey } = options.owner;
      log.info("command started", { agentId, sessionKey, process: session.id, pid: session.pid });
      void session.ended.then(() => settle(session));
      return session;
    },
    detach: (session) => void (session.isBackground = true),
    list: (agentId) => ofAgent(agentId).filter(({ isBackground }) => isBackground),
    remove,
    async close() {
      isClosed = true;
      const running = [...sessions.values()].filter(({ state }) => state === "running");
      for (const session of running) session.stop("gateway-stop");
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

/** Where others take part, what somebody had printed is not told among what the gateway says; the tool process shows it. */
function mayBeQuoted({ standing, sessionKey }: CommandOwner): boolean {
  return standing === "owner" || conversationKind(sessionKey) === "direct";
}

function noticeOf(session: CommandSession): string {
  const { exitCode, signal } = session.exit ?? { exitCode: null, signal: null };
  const how = exitCode === null ? `signal ${signal ?? "unknown"}` : `code ${exitCode}`;
  const head = `Exec ${session.state} (${session.id.slice(0, 8)}, ${how})`;
  const tail = mayBeQuoted(session.owner) ? session.output.tail(NOTICE_TAIL_CHARS).trim() : "";
  return tail ? `${head} :: ${tail}` : head;
}
