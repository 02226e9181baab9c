// Counts what happened in a conversation: messages, tools, waiting times, by day.
import { dateOf, type Days } from "./days.ts";
import type { SeenMessage } from "./transcript-messages.ts";

type MessageCounts = {
  total: number;
  user: number;
  assistant: number;
  toolCalls: number;
  toolResults: number;
  errors: number;
};

type ModelDay = {
  readonly provider: string;
  readonly model: string;
  readonly tokens: number;
  readonly cost: number;
  readonly count: number;
};

interface ActiveDay {
  readonly counts: MessageCounts;
  readonly waits: number[];
  readonly models: Map<string, ModelDay>;
}

/** A pause longer than this is no waiting time: nobody was at work. */
const LONGEST_WAIT_MS = 12 * 3_600_000;

export class Activity {
  readonly #days: Pick<Days, "from" | "to" | "offsetMinutes">;
  readonly #byDay = new Map<string, ActiveDay>();
  readonly #tools = new Map<string, number>();
  #first: number | undefined;
  #last: number | undefined;

  constructor(days: Pick<Days, "from" | "to" | "offsetMinutes">) {
    this.#days = days;
  }

  async addAll(messages: AsyncIterable<SeenMessage>): Promise<void> {
    let askedAt: number | undefined;
    for await (const message of messages) {
      if (message.role === "user") askedAt = message.at;
      const wait = message.role === "assistant" && askedAt !== undefined ? message.at - askedAt : undefined;
      if (message.role === "assistant") askedAt = undefined;
      this.#add(message, wait);
    }
  }

  /** Adds what another one has counted over the same days. */
  include(other: Activity): void {
    for (const [date, { counts, waits, models }] of other.#byDay) {
      const day = this.#day(date);
      for (const field of Object.keys(counts) as Array<keyof MessageCounts>) day.counts[field] += counts[field];
      for (const wait of waits) day.waits.push(wait);
      for (const model of models.values()) addModel(day, model);
    }
    for (const [name, count] of other.#tools) this.#tools.set(name, (this.#tools.get(name) ?? 0) + count);
  }

  #add(message: SeenMessage, wait: number | undefined): void {
    const { at } = message;
    if (!(at >= this.#days.from && at < this.#days.to)) return;
    this.#first = Math.min(this.#first ?? at, at);
    this.#last = Math.max(this.#last ?? at, at);
    const day = this.#day(dateOf(at, this.#days.offsetMinutes));
    countMessage(day.counts, message);
    for (const { name } of message.calls) this.#tools.set(name, (this.#tools.get(name) ?? 0) + 1);
    if (wait !== undefined && wait >= 0 && wait <= LONGEST_WAIT_MS) day.waits.push(wait);
    if (message.spent) addModel(day, { ...message.spent, count: 1 });
  }

  #day(date: string): ActiveDay {
    const known = this.#byDay.get(date);
    if (known) return known;
    const fresh: ActiveDay = { counts: noMessages(), waits: [], models: new Map() };
    this.#byDay.set(date, fresh);
    return fresh;
  }

  get isEmpty(): boolean {
    return this.#byDay.size === 0;
  }

  get span(): { firstActivity?: number; lastActivity?: number; durationMs?: number } {
    if (this.#first === undefined || this.#last === undefined) return {};
    return { firstActivity: this.#first, lastActivity: this.#last, durationMs: this.#last - this.#first };
  }

  get dates(): string[] {
    return [...this.#byDay.keys()].toSorted();
  }

  get messageCounts(): MessageCounts {
    const sum = noMessages();
    for (const { counts } of this.#byDay.values()) {
      for (const field of Object.keys(sum) as Array<keyof MessageCounts>) sum[field] += counts[field];
    }
    return sum;
  }

  get toolUsage() {
    const tools = [...this.#tools].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count);
    return { totalCalls: tools.reduce((sum, { count }) => sum + count, 0), uniqueTools: tools.length, tools };
  }

  get dailyMessageCounts() {
    return this.dates.map((date) => ({ date, ...this.#day(date).counts }));
  }

  get latency(): Latency | undefined {
    return latencyOf([...this.#byDay.values()].flatMap(({ waits }) => waits));
  }

  get dailyLatency() {
    return this.dates.flatMap((date) => {
      const latency = latencyOf(this.#day(date).waits);
      return latency ? [{ date, ...latency }] : [];
    });
  }

  get dailyModelUsage() {
    return this.dates.flatMap((date) => [...this.#day(date).models.values()].map((model) => ({ date, ...model })));
  }
}

type Latency = {
  readonly count: number;
  readonly avgMs: number;
  readonly p95Ms: number;
  readonly minMs: number;
  readonly maxMs: number;
};

function noMessages(): MessageCounts {
  return { total: 0, user: 0, assistant: 0, toolCalls: 0, toolResults: 0, errors: 0 };
}

function countMessage(counts: MessageCounts, { role, calls, isError }: SeenMessage): void {
  counts.total += 1;
  counts[role === "toolResult" ? "toolResults" : role] += 1;
  counts.toolCalls += calls.length;
  if (isError) counts.errors += 1;
}

function addModel({ models }: ActiveDay, { provider, model, tokens, cost, count }: ModelDay): void {
  const name = `${provider}/${model}`;
  const sum = models.get(name) ?? { provider, model, tokens: 0, cost: 0, count: 0 };
  models.set(name, { ...sum, tokens: sum.tokens + tokens, cost: sum.cost + cost, count: sum.count + count });
}

function latencyOf(waits: readonly number[]): Latency | undefined {
  const sorted = waits.toSorted((a, b) => a - b);
  const [minMs, maxMs] = [sorted[0], sorted.at(-1)];
  if (minMs === undefined || maxMs === undefined) return undefined;
  const avgMs = Math.round(sorted.reduce((sum, wait) => sum + wait, 0) / sorted.length);
  return { count: sorted.length, avgMs, p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? maxMs, minMs, maxMs };
}
