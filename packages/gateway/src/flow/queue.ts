// Queue: from admission to the turn. What waits, what is answered together, what is said to a running turn, and what has to go.
import { toGatewayError, type Change, type RunOutcome, type RunRecord, type SessionEntry } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import type { House } from "../house/house.ts";
import type { Commands, Recognition } from "../rooms/commands/room.ts";
import { firstWaitMs } from "../rooms/config/room.ts";
import {
  isSteering,
  queueRule,
  queueSettings,
  type LaneJob,
  type QueueRule,
  type QueueSettings,
} from "../rooms/sessions/room.ts";
import { CommandsUnderWay } from "./commands/commands-under-way.ts";
import { isOwnWork, requesterOf, type MessageBody } from "./message-body.ts";
import { askerOf, canBeSaid, mayEnd, overflowNote, placeOf, queueFull, speakerOf } from "./queue-places.ts";
import type { NewDelivery } from "./reply/delivery.ts";
import { writeReply } from "./reply/write-reply.ts";
import { aborted, failed, type StopCause } from "./turn/outcome.ts";
import type { Steered, TurnKit as TurnParts } from "./turn/kit.ts";

export interface TurnRunner {
  readonly commands: Commands;
  readonly runCommands: TurnParts["runCommands"];
  /** `others` came before it and are answered together with it. */
  turn(record: RunRecord, signal: AbortSignal, others: readonly RunRecord[]): Promise<RunOutcome>;
  /** A message that is for the gateway alone: it does not wait for its session's turn. */
  command(record: RunRecord): Promise<RunOutcome>;
}

/** How a message waits, and among how many. */
interface QueuePlace {
  readonly settings: QueueSettings;
  readonly rule: QueueRule;
}

/** What an errand is told while it is carried out. */
const SAID_MEANWHILE: QueuePlace = {
  settings: { mode: "steer", debounceMs: 0, cap: Infinity, drop: "new" },
  rule: { mode: "steer", debounceMs: 0 },
};
/** How long a message waits for commands that were given before it. */
const COMMAND_PATIENCE_MS = 10_000;
const WEBCHAT = "webchat";
/** The parts of an album come one after another. */
const ALBUM_WAIT_MS = 700;

/** From admission to the turn. */
export class Queue {
  readonly #house: House;
  /** Runs that wait in their lane, by id. */
  readonly #waiting = new Map<string, RunRecord>();
  readonly #underWay = new CommandsUnderWay();

  constructor(house: House) {
    this.#house = house;
  }

  enqueue(record: RunRecord, queue: QueuePlace | undefined, isResumed = false): Promise<RunOutcome> {
    const { runId, sessionKey } = record.message;
    const done = this.#house.runs.begin(runId, sessionKey);
    if (isForGatewayAlone(record)) {
      const work = async () => (await this.#house.turnServices()).command(record);
      this.#underWay.add(sessionKey, this.#runInLane([record], new AbortController().signal, work));
      return done;
    }
    const commands = isOwnWork(record.message.channel) ? undefined : this.#underWay.pendingIn(sessionKey);
    // What an earlier process had room for is answered.
    if (queue && !isResumed && !this.#makeRoom(record, queue.settings)) return done;
    this.#waiting.set(runId, record);
    this.#house.lanes.enqueue({
      runId,
      sessionKey,
      by: askerOf(record.message),
      ...(queue ? { queue: queue.rule } : {}),
      run: (signal, others) =>
        this.#startTurn(
          record,
          others.map((one) => this.#recordOf(one)),
          signal,
          commands,
        ),
      dropped: (reason) => void this.#endUnstarted(this.#recordOf({ runId }), aborted(String(reason))),
    });
    return done;
  }

  /** Messages of the same person at the same place may be answered together. */
  async placeFor(record: RunRecord): Promise<QueuePlace | undefined> {
    const { message } = record;
    const { channel, sessionKey } = message;
    const body = message.body as MessageBody;
    if (isOwnWork(channel)) return body.errand?.isSaidMeanwhile ? SAID_MEANWHILE : undefined;
    if (record.state !== "queued" || isForGatewayAlone(record)) return undefined;
    const settings = this.#settingsFor(channel, await this.#house.ledger.session(sessionKey));
    const holdMs = body.origin?.albumId
      ? ALBUM_WAIT_MS
      : body.origin
        ? firstWaitMs(this.#house.config.current(), channel)
        : 0;
    const together = body.recognised ? undefined : placeOf(message);
    return {
      settings,
      rule: queueRule(settings, { holdMs, mayEnd: mayEnd(message), ...(together ? { together } : {}) }),
    };
  }

  /** When too much waits, something has to go; false when that is this message. */
  #makeRoom(record: RunRecord, { cap, drop }: QueueSettings): boolean {
    const { sessionKey } = record.message;
    if (this.#house.lanes.waitingCount(sessionKey) < cap) return true;
    if (drop === "new") {
      void this.#endUnstarted(record, queueFull(cap));
      return false;
    }
    const isAll = mayEnd(record.message) === "all";
    const oldest = this.#house.lanes.takeOldest(
      sessionKey,
      ({ runId }) => isAll || !isOwners(this.#waiting.get(runId)),
    );
    if (!oldest) {
      void this.#endUnstarted(record, queueFull(cap));
      return false;
    }
    const dropped = this.#recordOf(oldest);
    const note = drop === "summarize" ? [overflowNote(dropped, this.#house.clock.now())] : [];
    void this.#endUnstarted(dropped, aborted("queue-overflow"), { changes: note });
    return true;
  }

  #recordOf({ runId }: { readonly runId: string }): RunRecord {
    const record = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    if (!record) throw new TypeError(`run ${runId} does not wait`);
    return record;
  }

  /** What was said to a running turn by the person it answers. Somebody else's word waits for a turn of its own. */
  takeSteering({ message }: RunRecord): Steered[] {
    const speaker = speakerOf(message);
    let isInOrder = true;
    const isOurs = ({ runId, queue }: LaneJob): boolean => {
      const record = this.#waiting.get(runId);
      if (!record || speakerOf(record.message) !== speaker) return false;
      // What needs a turn of its own is not overtaken by what the same person said behind it.
      isInOrder &&= isSteering(queue) && canBeSaid(record.message);
      return isInOrder;
    };
    return this.#house.lanes.takeSteering(message.sessionKey, isOurs).map(({ runId, queue }) => {
      const record = this.#waiting.get(runId) as RunRecord;
      const isDone = !queue?.staysInQueue;
      if (isDone) this.#waiting.delete(runId);
      return { record, isDone };
    });
  }

  /** A run whose end was committed with another turn's step. */
  settle({ message }: RunRecord, outcome: RunOutcome): void {
    const { runId, sessionKey } = message;
    this.#house.bus.emit({
      kind: "turn-ended",
      runId,
      sessionKey,
      endedAt: this.#house.clock.now(),
      outcome,
      hasReply: false,
    });
    this.#house.runs.end(runId, outcome);
  }

  /** `commands` were given before it. */
  #startTurn(
    record: RunRecord,
    others: readonly RunRecord[],
    signal: AbortSignal,
    commands: Promise<unknown> | undefined,
  ): Promise<void> {
    this.#waiting.delete(record.message.runId);
    return this.#runInLane([...others, record], signal, async () => {
      if (commands) await waitAtMost(COMMAND_PATIENCE_MS, commands, this.#house.clock);
      return (await this.#house.turnServices()).turn(record, signal, others);
    });
  }

  /** One of the places where failures are caught: whatever a turn throws becomes the outcome of all it answers. */
  async #runInLane(records: readonly RunRecord[], signal: AbortSignal, work: () => Promise<RunOutcome>): Promise<void> {
    try {
      const outcome = await work();
      for (const { message } of records) this.#house.runs.end(message.runId, outcome);
    } catch (thrown) {
      if (signal.aborted && signal.reason === ("shutdown" satisfies StopCause)) {
        // Unfinished in the ledger: the next start takes them up.
        for (const { message } of records) this.#house.runs.end(message.runId, aborted("shutdown"));
        return;
      }
      const error = toGatewayError(thrown, "TURN_FAILED");
      for (const record of records) {
        const { runId, sessionKey } = record.message;
        this.#house.log.error("turn failed", { run: runId, session: sessionKey, code: error.code, error: error.stack });
        // They were to be answered together, so they are told together.
        await this.#endUnstarted(record, failed(error), { isTold: record === records.at(-1) });
      }
    }
  }

  /** Never rejects. */
  async #endUnstarted(
    record: RunRecord,
    outcome: RunOutcome,
    { changes = [], isTold = true }: { readonly changes?: readonly Change[]; readonly isTold?: boolean } = {},
  ): Promise<void> {
    const { runId, sessionKey } = record.message;
    const at = this.#house.clock.now();
    try {
      const reply = outcome.status === "error" && isTold ? await this.#errorReply(record, outcome, at) : [];
      const rows = reply.map((item): Change => ({ kind: "outbox-add", item }));
      await this.#house.ledger.commit([{ kind: "turn-end", runId, at, outcome }, ...rows, ...changes]);
      for (const item of reply) await this.#house.outbox.send({ ...item, attempts: 0, state: "pending" });
    } catch (error) {
      this.#house.log.error("the end of a turn could not be written; it will be run again at the next start", {
        run: runId,
        error,
      });
    }
    // Nobody is told of the gateway's own work.
    const isChore = record.message.body["chore"] !== undefined;
    if (!isChore)
      this.#house.bus.emit({ kind: "turn-ended", runId, sessionKey, endedAt: at, outcome, hasReply: false });
    this.#house.runs.end(runId, outcome);
  }

  /** How messages of this channel wait behind a running turn, unless their session says otherwise. */
  #settingsFor(channel: string, entry: SessionEntry | undefined): QueueSettings {
    const { queue } = this.#house.config.current().messages ?? {};
    if (channel !== WEBCHAT) return queueSettings(queue, entry, channel, "collect");
    // Whoever writes through our own door expects an answer to each message, unless told otherwise.
    const settings = queueSettings(queue, entry, channel, "followup");
    return { ...settings, cap: entry?.queueCap ?? queue?.cap ?? Infinity };
  }

  /** What is sent to a channel when a message could not be answered; nothing for our own clients, who are told. */
  #errorReply(record: RunRecord, outcome: RunOutcome, at: number): Promise<readonly NewDelivery[]> {
    const body = record.message.body as MessageBody;
    return writeReply(this.#house, record, body, { outcome, at, directives: [], media: [] });
  }

  /** A command gave the session work to do, and may wait for that itself: nobody waits for the command any longer. */
  release(sessionKey: string): void {
    this.#underWay.release(sessionKey);
  }
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
