// The way in: access, route, command, admission, lane. Every message walks these steps, whoever sent it.
import {
  GatewayError,
  toGatewayError,
  type Clock,
  type InboxMessage,
  type Ledger,
  type Logger,
  type RunOutcome,
  type RunRecord,
} from "@chela/sdk";
import { decideAccess, type Sender } from "../access/room.ts";
import { matchCommand } from "../commands/room.ts";
import { resolveRoute, type AgentsView, type KeyDefaults } from "../routing/room.ts";
import type { Lanes, SessionStore } from "../sessions/room.ts";
import type { MessageBody } from "./message-body.ts";
import type { Runs } from "./runs.ts";
import type { TurnEvent } from "./turn-events.ts";
import { failed, type StopCause } from "./turn-outcome.ts";

export interface Inbound {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly sender: Sender;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly body: MessageBody;
}

export type InboundOutcome =
  /** Committed: it will be answered, whatever happens to this process. */
  | {
      readonly kind: "accepted";
      readonly runId: string;
      readonly sessionKey: string;
      readonly acceptedAt: number;
      readonly done: Promise<RunOutcome>;
    }
  /** `done` is there while the first one is still under way. */
  | { readonly kind: "duplicate"; readonly run: RunRecord; readonly done?: Promise<RunOutcome> }
  | { readonly kind: "stopped"; readonly sessionKey: string; readonly runIds: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

export interface InboundParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessions: SessionStore;
  readonly lanes: Lanes;
  readonly runs: Runs;
  agents(): AgentsView;
  keys(): KeyDefaults;
  resetTriggers(): readonly string[];
  turn(record: RunRecord, signal: AbortSignal): Promise<RunOutcome>;
  emit(event: TurnEvent): void;
}

/** What a bare /new or /reset asks the agent. */
const GREETING =
  "A new conversation begins. Greet the person in one or two sentences and ask what they would like to do.";
const RESET_WAIT_MS = 15_000;

export function createInbound(parts: InboundParts) {
  const { ledger, clock, log, sessions, lanes, runs } = parts;

  async function receive(message: Inbound): Promise<InboundOutcome> {
    const outcome = await decide(message);
    log.info(`message ${outcome.kind}`, {
      run: message.runId,
      channel: message.channel,
      ...(outcome.kind === "refused" ? { why: outcome.why } : {}),
      ...("sessionKey" in outcome ? { session: outcome.sessionKey } : {}),
    });
    return outcome;
  }

  async function decide(message: Inbound): Promise<InboundOutcome> {
    const route = resolveRoute(message, parts.agents(), parts.keys());
    if (route.kind === "unroutable") return { kind: "refused", why: route.why };
    const { sessionKey, agentId } = route;
    const entry = await ledger.session(sessionKey);
    const access = decideAccess(message.sender, entry?.sendPolicy ? { sendPolicy: entry.sendPolicy } : {});
    if (access.kind === "denied") return { kind: "refused", why: access.why };
    const seen = await ledger.run(message.runId);
    if (seen) return duplicate(seen);
    const command = matchCommand(message.body.text, parts.resetTriggers());
    if (command.kind === "stop") return { kind: "stopped", sessionKey, runIds: stop(sessionKey, "stop") };
    let { body } = message;
    if (command.kind === "reset") {
      await reset(sessionKey);
      body = { ...body, text: command.rest || GREETING };
    }
    return admit({
      runId: message.runId,
      channel: message.channel,
      account: message.account,
      messageId: message.messageId,
      agentId,
      sessionKey,
      body,
      admittedAt: clock.now(),
    });
  }

  async function admit(message: InboxMessage): Promise<InboundOutcome> {
    const admission = await ledger.admit(message);
    if (admission.kind === "duplicate") return duplicate(admission.run);
    const { runId, sessionKey, admittedAt } = message;
    const done = enqueue({ message, state: "queued" });
    return { kind: "accepted", runId, sessionKey, acceptedAt: admittedAt, done };
  }

  function duplicate(run: RunRecord): InboundOutcome {
    const done = runs.waitFor(run.message.runId);
    return { kind: "duplicate", run, ...(done ? { done } : {}) };
  }

  function enqueue(record: RunRecord): Promise<RunOutcome> {
    const { runId, sessionKey } = record.message;
    const done = runs.begin(runId, sessionKey);
    lanes.enqueue({
      runId,
      sessionKey,
      run: (signal) => runInLane(record, signal),
      dropped: (reason) => void endUnstarted(record, { status: "aborted", texts: [], stopReason: String(reason) }),
    });
    return done;
  }

  /** One of the places where failures are caught: whatever a turn throws becomes its outcome. */
  async function runInLane(record: RunRecord, signal: AbortSignal): Promise<void> {
    const { runId, sessionKey } = record.message;
    try {
      runs.end(runId, await parts.turn(record, signal));
    } catch (thrown) {
      if (signal.aborted && signal.reason === ("shutdown" satisfies StopCause)) {
        // Unfinished in the ledger: the next start takes it up.
        runs.end(runId, { status: "aborted", texts: [], stopReason: "shutdown" });
        return;
      }
      const error = toGatewayError(thrown, "TURN_FAILED");
      log.error("turn failed", { run: runId, session: sessionKey, code: error.code, error: error.stack });
      await endUnstarted(record, failed(error));
    }
  }

  async function endUnstarted(record: RunRecord, outcome: RunOutcome): Promise<void> {
    const { runId, sessionKey } = record.message;
    const at = clock.now();
    try {
      await ledger.commit([{ kind: "turn-end", runId, at, outcome }]);
    } catch (error) {
      log.error("the end of a turn could not be written; it will be run again at the next start", {
        run: runId,
        error,
      });
    }
    parts.emit({ kind: "turn-ended", runId, sessionKey, endedAt: at, outcome });
    runs.end(runId, outcome);
  }

  function stop(sessionKey: string, cause: StopCause, runId?: string): string[] {
    return lanes.stop(sessionKey, cause, runId);
  }

  /** Stops what runs in the session, waits for it, and starts the session anew. */
  async function reset(sessionKey: string) {
    stop(sessionKey, "rpc");
    const waited = await Promise.race([
      lanes.settled(sessionKey).then(() => true),
      new Promise<boolean>((resolve) => clock.after(RESET_WAIT_MS, () => resolve(false))),
    ]);
    if (!waited) throw new GatewayError("PROTOCOL_UNAVAILABLE", `session ${sessionKey} is still active`);
    return sessions.reset(sessionKey);
  }

  /** After a start: every message that was accepted and not answered goes back into its lane, in order. */
  async function resume(): Promise<number> {
    const unfinished = await ledger.unfinishedRuns();
    for (const record of unfinished) void enqueue(record);
    if (unfinished.length > 0) log.info("taking up unanswered messages", { count: unfinished.length });
    return unfinished.length;
  }

  return { receive, stop, reset, resume };
}

export type InboundFlow = ReturnType<typeof createInbound>;
