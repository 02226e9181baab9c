// What must become of a job, by the rules: which instants run, which are only noted, what a kill and an absence change.
// It knows nothing of the code it judges; where a kill came in between, the ledger says how far the work had come.
import { SLOW_SECONDS, type JobPlan } from "./cron-catalogue.ts";
import type { Wait } from "./cron-clock.ts";
import {
  iso,
  startState,
  type Delivering,
  type Ended,
  type Evidence,
  type JobState,
  type Outcome,
} from "./cron-model-state.ts";

const MINUTE = 60_000;
const GRACE_MS = MINUTE;
const BACKOFF_MS = [0.5, 1, 5, 15, 60].map((minutes) => minutes * MINUTE);
const ALERT_EVERY_MS = 60 * MINUTE;
const SECOND_ATTEMPT_MS = 1000;

export class ModelJob {
  readonly plan: JobPlan;
  readonly id: string;
  readonly #is: JobState;

  constructor(plan: JobPlan, id: string, state: JobState) {
    this.plan = plan;
    this.id = id;
    this.#is = state;
  }

  static create(plan: JobPlan, id: string, instants: readonly number[], now: number): ModelJob {
    const job = new ModelJob(plan, id, startState(instants, now));
    job.replan(now, {});
    return job;
  }

  /** For whoever looks for the reason of a failure. */
  describe(): string {
    const { instants: _instants, rows, ended: _ended, ...is } = this.#is;
    return JSON.stringify({ name: this.plan.name, id: this.id, ...is, lastRows: rows.slice(-4) });
  }

  copy(): ModelJob {
    return new ModelJob(this.plan, this.id, structuredClone(this.#is));
  }

  get rows(): readonly string[] {
    return this.#is.rows;
  }

  get ended(): readonly Ended[] {
    return this.#is.ended;
  }

  get isGone(): boolean {
    return this.#is.isGone;
  }

  get gate(): number | undefined {
    return this.#is.gate;
  }

  remove(): void {
    this.#is.isGone = true;
  }

  /** When something will happen by itself. */
  get nextAt(): number {
    return Math.min(
      this.#is.isGone || !this.#is.isEnabled ? Infinity : (this.#is.gate ?? Infinity),
      ...this.waits.map(({ at }) => at),
    );
  }

  /** Runs that are under way. */
  get open(): string[] {
    const { running, delivering } = this.#is;
    const dues = new Set([...(running ? [running.due] : []), ...delivering.map(({ due }) => due)]);
    return [...dues].map((due) => this.runId(due));
  }

  /** What they wait for. */
  get waits(): Wait[] {
    const { running, delivering } = this.#is;
    return [
      ...(running && !this.#executed ? [{ at: running.endsAt, ms: this.#duration }] : []),
      ...delivering.map(({ at = Infinity }) => ({ at, ms: SECOND_ATTEMPT_MS })),
    ];
  }

  runId(due: number): string {
    return `cron:${this.id}:${due}`;
  }

  /** Somebody has decided about its time. */
  replan(now: number, change: { readonly isEnabled?: boolean; readonly instants?: readonly number[] }): void {
    const wasEnabled = this.#is.isEnabled;
    this.#is.isEnabled = change.isEnabled ?? this.#is.isEnabled;
    this.#is.instants = change.instants ?? this.#is.instants;
    if (!wasEnabled) this.#is.failures = 0;
    this.#is.cursor = now;
    this.#is.backoffUntil = 0;
    this.#is.gate = this.#is.isEnabled ? this.#next(now) : undefined;
  }

  /** The process is dead. */
  breakOff(): void {
    if (this.#is.running) Object.assign(this.#is.running, { endsAt: Infinity, isBroken: true });
    for (const delivering of this.#is.delivering) delivering.at = undefined;
  }

  /** A new process looks at what the old one left, which may be killed in turn. */
  takeUp(now: number, evidence?: Evidence): void {
    const isPatient = this.plan.promised === "flaky-page";
    for (const delivering of this.#is.delivering) delivering.at = isPatient ? now + SECOND_ATTEMPT_MS : now;
    this.step(now, now, evidence);
  }

  /**
   * Whether it is chance what becomes of it after an absence until then: the result of a run that is over arrives, and the
   * next instant is looked at, in any order.
   */
  isChanceAt(now: number): boolean {
    const { running, delivering, cursor } = this.#is;
    const arriving = delivering.find(({ due }) => due === running?.due);
    const [missed] = this.#between(cursor, now);
    if (!arriving || missed === undefined) return false;
    return arriving.outcome !== "ok" || this.plan.promised === "refusing-page" || this.#isFresh(missed, now);
  }

  /** All that happens at an instant; with evidence, as far as it had come. */
  step(now: number, openedAt: number, evidence?: Evidence): void {
    if (this.#is.isGone) return;
    this.#settleDeliveries(now, openedAt, evidence);
    this.#endRun(now, openedAt, evidence);
    while (this.#claim(now, openedAt, evidence)) this.#endRun(now, openedAt, evidence);
  }

  #settleDeliveries(now: number, openedAt: number, evidence: Evidence | undefined): void {
    for (const delivering of this.#is.delivering.slice()) {
      const isOver = evidence
        ? evidence.stateOf(this.runId(delivering.due)) === "settled"
        : (delivering.at ?? Infinity) <= now;
      if (isOver) this.#settle(delivering, now, openedAt);
    }
  }

  #endRun(now: number, openedAt: number, evidence: Evidence | undefined): void {
    const { running } = this.#is;
    if (!running || this.#executed) return;
    const { due, isBroken } = running;
    const state = evidence?.stateOf(this.runId(due));
    if (evidence && state === "running") return void (running.isAnswered = evidence.isAnswered(this.runId(due)));
    const isReported = isBroken && this.plan.onCrash === "report";
    if (!evidence && isBroken && !isReported) this.#beginAgain(now);
    if (!evidence && !isReported && running.endsAt > now) return;
    const outcome = isReported ? "crash" : this.plan.deed === "broken" ? "error" : "ok";
    const waitsMs = evidence || this.plan.promised !== "flaky-page" ? 0 : SECOND_ATTEMPT_MS;
    const delivering: Delivering = { due, outcome, executedAt: now, at: now + waitsMs };
    this.#is.delivering.push(delivering);
    if (state !== "executed" && waitsMs === 0) this.#settle(delivering, now, openedAt);
  }

  #beginAgain(now: number): void {
    const { running } = this.#is;
    if (!running) return;
    running.endsAt = running.isAnswered ? now : now + this.#duration;
    running.isBroken = false;
  }

  /** What the job waits for, when that is only the arrival of a result. */
  get #executed(): Delivering | undefined {
    const { running, delivering } = this.#is;
    return delivering.find(({ due }) => due === running?.due);
  }

  #settle(delivering: Delivering, now: number, openedAt: number): void {
    const isWaitedFor = delivering === this.#executed;
    this.#is.delivering.splice(this.#is.delivering.indexOf(delivering), 1);
    const { due, outcome } = delivering;
    const { promised } = this.plan;
    const isRefused = promised === "refusing-page";
    const isArrived = promised.endsWith("page") || (promised === "webchat" && outcome === "ok");
    const arrival = isRefused ? "not-delivered" : isArrived ? "delivered" : "not-requested";
    const executed = outcome === "ok" ? "ok" : "error";
    const reason = outcome === "crash" ? "crash" : outcome === "error" ? "exit" : isRefused ? "delivery" : "-";
    this.#is.ended.push({ runId: this.runId(due), outcome });
    this.#is.rows.push(`${this.plan.name} ${iso(due)} executed ${executed} (${reason}), ${arrival}`);
    if (isRefused && now - this.#is.alertedAt >= ALERT_EVERY_MS) {
      this.#is.alertedAt = now;
      this.#is.rows.push(`${this.plan.name} alert for ${iso(due)}`);
    }
    if (isWaitedFor) this.#goOn(isRefused && outcome === "ok" ? "error" : outcome, now, openedAt);
  }

  /** What the end of a run means for the job. */
  #goOn(outcome: Outcome, now: number, openedAt: number): void {
    this.#is.running = undefined;
    if (outcome === "ok" && this.#removesItself) this.#is.isGone = true;
    if (this.plan.schedule["kind"] === "at") this.#is.isEnabled = false;
    this.#is.failures = outcome === "ok" ? 0 : this.#is.failures + 1;
    this.#is.backoffUntil = outcome === "ok" ? 0 : now + (BACKOFF_MS[Math.min(this.#is.failures, 5) - 1] ?? 0);
    if (!this.#is.isEnabled || this.#is.isGone) return void (this.#is.gate = undefined);
    const missed = this.#between(this.#is.cursor, now);
    const [first] = missed;
    if (this.plan.catchUp === "all") {
      const following = first ?? this.#next(now);
      this.#is.gate = following && Math.max(following, this.#is.backoffUntil);
    } else if (first !== undefined && first < openedAt && !this.#isFresh(first, openedAt)) {
      this.#is.gate = Math.max(first, this.#is.backoffUntil);
    } else {
      if (first !== undefined) this.#note("still-running", missed);
      this.#is.cursor = missed.at(-1) ?? this.#is.cursor;
      this.#is.gate = this.#next(Math.max(now, this.#is.backoffUntil - 1));
    }
  }

  /** A run that is over lets its job go on when the next instant comes, even if its result has not arrived. */
  #letGo(openedAt: number, evidence: Evidence | undefined): void {
    const executed = this.#executed;
    const mayGoOn = this.plan.schedule["kind"] !== "at" && !this.#removesItself;
    if (!executed || !mayGoOn || evidence?.isHeld(this.id, this.runId(executed.due))) return;
    this.#goOn(executed.outcome, executed.executedAt, openedAt);
  }

  #isDue(now: number): boolean {
    const { isEnabled, isGone, gate = Infinity } = this.#is;
    return isEnabled && !isGone && gate <= now;
  }

  /** Whether a run was begun. */
  #claim(now: number, openedAt: number, evidence: Evidence | undefined): boolean {
    if (!this.#isDue(now)) return false;
    this.#letGo(openedAt, evidence);
    if (!this.#isDue(now)) return false;
    if (this.#is.running) {
      this.#is.gate = this.#next(now);
      return false;
    }
    const due = this.#between(this.#is.cursor, now);
    const newest = due.at(-1) as number;
    const isRun = this.plan.catchUp !== "skip" || this.#isFresh(newest, now);
    const chosen = this.plan.catchUp === "all" ? (due[0] as number) : newest;
    if (evidence && evidence.stateOf(this.runId(chosen)) === undefined && evidence.cursorOf(this.id) < chosen)
      return false;
    const noted = this.plan.catchUp === "all" ? [] : isRun ? due.slice(0, -1) : due;
    if (noted.length > 0) this.#note((noted.at(-1) ?? 0) < this.#is.backoffUntil ? "back-off" : "missed", noted);
    this.#is.cursor = chosen;
    this.#is.gate = this.#next(now);
    if (!isRun) {
      if (this.plan.schedule["kind"] === "at") this.#is.isEnabled = false;
      return false;
    }
    this.#is.backoffUntil = 0;
    this.#is.running = { due: chosen, endsAt: now + this.#duration, isBroken: false, isAnswered: false };
    return true;
  }

  #note(reason: string, instants: readonly number[]): void {
    const [first = 0] = instants;
    this.#is.rows.push(
      `${this.plan.name} ${reason}: ${instants.length} from ${iso(first)} to ${iso(instants.at(-1) ?? first)}`,
    );
  }

  get #duration(): number {
    return this.plan.deed === "slow" ? SLOW_SECONDS * 1000 : 0;
  }

  get #removesItself(): boolean {
    return this.plan.deleteAfterRun ?? this.plan.schedule["kind"] === "at";
  }

  #isFresh(instant: number, now: number): boolean {
    return instant >= now - GRACE_MS - Number(this.plan.schedule["staggerMs"] ?? 0);
  }

  #next(after: number): number | undefined {
    return this.#is.instants.find((instant) => instant > after);
  }

  #between(after: number, until: number): readonly number[] {
    return this.#is.instants.filter((instant) => instant > after && instant <= until);
  }
}
