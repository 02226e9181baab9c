// Quotas of messages a person may still send. What is counted is in the ledger before a message is let through.
import * as z from "zod";
import { once, type Clock, type Ledger, type Parsed, type Person, type PersonQuota, OneAtATime } from "@chela/sdk";
import type { People } from "./directory.ts";

export interface QuotaParts {
  readonly ledger: Pick<Ledger, "value" | "commit">;
  readonly clock: Clock;
  readonly people: Pick<People, "get">;
  /** What the person's model calls cost today, in US dollars. */
  spentToday(personId: string): Promise<number>;
}

/** How many messages of a person were counted. */
export interface UsedMessages {
  readonly thisHour: number;
  readonly today: number;
}

/** Why a message is not taken. The person is told `text`, once for each `once`. */
export interface OverQuota {
  readonly why: string;
  readonly once: string;
  readonly text: string;
}

const Window = () => z.object({ from: z.number(), count: z.number() });
const Used = once(() => z.object({ hour: Window(), day: Window(), newest: z.array(z.string()) }));
type Used = Parsed<typeof Used>;

/** A message that comes again after a crash is not counted again; it comes again soon or never. */
const REMEMBERED_RUNS = 50;
const NOTHING: Used = { hour: { from: 0, count: 0 }, day: { from: 0, count: 0 }, newest: [] };

export class MessageQuotas {
  readonly #parts: QuotaParts;
  readonly #used = new Map<string, Used>();
  /** Two messages of one person at the same moment must not both be the last one. */
  readonly #turns = new OneAtATime();

  constructor(parts: QuotaParts) {
    this.#parts = parts;
  }

  /** Counts a message that is about to reach an agent; says why not when it must not. */
  async take(personId: string, runId: string): Promise<OverQuota | undefined> {
    const quota = this.#parts.people.get(personId)?.quota;
    if (!quota) return undefined;
    return this.#turns.run(personId, () => this.#take(personId, runId, quota));
  }

  /** How much of their messages is used, for everybody whose messages are counted. */
  async used(people: readonly Person[]): Promise<Record<string, UsedMessages>> {
    const counted = people.filter(({ quota }) => quota && countsMessages(quota));
    const now = this.#parts.clock.now();
    const rows = counted.map(async ({ id }): Promise<[string, UsedMessages]> => {
      const { hour, day } = roll(await this.#read(id), now);
      return [id, { thisHour: hour.count, today: day.count }];
    });
    return Object.fromEntries(await Promise.all(rows));
  }

  async #take(personId: string, runId: string, quota: PersonQuota): Promise<OverQuota | undefined> {
    const now = this.#parts.clock.now();
    const { costPerDay } = quota;
    if (costPerDay !== undefined && (await this.#parts.spentToday(personId)) >= costPerDay)
      return overCost(personId, costPerDay, now);
    if (!countsMessages(quota)) return undefined;
    const used = roll(await this.#read(personId), now);
    if (used.newest.includes(runId)) return undefined;
    const over = overMessages(personId, used, quota, now);
    if (over) return over;
    const counted: Used = {
      hour: { ...used.hour, count: used.hour.count + 1 },
      day: { ...used.day, count: used.day.count + 1 },
      newest: [...used.newest, runId].slice(-REMEMBERED_RUNS),
    };
    await this.#parts.ledger.commit([{ kind: "value-put", key: keyOf(personId), value: JSON.stringify(counted) }]);
    this.#used.set(personId, counted);
    return undefined;
  }

  async #read(personId: string): Promise<Used> {
    const known = this.#used.get(personId);
    if (known) return known;
    const stored = await this.#parts.ledger.value(keyOf(personId));
    return stored === undefined ? NOTHING : Used().parse(JSON.parse(stored));
  }
}

function countsMessages({ messagesPerHour, messagesPerDay }: PersonQuota): boolean {
  return messagesPerHour !== undefined || messagesPerDay !== undefined;
}

function keyOf(personId: string): string {
  return `people:messages:${personId}`;
}

/** Hours and days are those of the clock on the gateway's wall, as with budgets. */
function roll(used: Used, now: number): Used {
  const [hour, day] = [startOf("hour", now), startOf("day", now)];
  return {
    hour: used.hour.from === hour ? used.hour : { from: hour, count: 0 },
    day: used.day.from === day ? used.day : { from: day, count: 0 },
    newest: used.newest,
  };
}

type Unit = "hour" | "day";

function startOf(unit: Unit, now: number, next = 0): number {
  const at = new Date(now);
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
  return unit === "day"
    ? new Date(year, month, day + next).getTime()
    : new Date(year, month, day, at.getHours() + next).getTime();
}

/** The day first: who may not write before tomorrow need not come back in an hour. */
function overMessages(personId: string, used: Used, quota: PersonQuota, now: number): OverQuota | undefined {
  const limits = { day: quota.messagesPerDay, hour: quota.messagesPerHour };
  for (const unit of ["day", "hour"] as const) {
    const limit = limits[unit];
    if (limit === undefined || used[unit].count < limit) continue;
    const messages = limit === 1 ? "1 message" : `${limit} messages`;
    return {
      why: `${personId} has sent all ${messages} of this ${unit}`,
      once: `${personId} ${unit} ${used[unit].from}`,
      text: limit === 0 ? CLOSED : `That was your limit of ${messages} for this ${unit}. ${sayAgain(unit, now)}`,
    };
  }
  return undefined;
}

const CLOSED = "Messages from you are not taken at the moment. Whoever runs this assistant can change that.";

function overCost(personId: string, usd: number, now: number): OverQuota {
  return {
    why: `${personId} has spent all $${usd.toFixed(2)} of this day`,
    once: `${personId} cost ${startOf("day", now)}`,
    text: `What you may spend here in a day is used up. ${sayAgain("day", now)}`,
  };
}

function sayAgain(unit: Unit, now: number): string {
  const minutes = Math.max(1, Math.ceil((startOf(unit, now, 1) - now) / 60_000));
  if (minutes === 1) return "Please write again in a minute.";
  if (minutes < 120) return `Please write again in ${minutes} minutes.`;
  return `Please write again in about ${Math.round(minutes / 60)} hours.`;
}
