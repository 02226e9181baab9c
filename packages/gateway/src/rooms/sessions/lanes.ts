// Lanes: one turn per session at a time, in the order of arrival; a bounded number of sessions at once, in turn.
import type { Clock } from "@chela/sdk";
import { isSteering, type QueueRule } from "./queue-rules.ts";

export interface LaneJob {
  readonly runId: string;
  readonly sessionKey: string;
  /** Who asked for it; "" or absent when nobody did. */
  readonly by?: string;
  /** How it behaves when it has to wait; without one it waits for its turn and is run by itself. */
  readonly queue?: QueueRule;
  /** Must not reject. `signal` aborts when the run is stopped; `others` came before it and are answered with it. */
  run(signal: AbortSignal, others: readonly LaneJob[]): Promise<void>;
  /** The job was stopped before it began. */
  dropped(reason: unknown): void;
}

/** Kinds of work that must not take each other's places. */
export type LaneClass = "main" | "cron" | "subagent";

export interface LaneCaps {
  /** Turns at once, in all. */
  readonly total: number;
  readonly cron: number;
  readonly subagent: number;
}

interface Waiting {
  readonly job: LaneJob;
  readonly since: number;
  /** Not before this time: more may come that belongs to it. */
  readyAt: number;
  wasSteered: boolean;
}

interface Lane {
  readonly waiting: Waiting[];
  active?: {
    readonly jobs: readonly LaneJob[];
    readonly abort: AbortController;
    readonly done: Promise<void>;
    /** For how many things it waits that other turns do. */
    waits: number;
  };
  /** When the newest message came that others may be coalesced with. */
  lastArrival: number;
  cancelWake?: () => void;
}

/** The reason of a run's abort when a newer message took its place. */
const INTERRUPTED = "interrupt";

export class Lanes {
  readonly #caps: () => LaneCaps;
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();
  /** Sessions with work and no active job, longest wait first: a busy session never starves another. */
  readonly #ready: string[] = [];
  readonly #running: Record<LaneClass, number> = { main: 0, cron: 0, subagent: 0 };
  /** Turns that wait for others: they run, but take no place. */
  #lent = 0;
  #held = false;
  #idle: Array<() => void> = [];

  constructor(caps: () => LaneCaps, clock: Clock) {
    this.#caps = caps;
    this.#clock = clock;
  }

  get running(): number {
    return this.#occupied + this.#lent;
  }

  get #occupied(): number {
    return this.#running.main + this.#running.cron + this.#running.subagent;
  }

  enqueue(job: LaneJob): void {
    const lane = this.#lanes.get(job.sessionKey) ?? { waiting: [], lastArrival: -Infinity };
    this.#lanes.set(job.sessionKey, lane);
    if (job.queue?.mode === "interrupt")
      this.#stopThose(
        job.sessionKey,
        INTERRUPTED,
        (other) => other.queue !== undefined && (!job.queue?.interruptsOwn || isBy(other, job.by)),
      );
    this.#lanes.set(job.sessionKey, lane);
    lane.waiting.push({ job, since: this.#clock.steady(), readyAt: this.#readyAt(lane, job), wasSteered: false });
    if (!lane.active && !this.#ready.includes(job.sessionKey)) this.#ready.push(job.sessionKey);
    this.#startNext();
  }

  /** Run ids of a session that are active or waiting. */
  runIds(sessionKey: string): string[] {
    const lane = this.#lanes.get(sessionKey);
    if (!lane) return [];
    return [...(lane.active?.jobs ?? []), ...lane.waiting.map(({ job }) => job)].map(({ runId }) => runId);
  }

  /** How many wait by a rule; others have a right to their place. */
  waitingCount(sessionKey: string): number {
    return (this.#lanes.get(sessionKey)?.waiting ?? []).filter(({ job }) => job.queue).length;
  }

  /** Takes the one of those that waits longest out of the queue; it is no longer the lane's. */
  takeOldest(sessionKey: string, isWanted: (job: LaneJob) => boolean): LaneJob | undefined {
    const lane = this.#lanes.get(sessionKey);
    const oldest = lane?.waiting.find(({ job }) => job.queue && isWanted(job));
    if (!lane || !oldest) return undefined;
    lane.waiting.splice(lane.waiting.indexOf(oldest), 1);
    this.#tidy(sessionKey, lane);
    return oldest.job;
  }

  /** What was said to the running turn meanwhile; what wants an answer of its own as well stays in the queue. */
  takeSteering(sessionKey: string, isWanted: (job: LaneJob) => boolean): LaneJob[] {
    const lane = this.#lanes.get(sessionKey);
    const fits = ({ job, wasSteered }: Waiting) => !wasSteered && isWanted(job) && isSteering(job.queue);
    const taken = (lane?.waiting ?? []).filter(fits);
    for (const one of taken) {
      one.wasSteered = true;
      if (!one.job.queue?.staysInQueue) lane?.waiting.splice(lane.waiting.indexOf(one), 1);
    }
    return taken.map(({ job }) => job);
  }

  /** Stops one run, or all of a session. Returns the ids of those it stopped. */
  stop(sessionKey: string, reason: unknown, runId?: string): string[] {
    return this.#stopThose(sessionKey, reason, (job) => runId === undefined || job.runId === runId);
  }

  /** Stops what this one asked for, and nothing else. */
  stopOf(sessionKey: string, reason: unknown, by: string): string[] {
    return this.#stopThose(sessionKey, reason, (job) => isBy(job, by));
  }

  #stopThose(sessionKey: string, reason: unknown, wanted: (job: LaneJob) => boolean): string[] {
    const lane = this.#lanes.get(sessionKey);
    if (!lane) return [];
    const dropped = lane.waiting.filter(({ job }) => wanted(job));
    for (const one of dropped) lane.waiting.splice(lane.waiting.indexOf(one), 1);
    const stopped = dropped.map(({ job }) => job.runId);
    if (lane.active?.jobs.some(wanted)) {
      lane.active.abort.abort(reason);
      stopped.unshift(...lane.active.jobs.map((job) => job.runId));
    }
    this.#tidy(sessionKey, lane);
    for (const { job } of dropped) job.dropped(reason);
    return stopped;
  }

  /**
   * The session's turn does nothing but wait for other turns: its place is lent to them, so that those who wait for
   * each other cannot take all places. Its lane stays its own.
   */
  async whileWaiting<T>(sessionKey: string, work: Promise<T>): Promise<T> {
    const active = this.#lanes.get(sessionKey)?.active;
    if (!active) return work;
    if (active.waits++ === 0) this.#lend(sessionKey, 1);
    this.#startNext();
    try {
      return await work;
    } finally {
      // One that ended meanwhile has given its place back for good.
      if (--active.waits === 0 && this.#lanes.get(sessionKey)?.active === active) this.#lend(sessionKey, -1);
    }
  }

  #lend(sessionKey: string, places: 1 | -1): void {
    this.#running[classOf(sessionKey)] -= places;
    this.#lent += places;
  }

  /** Resolves when the session's active run, if any, has ended. */
  async settled(sessionKey: string): Promise<void> {
    await this.#lanes.get(sessionKey)?.active?.done;
  }

  /** Starts nothing more; what waits stays in the ledger for the next start. */
  hold(): void {
    this.#held = true;
  }

  /** Starts what waited while it was held. */
  release(): void {
    this.#held = false;
    this.#startNext();
  }

  /** Resolves when no turn is running. */
  async idle(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Aborts every active run. */
  abortAll(reason: unknown): void {
    for (const lane of this.#lanes.values()) lane.active?.abort.abort(reason);
  }

  /** The first message on an idle lane starts at once; what follows it closely, or waits behind a turn, waits for more. */
  #readyAt(lane: Lane, { queue }: LaneJob): number {
    const now = this.#clock.steady();
    if (!queue) return now;
    const isFollowing =
      lane.active !== undefined || lane.waiting.length > 0 || now - lane.lastArrival < queue.debounceMs;
    const quiet = queue.together !== undefined && isFollowing ? queue.debounceMs : 0;
    const readyAt = now + Math.max(quiet, queue.holdMs ?? 0);
    if (queue.together === undefined) return readyAt;
    lane.lastArrival = now;
    for (const one of lane.waiting) {
      if (one.job.queue?.together !== queue.together) continue;
      // Somebody who never pauses is answered, too, and does not keep others waiting behind them.
      const latest = one.since + MOST_QUIET_TIMES * (readyAt - now);
      one.readyAt = Math.max(one.readyAt, Math.min(readyAt, latest));
    }
    return readyAt;
  }

  #startNext(): void {
    for (let index = 0; !this.#held && index < this.#ready.length;) {
      const sessionKey = this.#ready[index] as string;
      const lane = this.#lanes.get(sessionKey);
      const isStartable = lane && !lane.active && lane.waiting.length > 0;
      if (isStartable && !this.#hasRoom(sessionKey)) {
        if (this.#isFull()) return;
        index += 1;
        continue;
      }
      this.#ready.splice(index, 1);
      if (isStartable) this.#startOrWait(sessionKey, lane);
    }
  }

  #startOrWait(sessionKey: string, lane: Lane): void {
    const [first] = lane.waiting;
    if (!first) return;
    const waitMs = Math.max(0, first.readyAt - this.#clock.steady());
    if (waitMs === 0) return this.#start(sessionKey, lane, takeBatch(lane.waiting));
    lane.cancelWake?.();
    lane.cancelWake = this.#clock.after(waitMs, () => {
      first.readyAt = this.#clock.steady();
      if (lane.active || lane.waiting.length === 0) return;
      if (!this.#ready.includes(sessionKey)) this.#ready.push(sessionKey);
      this.#startNext();
    });
  }

  #start(sessionKey: string, lane: Lane, jobs: readonly LaneJob[]): void {
    const job = jobs.at(-1);
    if (!job) return;
    const kind = classOf(sessionKey);
    this.#running[kind] += 1;
    lane.cancelWake?.();
    const abort = new AbortController();
    const done = job.run(abort.signal, jobs.slice(0, -1)).finally(() => {
      if (lane.active?.waits) this.#lend(sessionKey, -1);
      delete lane.active;
      this.#running[kind] -= 1;
      if (lane.waiting.length > 0) this.#ready.push(sessionKey);
      this.#tidy(sessionKey, lane);
      this.#startNext();
      if (this.running === 0) for (const resolve of this.#idle.splice(0)) resolve();
    });
    lane.active = { jobs, abort, done, waits: 0 };
  }

  #isFull(): boolean {
    return this.#occupied >= Math.max(1, this.#caps().total);
  }

  #hasRoom(sessionKey: string): boolean {
    const kind = classOf(sessionKey);
    if (this.#isFull()) return false;
    return kind === "main" || this.#running[kind] < Math.max(1, this.#caps()[kind]);
  }

  /** A lane is remembered as long as a further message may belong to the last one. */
  #tidy(sessionKey: string, lane: Lane): void {
    if (lane.active || lane.waiting.length > 0) return;
    const forget = (): void => {
      if (!lane.active && lane.waiting.length === 0 && this.#lanes.get(sessionKey) === lane) {
        lane.cancelWake?.();
        this.#lanes.delete(sessionKey);
      }
    };
    const rest = lane.lastArrival + LONGEST_DEBOUNCE_MS - this.#clock.steady();
    if (rest <= 0) return forget();
    lane.cancelWake?.();
    lane.cancelWake = this.#clock.after(rest, forget);
  }
}

const LONGEST_DEBOUNCE_MS = 60_000;
/** How many quiet times a message waits at most for more to come. */
const MOST_QUIET_TIMES = 5;

/** The first, and those right behind it that may be answered with it. */
function takeBatch(waiting: Waiting[]): LaneJob[] {
  const together = waiting[0]?.job.queue?.together;
  const other = waiting.findIndex(({ job }) => job.queue?.together !== together);
  const count = together === undefined ? 1 : other < 0 ? waiting.length : other;
  return waiting.splice(0, count).map(({ job }) => job);
}

function isBy(job: LaneJob, by: string | undefined): boolean {
  return Boolean(by) && job.by === by;
}

function classOf(sessionKey: string): LaneClass {
  if (/:cron:/.test(sessionKey)) return "cron";
  return /:subagent:/.test(sessionKey) ? "subagent" : "main";
}
