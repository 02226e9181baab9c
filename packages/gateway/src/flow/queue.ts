// From admission to the turn: what waits, what is answered together, what is said to a running turn, and what has to go.
import {
  toGatewayError,
  type Change,
  type Clock,
  type Ledger,
  type Logger,
  type OutboxItem,
  type RunOutcome,
  type RunRecord,
  type SessionEntry,
} from "@chela/sdk";
import { waitAtMost } from "../base/wait-at-most.ts";
import type { Commands, Recognition } from "../rooms/commands/room.ts";
import {
  isSteering,
  queueRule,
  type LaneJob,
  type Lanes,
  type QueueRule,
  type QueueSettings,
} from "../rooms/sessions/room.ts";
import { CommandsUnderWay } from "./commands/commands-under-way.ts";
import { isOwnWork, requesterOf, type MessageBody } from "./message-body.ts";
import { askerOf, canBeSaid, mayEnd, overflowNote, placeOf, queueFull, speakerOf } from "./queue-places.ts";
import type { NewDelivery } from "./reply/delivery.ts";
import type { Runs } from "./runs.ts";
import type { TurnEvent } from "./turn/events.ts";
import { aborted, failed, type StopCause } from "./turn/outcome.ts";
import type { Steered, TurnParts } from "./turn/parts.ts";

export interface TurnRunner {
  readonly commands: Commands;
  readonly runCommands: TurnParts["runCommands"];
  /** `others` came before it and are answered together with it. */
  turn(record: RunRecord, signal: AbortSignal, others: readonly RunRecord[]): Promise<RunOutcome>;
  /** A message that is for the gateway alone: it does not wait for its session's turn. */
  command(record: RunRecord): Promise<RunOutcome>;
}

export interface LineParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lanes: Lanes;
  readonly runs: Runs;
  /** How messages of this channel wait behind a running turn, unless their session says otherwise. */
  queueSettings(channel: string, entry: SessionEntry | undefined): QueueSettings;
  /** How long a first message waits for more: `messages.inbound.debounceMs`. */
  firstWaitMs(channel: string): number;
  /** What turns are made with. It is opened when the first message arrives, so that an idle gateway stays small. */
  workshop(): Promise<TurnRunner>;
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

/** What an errand is told while it is carried out. */
const SAID_MEANWHILE: Queue = {
  settings: { mode: "steer", debounceMs: 0, cap: Infinity, drop: "new" },
  rule: { mode: "steer", debounceMs: 0 },
};
/** How long a message waits for commands that were given before it. */
const COMMAND_PATIENCE_MS = 10_000;
/** The parts of an album come one after another. */
const ALBUM_WAIT_MS = 700;

export function createLine(parts: LineParts) {
  const { ledger, clock, log, lanes, runs } = parts;
  /** Runs that wait in their lane, by id. */
  const waiting = new Map<string, RunRecord>();
  const underWay = new CommandsUnderWay();

  function enqueue(record: RunRecord, queue: Queue | undefined, isResumed = false): Promise<RunOutcome> {
    const { runId, sessionKey } = record.message;
    const done = runs.begin(runId, sessionKey);
    if (isForGatewayAlone(record)) {
      const work = async () => (await parts.workshop()).command(record);
      underWay.add(sessionKey, runInLane([record], new AbortController().signal, work));
      return done;
    }
    const commands = isOwnWork(record.message.channel) ? undefined : underWay.pendingIn(sessionKey);
    // What an earlier process had room for is answered.
    if (queue && !isResumed && !makeRoom(record, queue.settings)) return done;
    waiting.set(runId, record);
    lanes.enqueue({
      runId,
      sessionKey,
      by: askerOf(record.message),
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
    if (isOwnWork(channel)) return body.errand?.isSaidMeanwhile ? SAID_MEANWHILE : undefined;
    if (record.state !== "queued" || isForGatewayAlone(record)) return undefined;
    const settings = parts.queueSettings(channel, await ledger.session(sessionKey));
    const holdMs = body.origin?.albumId ? ALBUM_WAIT_MS : body.origin ? parts.firstWaitMs(channel) : 0;
    const together = body.recognised ? undefined : placeOf(message);
    return {
      settings,
      rule: queueRule(settings, { holdMs, mayEnd: mayEnd(message), ...(together ? { together } : {}) }),
    };
  }

  /** When too much waits, something has to go; false when that is this message. */
  function makeRoom(record: RunRecord, { cap, drop }: QueueSettings): boolean {
    const { sessionKey } = record.message;
    if (lanes.waitingCount(sessionKey) < cap) return true;
    if (drop === "new") {
      void endUnstarted(record, queueFull(cap));
      return false;
    }
    const isAll = mayEnd(record.message) === "all";
    const oldest = lanes.takeOldest(sessionKey, ({ runId }) => isAll || !isOwners(waiting.get(runId)));
    if (!oldest) {
      void endUnstarted(record, queueFull(cap));
      return false;
    }
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

  return { queueFor, enqueue, takeSteering, settle, release: (sessionKey: string) => underWay.release(sessionKey) };
}

/** What an owner said does not have to go for what somebody else says. */
function isOwners(record: RunRecord | undefined): boolean {
  return record !== undefined && requesterOf(record.message, record.message.body as MessageBody).isOwner;
}

/** Commands, and directives without a text: a model would have nothing to answer. */
function isForGatewayAlone({ message }: RunRecord): boolean {
  const recognised = message.body["recognised"] as Recognition | undefined;
  return recognised?.kind === "command" || (recognised?.kind === "inline" && recognised.text === "");
}
