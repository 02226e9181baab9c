// The way in: route, access, command, admission, lane. Every message walks these steps, whoever sent it.
import {
  GatewayError,
  toGatewayError,
  type Change,
  type Clock,
  type InboxMessage,
  type Ledger,
  type Logger,
  type OutboxItem,
  type RunOutcome,
  type RunRecord,
  type SessionEntry,
} from "@chela/sdk";
import { decideAccess, type Sender } from "../access/room.ts";
import { OneAtATime } from "../base/one-at-a-time.ts";
import { waitAtMost } from "../base/wait-at-most.ts";
import type { Commands, CommandSettings, Recognition } from "../commands/room.ts";
import { resolveRoute, type AgentsView, type KeyDefaults } from "../routing/room.ts";
import {
  isSteering,
  queueRule,
  type LaneJob,
  type Lanes,
  type QueueRule,
  type QueueSettings,
  type SessionStore,
} from "../sessions/room.ts";
import { CommandsUnderWay } from "./commands-under-way.ts";
import { CHORES, requesterOf, type MessageBody, type MessageOrigin } from "./message-body.ts";
import { canBeSaid, overflowNote, placeOf, queueFull, speakerOf } from "./queued-messages.ts";
import { ownReplyId, type NewDelivery } from "./reply-delivery.ts";
import type { Runs } from "./runs.ts";
import type { TurnEvent } from "./turn-events.ts";
import { aborted, failed, type StopCause } from "./turn-outcome.ts";
import type { Steered, TurnParts } from "./turn-parts.ts";

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

/** A message from a channel: its gate and its route were decided before. */
export interface ChannelMessage {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly route: AdmittedRoute;
  readonly body: MessageBody;
}

interface AdmittedRoute {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly matchedBy: string;
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
  /** `others` came before it and are answered together with it. */
  turn(record: RunRecord, signal: AbortSignal, others: readonly RunRecord[]): Promise<RunOutcome>;
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
  /** How messages of this channel wait behind a running turn, unless their session says otherwise. */
  queueSettings(channel: string, entry: SessionEntry | undefined): QueueSettings;
  /** How long a first message waits for more: `messages.inbound.debounceMs`. */
  firstWaitMs(channel: string): number;
  /** What the configuration says about answering in this session; `chatType` of a message from a channel. */
  sendPolicy(
    sessionKey: string,
    channel: string,
    entry: SessionEntry | undefined,
    chatType: MessageOrigin["chat"]["kind"] | undefined,
  ): "allow" | "deny";
  /** The model a person named behind /new. */
  chooseModel(sessionKey: string, ref: string): Promise<void>;
  /** What turns are made with. It is opened when the first message arrives, so that an idle gateway stays small. */
  workshop(): Promise<Workbench>;
  emit(event: TurnEvent): void;
  /** What is sent to a channel when a message could not be answered; nothing for our own clients, who are told. */
  errorReply(record: RunRecord, outcome: RunOutcome, at: number): Promise<ReadonlyArray<NewDelivery>>;
  deliver(item: OutboxItem): Promise<void>;
}

/** How a message waits, and among how many. */
interface Queue {
  readonly settings: QueueSettings;
  readonly rule: QueueRule;
}

/** What a bare /new or /reset asks the agent. */
const GREETING =
  "A new conversation begins. Greet the person in one or two sentences and ask what they would like to do.";
const RESET_WAIT_MS = 15_000;
/** How long a message waits for commands that were given before it. */
const COMMAND_PATIENCE_MS = 10_000;
/** The parts of an album come one after another. */
const ALBUM_WAIT_MS = 700;

export function createInbound(parts: InboundParts) {
  const { ledger, clock, log, sessions, lanes, runs } = parts;
  /** A repeated message must see what became of the first, or its /new would stop the answer to it. */
  const arrivals = new OneAtATime();
  /** Runs that wait in their lane, by id. */
  const waiting = new Map<string, RunRecord>();
  const underWay = new CommandsUnderWay();

  async function receive(message: Inbound): Promise<InboundOutcome> {
    const outcome = await arrivals.run(message.runId, () => decide(message));
    tellLog(message, outcome);
    return outcome;
  }

  /** The same way for somebody who writes in a channel. */
  async function receiveFromChannel(message: ChannelMessage): Promise<InboundOutcome> {
    const outcome = await arrivals.run(message.runId, () => walk(message, message.route, message.body));
    tellLog(message, outcome);
    return outcome;
  }

  function tellLog({ runId, channel }: { runId: string; channel: string }, outcome: InboundOutcome): void {
    log.info(`message ${outcome.kind}`, {
      run: runId,
      channel,
      ...(outcome.kind === "refused" ? { why: outcome.why } : {}),
      ...("sessionKey" in outcome ? { session: outcome.sessionKey } : {}),
    });
  }

  async function decide(message: Inbound): Promise<InboundOutcome> {
    const route = resolveRoute(message, parts.agents(), parts.keys());
    if (route.kind === "unroutable") return { kind: "refused", why: route.why };
    const access = decideAccess(message.sender, {});
    if (access.kind === "denied") return { kind: "refused", why: access.why };
    return walk(message, route, { ...message.body, sender: senderOf(message) });
  }

  async function walk(
    message: Pick<Inbound, "runId" | "channel" | "account" | "messageId">,
    route: AdmittedRoute,
    body: MessageBody,
  ): Promise<InboundOutcome> {
    const { sessionKey, agentId, matchedBy } = route;
    const { commands, runCommands } = await parts.workshop();
    const recognise = (of: MessageBody): Recognition =>
      commands.recognise(of.text, requesterOf(message, of), parts.commandSettings());
    const recognition = recognise(body);
    if (await isSilenced(sessionKey, message.channel, body, recognition)) {
      return { kind: "refused", why: "send blocked by session policy" };
    }
    const seen = await ledger.run(message.runId);
    if (seen) return duplicate(seen);
    if (recognition.kind === "stop") {
      // One that comes again must not stop what was asked for since.
      const isOld = await ledger.delivery(ownReplyId(message.runId));
      return isOld
        ? { kind: "ignored", sessionKey }
        : { kind: "stopped", sessionKey, runIds: stop(sessionKey, "stop") };
    }
    if (recognition.kind === "ignored") return { kind: "ignored", sessionKey };
    const { runId, channel, account, messageId } = message;
    const address = { runId, channel, account, messageId, agentId, sessionKey };
    const admitted = { ...address, body: { ...body, matchedBy }, admittedAt: clock.now() };
    return admit(await prepare(admitted, recognition, { recognise, runCommands }));
  }

  /** A session that is told to be silent still listens to commands: one of them lets it speak again. */
  async function isSilenced(
    sessionKey: string,
    channel: string,
    { origin }: MessageBody,
    recognition: Recognition,
  ): Promise<boolean> {
    if (recognition.kind === "command" || recognition.kind === "stop") return false;
    // The first message of a chat has no session yet that could say what kind of chat it is.
    return parts.sendPolicy(sessionKey, channel, await ledger.session(sessionKey), origin?.chat.kind) === "deny";
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
    const record: RunRecord = { message, state: "queued" };
    // What has to be read is read before anything is promised; behind the promise nothing can fail or change its place.
    const queue = await queueFor(record);
    const admission = await ledger.admit(message);
    if (admission.kind === "duplicate") return duplicate(admission.run);
    const { runId, sessionKey, admittedAt } = message;
    return { kind: "accepted", runId, sessionKey, acceptedAt: admittedAt, done: enqueue(record, queue) };
  }

  function duplicate(run: RunRecord): InboundOutcome {
    const done = runs.waitFor(run.message.runId);
    return { kind: "duplicate", run, ...(done ? { done } : {}) };
  }

  function enqueue(record: RunRecord, queue: Queue | undefined, isResumed = false): Promise<RunOutcome> {
    const { runId, sessionKey } = record.message;
    const done = runs.begin(runId, sessionKey);
    if (isForGatewayAlone(record)) {
      const work = async () => (await parts.workshop()).command(record);
      underWay.add(sessionKey, runInLane([record], new AbortController().signal, work));
      return done;
    }
    const commands = record.message.channel === CHORES ? undefined : underWay.pendingIn(sessionKey);
    // What an earlier process had room for is answered.
    if (queue && !isResumed && !makeRoom(record, queue.settings)) return done;
    waiting.set(runId, record);
    lanes.enqueue({
      runId,
      sessionKey,
      ...(queue ? { queue: queue.rule } : {}),
      run: (signal, others) => startTurn(record, others.map(recordOf), signal, commands),
      dropped: (reason) => void endUnstarted(recordOf({ runId }), aborted(String(reason))),
    });
    return done;
  }

  /** Messages of the same person at the same place may be answered together. */
  async function queueFor(record: RunRecord): Promise<Queue | undefined> {
    const { message } = record;
    const { channel, sessionKey } = message;
    const body = message.body as MessageBody;
    if (record.state !== "queued" || channel === CHORES || isForGatewayAlone(record)) return undefined;
    const settings = parts.queueSettings(channel, await ledger.session(sessionKey));
    const holdMs = body.origin?.albumId ? ALBUM_WAIT_MS : body.origin ? parts.firstWaitMs(channel) : 0;
    const together = body.recognised ? undefined : placeOf(message);
    return { settings, rule: queueRule(settings, { holdMs, ...(together ? { together } : {}) }) };
  }

  /** When too much waits, something has to go; false when that is this message. */
  function makeRoom(record: RunRecord, { cap, drop }: QueueSettings): boolean {
    const { sessionKey } = record.message;
    if (lanes.waitingCount(sessionKey) < cap) return true;
    if (drop === "new") {
      void endUnstarted(record, queueFull(cap));
      return false;
    }
    const oldest = lanes.takeOldest(sessionKey);
    if (!oldest) return true;
    const dropped = recordOf(oldest);
    const note = drop === "summarize" ? [overflowNote(dropped, clock.now())] : [];
    void endUnstarted(dropped, aborted("queue-overflow"), { changes: note });
    return true;
  }

  function recordOf({ runId }: { readonly runId: string }): RunRecord {
    const record = waiting.get(runId);
    waiting.delete(runId);
    if (!record) throw new TypeError(`run ${runId} does not wait`);
    return record;
  }

  /** What was said to a running turn by the person it answers. Somebody else's word waits for a turn of its own. */
  function takeSteering({ message }: RunRecord): Steered[] {
    const speaker = speakerOf(message);
    let isInOrder = true;
    const isOurs = ({ runId, queue }: LaneJob): boolean => {
      const record = waiting.get(runId);
      if (!record || speakerOf(record.message) !== speaker) return false;
      // What needs a turn of its own is not overtaken by what the same person said behind it.
      isInOrder &&= isSteering(queue) && canBeSaid(record.message);
      return isInOrder;
    };
    return lanes.takeSteering(message.sessionKey, isOurs).map(({ runId, queue }) => {
      const record = waiting.get(runId) as RunRecord;
      const isDone = !queue?.staysInQueue;
      if (isDone) waiting.delete(runId);
      return { record, isDone };
    });
  }

  /** A run whose end was committed with another turn's step. */
  function settle({ message }: RunRecord, outcome: RunOutcome): void {
    const { runId, sessionKey } = message;
    parts.emit({ kind: "turn-ended", runId, sessionKey, endedAt: clock.now(), outcome, hasReply: false });
    runs.end(runId, outcome);
  }

  /** `commands` were given before it. */
  function startTurn(
    record: RunRecord,
    others: readonly RunRecord[],
    signal: AbortSignal,
    commands: Promise<unknown> | undefined,
  ): Promise<void> {
    waiting.delete(record.message.runId);
    return runInLane([...others, record], signal, async () => {
      if (commands) await waitAtMost(COMMAND_PATIENCE_MS, commands, clock);
      return (await parts.workshop()).turn(record, signal, others);
    });
  }

  /** One of the places where failures are caught: whatever a turn throws becomes the outcome of all it answers. */
  async function runInLane(
    records: readonly RunRecord[],
    signal: AbortSignal,
    work: () => Promise<RunOutcome>,
  ): Promise<void> {
    try {
      const outcome = await work();
      for (const { message } of records) runs.end(message.runId, outcome);
    } catch (thrown) {
      if (signal.aborted && signal.reason === ("shutdown" satisfies StopCause)) {
        // Unfinished in the ledger: the next start takes them up.
        for (const { message } of records) runs.end(message.runId, aborted("shutdown"));
        return;
      }
      const error = toGatewayError(thrown, "TURN_FAILED");
      for (const record of records) {
        const { runId, sessionKey } = record.message;
        log.error("turn failed", { run: runId, session: sessionKey, code: error.code, error: error.stack });
        // They were to be answered together, so they are told together.
        await endUnstarted(record, failed(error), { isTold: record === records.at(-1) });
      }
    }
  }

  /** Never rejects. */
  async function endUnstarted(
    record: RunRecord,
    outcome: RunOutcome,
    { changes = [], isTold = true }: { readonly changes?: readonly Change[]; readonly isTold?: boolean } = {},
  ): Promise<void> {
    const { runId, sessionKey } = record.message;
    const at = clock.now();
    try {
      const reply = outcome.status === "error" && isTold ? await parts.errorReply(record, outcome, at) : [];
      const rows = reply.map((item): Change => ({ kind: "outbox-add", item }));
      await ledger.commit([{ kind: "turn-end", runId, at, outcome }, ...rows, ...changes]);
      for (const item of reply) await parts.deliver({ ...item, attempts: 0, state: "pending" });
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

  /** Stops what was asked for before this message. What came behind it is none of its business. */
  async function stopEarlier({ sessionKey, admittedAt }: InboxMessage): Promise<void> {
    for (const runId of lanes.runIds(sessionKey)) {
      const run = await ledger.run(runId);
      if (run && run.message.admittedAt < admittedAt) stop(sessionKey, "stop", runId);
    }
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
    for (const record of unfinished) void enqueue(record, await queueFor(record), true);
    if (unfinished.length > 0) log.info("taking up unanswered messages", { count: unfinished.length });
    return unfinished.length;
  }

  /** What nobody sent: admitted and run like a message, once per run id, and never taken for a command. */
  async function chore(work: Omit<InboxMessage, "channel" | "account" | "messageId" | "admittedAt">) {
    const { runId } = work;
    const message = { ...work, channel: CHORES, account: "default", messageId: runId, admittedAt: clock.now() };
    underWay.release(work.sessionKey);
    return admit(message);
  }

  return { receive, receiveFromChannel, takeSteering, settle, stop, stopEarlier, reset, resume, chore };
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
