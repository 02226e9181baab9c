// Lanes: one turn per session at a time, in the order of arrival; a bounded number of sessions at once, in turn.

export interface LaneJob {
  readonly runId: string;
  readonly sessionKey: string;
  /** Must not reject. `signal` aborts when the run is stopped; its reason says why. */
  run(signal: AbortSignal): Promise<void>;
  /** The job was stopped before it began. */
  dropped(reason: unknown): void;
}

interface Lane {
  readonly waiting: LaneJob[];
  active?: { readonly job: LaneJob; readonly abort: AbortController; readonly done: Promise<void> };
}

export class Lanes {
  readonly #cap: () => number;
  readonly #lanes = new Map<string, Lane>();
  /** Sessions with work and no active job, longest wait first: a busy session never starves another. */
  readonly #ready: string[] = [];
  #running = 0;
  #held = false;
  #idle: Array<() => void> = [];

  constructor(cap: () => number) {
    this.#cap = cap;
  }

  get running(): number {
    return this.#running;
  }

  enqueue(job: LaneJob): void {
    const lane = this.#lanes.get(job.sessionKey) ?? { waiting: [] };
    this.#lanes.set(job.sessionKey, lane);
    lane.waiting.push(job);
    if (!lane.active && lane.waiting.length === 1) this.#ready.push(job.sessionKey);
    this.#startNext();
  }

  /** Run ids of a session that are active or waiting. */
  runIds(sessionKey: string): string[] {
    const lane = this.#lanes.get(sessionKey);
    if (!lane) return [];
    return [...(lane.active ? [lane.active.job.runId] : []), ...lane.waiting.map((job) => job.runId)];
  }

  /** Stops one run, or all of a session. Returns the ids of those it stopped. */
  stop(sessionKey: string, reason: unknown, runId?: string): string[] {
    const lane = this.#lanes.get(sessionKey);
    if (!lane) return [];
    const wanted = (job: LaneJob) => runId === undefined || job.runId === runId;
    const dropped = lane.waiting.filter(wanted);
    for (const job of dropped) lane.waiting.splice(lane.waiting.indexOf(job), 1);
    const stopped = dropped.map((job) => job.runId);
    if (lane.active && wanted(lane.active.job)) {
      lane.active.abort.abort(reason);
      stopped.unshift(lane.active.job.runId);
    }
    this.#tidy(sessionKey, lane);
    for (const job of dropped) job.dropped(reason);
    return stopped;
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
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Aborts every active run. */
  abortAll(reason: unknown): void {
    for (const lane of this.#lanes.values()) lane.active?.abort.abort(reason);
  }

  #startNext(): void {
    while (!this.#held && this.#running < Math.max(1, this.#cap())) {
      const sessionKey = this.#ready.shift();
      if (sessionKey === undefined) return;
      const lane = this.#lanes.get(sessionKey);
      // A session that was emptied and filled again may stand in the queue twice.
      const job = lane && !lane.active ? lane.waiting.shift() : undefined;
      if (lane && job) this.#start(sessionKey, lane, job);
    }
  }

  #start(sessionKey: string, lane: Lane, job: LaneJob): void {
    this.#running += 1;
    const abort = new AbortController();
    const done = job.run(abort.signal).finally(() => {
      delete lane.active;
      this.#running -= 1;
      if (lane.waiting.length > 0) this.#ready.push(sessionKey);
      this.#tidy(sessionKey, lane);
      this.#startNext();
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
    });
    lane.active = { job, abort, done };
  }

  #tidy(sessionKey: string, lane: Lane): void {
    if (!lane.active && lane.waiting.length === 0) this.#lanes.delete(sessionKey);
  }
}
