// The way in: route, access, command, admission, lane. Every message walks these steps, whoever sent it.
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
import { OneAtATime } from "../base/one-at-a-time.ts";
import type { Commands, CommandSettings, Recognition } from "../commands/room.ts";
import { resolveRoute, type AgentsView, type KeyDefaults } from "../routing/room.ts";
import type { Lanes, SessionStore } from "../sessions/room.ts";
import { CHORES, requesterOf, type MessageBody } from "./message-body.ts";
import type { Runs } from "./runs.ts";
import type { TurnEvent } from "./turn-events.ts";
import { failed, type StopCause } from "./turn-outcome.ts";
import type { TurnParts } from "./turn-parts.ts";

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
  /** A command of somebody who may not give it: no answer, so that nobody learns what exists. */
  | { readonly kind: "ignored"; readonly sessionKey: string }
  | { readonly kind: "refused"; readonly why: string };

export interface Workbench {
  readonly commands: Commands;
  readonly runCommands: TurnParts["runCommands"];
  turn(record: RunRecord, signal: AbortSignal): Promise<RunOutcome>;
  /** A message that is for the gateway alone: it does not wait for its session's turn. */
  command(record: RunRecord): Promise<RunOutcome>;
}

export interface InboundParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessions: SessionStore;
  readonly lanes: Lanes;
  readonly runs: Runs;
  agents(): AgentsView;
  keys(): KeyDefaults;
  commandSettings(): CommandSettings;
  /** The model a person named behind /new. */
  chooseModel(sessionKey: string, ref: string): Promise<void>;
  /** What turns are made with. It is opened when the first message arrives, so that an idle gateway stays small. */
  workshop(): Promise<Workbench>;
  emit(event: TurnEvent): void;
}

/** What a bare /new or /reset asks the agent. */
const GREETING =
  "A new conversation begins. Greet the person in one or two sentences and ask what they would like to do.";
const RESET_WAIT_MS = 15_000;

export function createInbound(parts: InboundParts) {
  const { ledger, clock, log, sessions, lanes, runs } = parts;
  /** A repeated message must see what became of the first, or its /new would stop the answer to it. */
  const arrivals = new OneAtATime();

  async function receive(message: Inbound): Promise<InboundOutcome> {
    const outcome = await arrivals.run(message.runId, () => decide(message));
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
    const { sessionKey } = route;
    const body: MessageBody = { ...message.body, sender: senderOf(message) };
    const { commands, runCommands } = await parts.workshop();
    const recognise = (of: MessageBody): Recognition =>
      commands.recognise(of.text, requesterOf(message, of), parts.commandSettings());
    const recognition = recognise(body);
    const access = decideAccess(message.sender, await sendPolicyOf(sessionKey, recognition));
    if (access.kind === "denied") return { kind: "refused", why: access.why };
    const seen = await ledger.run(message.runId);
    if (seen) return duplicate(seen);
    if (recognition.kind === "stop") return { kind: "stopped", sessionKey, runIds: stop(sessionKey, "stop") };
    if (recognition.kind === "ignored") return { kind: "ignored", sessionKey };
    const { runId, channel, account, messageId } = message;
    const address = { runId, channel, account, messageId, agentId: route.agentId, sessionKey };
    const admittedAt = clock.now();
    const withRoute = { ...body, matchedBy: route.matchedBy };
    return admit(await prepare({ ...address, body: withRoute, admittedAt }, recognition, { recognise, runCommands }));
  }

  /** A session that is told to be silent still listens to commands: one of them lets it speak again. */
  async function sendPolicyOf(
    sessionKey: string,
    recognition: Recognition,
  ): Promise<{ sendPolicy?: "allow" | "deny" }> {
    if (recognition.kind === "command") return {};
    const entry = await ledger.session(sessionKey);
    return entry?.sendPolicy ? { sendPolicy: entry.sendPolicy } : {};
  }

  /** A new start is made at once; what was written behind it may hold directives of its own. */
  async function prepare(
    message: InboxMessage & { body: MessageBody },
    recognition: Recognition,
    { recognise, runCommands }: { recognise(of: MessageBody): Recognition } & Pick<Workbench, "runCommands">,
  ): Promise<InboxMessage> {
    const { body, sessionKey } = message;
    if (recognition.kind === "text") return message;
    const recognised = { ...message, body: { ...body, recognised: { ...recognition } } };
    if (recognition.kind !== "command" || !["new", "reset"].includes(recognition.call.name)) return recognised;
    const { outcome } = await runCommands({ message: recognised, state: "queued" }, recognised.body);
    if (outcome.kind !== "reset") return recognised;
    await reset(sessionKey);
    if (outcome.model) await parts.chooseModel(sessionKey, outcome.model);
    const rest = { ...body, text: outcome.rest || GREETING };
    const more = recognise(rest);
    return { ...message, body: more.kind === "inline" ? { ...rest, recognised: { ...more } } : rest };
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
    if (isForGatewayAlone(record)) {
      void runInLane(record, new AbortController().signal, async () => (await parts.workshop()).command(record));
      return done;
    }
    lanes.enqueue({
      runId,
      sessionKey,
      run: (signal) => runInLane(record, signal, async () => (await parts.workshop()).turn(record, signal)),
      dropped: (reason) => void endUnstarted(record, { status: "aborted", texts: [], stopReason: String(reason) }),
    });
    return done;
  }

  /** One of the places where failures are caught: whatever a turn throws becomes its outcome. */
  async function runInLane(record: RunRecord, signal: AbortSignal, work: () => Promise<RunOutcome>): Promise<void> {
    const { runId, sessionKey } = record.message;
    try {
      runs.end(runId, await work());
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
    // Nobody is told of the gateway's own work.
    const isChore = record.message.body["chore"] !== undefined;
    if (!isChore) parts.emit({ kind: "turn-ended", runId, sessionKey, endedAt: at, outcome, hasReply: false });
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

  /** What nobody sent: admitted and run like a message, once per run id, and never taken for a command. */
  async function chore(work: Omit<InboxMessage, "channel" | "account" | "messageId" | "admittedAt">) {
    const { runId } = work;
    const message = { ...work, channel: CHORES, account: "default", messageId: runId, admittedAt: clock.now() };
    return admit(message);
  }

  return { receive, stop, reset, resume, chore };
}

function senderOf({ sender, body }: Inbound): NonNullable<MessageBody["sender"]> {
  const { scopes } = sender;
  const isOwner = scopes.includes("operator.admin");
  return {
    kind: "operator",
    id: body.client?.id ?? "",
    ...(body.client?.name ? { name: body.client.name } : {}),
    isOwner,
    isAuthorised: isOwner || scopes.includes("operator.write"),
    canApprove: isOwner || scopes.includes("operator.approvals"),
  };
}

/** Commands, and directives without a text: a model would have nothing to answer. */
function isForGatewayAlone({ message }: RunRecord): boolean {
  const recognised = message.body["recognised"] as Recognition | undefined;
  return recognised?.kind === "command" || (recognised?.kind === "inline" && recognised.text === "");
}

export type InboundFlow = ReturnType<typeof createInbound>;
