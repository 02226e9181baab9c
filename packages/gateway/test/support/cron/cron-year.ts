// Drives a gateway and the model of its jobs through the same time, side by side, killing the gateway on the way.
import { byExpression, wishesOf, type JobPlan } from "./cron-catalogue.ts";
import type { Almanac } from "./cron-almanac.ts";
import type { LeftToDo } from "./cron-child.ts";
import { describeJob, readEvidence, type LeftOver } from "./cron-evidence.ts";
import type { CronHousehold, Reached } from "./cron-life.ts";
import { ModelJob } from "./cron-model.ts";
import { iso } from "./cron-model-state.ts";
import type { CronPage } from "./cron-page.ts";
import type { Random } from "../durability/durability-random.ts";
import type { Json, WireClient } from "../wire-client.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often the clock is looked at before a process is killed in the middle of its work. */
const LOOKS = [12, 60, 300, 1200];
/** So many kills are followed by one more while the gateway starts. */
const SHORT_LIFE = 4;

export interface YearParts {
  readonly household: CronHousehold;
  readonly page: CronPage;
  readonly almanac: Almanac;
  readonly random: Random;
  readonly tallyFile: string;
}

/** Something a person does at about this time. */
export interface Deal {
  readonly at: number;
  act(year: CronYear, client: WireClient): Promise<void>;
}

export class CronYear {
  readonly jobs = new Map<string, ModelJob>();
  kills = 0;
  now: number;
  /** How often each run was carried out, but its result under way, when a process was killed. */
  readonly sentInVain = new Map<string, number>();
  /** How often each run was being carried out when a process was killed. */
  readonly begunInVain = new Map<string, number>();
  readonly #parts: YearParts;
  #openedAt: number;

  constructor(parts: YearParts) {
    this.#parts = parts;
    this.now = parts.almanac.from;
    this.#openedAt = this.now;
  }

  get rows(): string[] {
    return [...this.jobs.values()].flatMap(({ rows }) => rows).toSorted();
  }

  get #left(): LeftToDo {
    const jobs = [...this.jobs.values()];
    return { errands: jobs.flatMap(({ open }) => open), waits: jobs.flatMap(({ waits }) => waits) };
  }

  get #nextAt(): number {
    return [...this.jobs.values()].reduce((first, { nextAt }) => Math.min(first, nextAt), Infinity);
  }

  async begin(plans: readonly JobPlan[]): Promise<void> {
    await this.#parts.household.go(this.now, this.#left);
    await this.#parts.household.withClient(async (client) => {
      for (const plan of plans) await this.add(plan, client);
    });
  }

  async add(plan: JobPlan, client: WireClient): Promise<void> {
    const { page, tallyFile } = this.#parts;
    const { id, state } = await client.call("cron.add", wishesOf(plan, page.url, tallyFile));
    const instants = placed(plan, state.nextRunAtMs, this.now);
    const job = ModelJob.create(plan, String(id), instants, this.now);
    if (job.gate !== state.nextRunAtMs) {
      throw new Error(`${plan.name} should be due at ${iso(job.gate ?? 0)}, not ${iso(state.nextRunAtMs)}`);
    }
    this.jobs.set(plan.name, job);
  }

  async change(name: string, client: WireClient, change: ChangeOfJob): Promise<void> {
    const job = this.jobs.get(name);
    if (!job || job.isGone) return;
    const { isEnabled, expression } = change;
    const timed = expression && byExpression(this.#parts.almanac, ...expression);
    await client.call("cron.update", {
      id: job.id,
      patch: {
        ...(isEnabled === undefined ? {} : { enabled: isEnabled }),
        ...(timed ? { schedule: timed.schedule } : {}),
        ...(change.payload ? { payload: change.payload } : {}),
      },
    });
    if (isEnabled === undefined && !timed) return;
    job.replan(this.now, { ...(isEnabled === undefined ? {} : { isEnabled }), ...(timed ? timed : {}) });
  }

  async remove(name: string, client: WireClient): Promise<void> {
    const job = this.jobs.get(name);
    if (!job || job.isGone) return;
    await client.call("cron.remove", { id: job.id });
    job.remove();
  }

  /** From one instant to the next until nothing is under way at the end, with kills at about the given times. */
  async live(until: number, killTimes: readonly number[], deals: readonly Deal[]): Promise<void> {
    const { household } = this.#parts;
    const [kills, waiting] = [killTimes.slice(), deals.slice()];
    while (this.now < until || this.#left.errands.length > 0) {
      const end = this.now < until ? until : Infinity;
      this.now = Math.min(this.#nextAt, waiting[0]?.at ?? Infinity, end);
      if (kills[0] !== undefined && kills[0] <= this.now) {
        kills.shift();
        await this.#liveAndDie();
      } else await this.#goOn();
      while (waiting[0] && waiting[0].at <= this.now) {
        const deal = waiting.shift();
        await household.withClient((client) => deal?.act(this, client) ?? Promise.resolve());
        await this.#goOn();
      }
    }
  }

  /** The work of an instant, undisturbed. */
  async #goOn(): Promise<void> {
    for (const job of this.jobs.values()) job.step(this.now, this.#openedAt);
    await this.#go();
  }

  async #go(dieAfter?: number): Promise<Reached> {
    const { household } = this.#parts;
    const { ledgerPath } = household;
    try {
      return await household.go(this.now, this.#left, dieAfter);
    } catch (error) {
      const jobs = [...this.jobs.values()].filter(({ id }) => String(error).includes(id));
      const told = [
        `opened ${iso(this.#openedAt)}, ${this.kills} kills`,
        ...jobs.flatMap((job) => [job.describe(), describeJob(ledgerPath, job.id)]),
      ];
      throw new Error(`The gateway does not come to where it should be.\n${told.join("\n")}`, { cause: error });
    }
  }

  /** The work of an instant, with a kill in it or behind it; then others live at once or later, some of them shortly. */
  async #liveAndDie(): Promise<void> {
    const { household, random } = this.#parts;
    const dieAfter = random.chance(0.75) ? random.below(random.pick(LOOKS)) : undefined;
    await this.#reach((job, evidence) => job.step(this.now, this.#openedAt, evidence), dieAfter);
    for (;;) {
      await household.kill();
      this.kills += 1;
      this.#noteDoubts();
      await this.#parts.page.forgetAttempts();
      for (const job of this.jobs.values()) job.breakOff();
      const until = this.now + chooseAbsence(random);
      if (![...this.jobs.values()].some((job) => job.isChanceAt(until))) this.now = until;
      this.#openedAt = this.now;
      const isShort = this.kills % SHORT_LIFE === 0;
      const looks = isShort ? random.below(random.pick(LOOKS)) : undefined;
      await this.#reach((job, evidence) => job.takeUp(this.now, evidence), looks);
      if (!isShort) return;
    }
  }

  /** Where the gateway and the model have come to, whether or not the gateway lived to see it. */
  async #reach(step: (job: ModelJob, left?: LeftOver) => void, dieAfter: number | undefined): Promise<void> {
    const { household } = this.#parts;
    const before = new Map([...this.jobs].map(([name, job]) => [name, job.copy()]));
    for (const job of this.jobs.values()) step(job);
    if ((await this.#go(dieAfter)) === "quiet") return;
    const left = readEvidence(household.ledgerPath);
    for (const [name, job] of before) {
      step(job, left);
      this.jobs.set(name, job);
    }
  }

  /** What of the work under way may have been done though nobody wrote that down. */
  #noteDoubts(): void {
    const left = readEvidence(this.#parts.household.ledgerPath);
    for (const runId of left.runsIn("executed")) count(this.sentInVain, runId);
    for (const runId of left.runsIn("running")) count(this.begunInVain, runId);
  }
}

/** The instants with the place a stagger gives, which the first one tells. */
function placed({ name, schedule, instants }: JobPlan, first: number, now: number): readonly number[] {
  const staggerMs = Number(schedule["staggerMs"] ?? 0);
  if (staggerMs === 0) return instants;
  const place = first - (instants.find((instant) => instant + staggerMs > now) ?? NaN);
  if (!(place >= 0 && place < staggerMs))
    throw new Error(`${name} was given a place of ${place} ms in ${staggerMs} ms`);
  return instants.map((instant) => instant + place);
}

/** None, minutes, hours or days. */
function chooseAbsence(random: Random): number {
  const unit = random.pick([0, 0, MINUTE, MINUTE, HOUR, DAY]);
  return unit === 0 ? 0 : random.below(unit === MINUTE ? 50 : unit === HOUR ? 20 : 4) * unit + random.below(unit);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export interface ChangeOfJob {
  readonly isEnabled?: boolean;
  readonly expression?: readonly [expression: string, zone: string];
  readonly payload?: Json;
}
