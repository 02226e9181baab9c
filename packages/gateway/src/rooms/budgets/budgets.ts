// Keeps spending inside its limits: what a call may cost is set aside before it is made, and settled after it.
import type { Clock, Ledger, UsageSum } from "@chela/sdk";
import {
  limitsFor,
  nameLimit,
  sayAnew,
  saySpent,
  type Amount,
  type BudgetRule,
  type Limit,
  type Spender,
} from "./rules.ts";

/** What a call is going to cost at most, apart from its answer, and what the answer costs by the token. */
export interface CallEstimate {
  readonly inputTokens: number;
  /** US dollars per token; 0 where no price is known. */
  readonly inputPrice: number;
  readonly outputPrice: number;
  /** How long the answer may get. */
  readonly maxTokens: number;
}

export type Reservation =
  | {
      readonly kind: "granted";
      /** The answer may be this long, so that no limit is passed. */
      readonly maxTokens: number;
      /** Said once per limit and period, when most of it is spent. */
      readonly warnings: readonly string[];
      /** What it really cost; undefined when nothing came of the call. Counts once. */
      settle(actual: Amount | undefined): void;
    }
  | { readonly kind: "denied"; readonly why: string };

export interface BudgetState {
  readonly limit: Limit;
  readonly spent: Amount;
}

interface Counter {
  usd: number;
  tokens: number;
  /** Set aside for calls under way. */
  heldUsd: number;
  heldTokens: number;
  hasWarned: boolean;
}

/** An answer shorter than this helps nobody. */
const SHORTEST_ANSWER = 256;
/** Periods that are over are forgotten in time. */
const MAX_COUNTERS = 5000;

export class Budgets {
  readonly #rules: () => readonly BudgetRule[];
  readonly #ledger: Pick<Ledger, "usageTotal">;
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counter>();
  readonly #loading = new Map<string, Promise<Counter>>();

  constructor(parts: {
    readonly rules: () => readonly BudgetRule[];
    readonly ledger: Pick<Ledger, "usageTotal">;
    readonly clock: Clock;
  }) {
    this.#rules = parts.rules;
    this.#ledger = parts.ledger;
    this.#clock = parts.clock;
  }

  /** Reads what was spent before; must be awaited before `reserve` is asked for this spender. */
  async prepare(spender: Spender): Promise<void> {
    const rules = this.#rules();
    if (rules.length === 0) return;
    for (const limit of limitsFor(rules, spender, this.#clock.now())) await this.#load(limit);
  }

  /** In one step, so that calls side by side cannot spend the same money. */
  reserve(spender: Spender, call: CallEstimate): Reservation {
    const limits = limitsFor(this.#rules(), spender, this.#clock.now());
    const open = limits.map((limit) => ({ limit, counter: this.#counter(limit) }));
    const inputUsd = call.inputTokens * call.inputPrice;
    let { maxTokens } = call;
    for (const { limit, counter } of open) {
      maxTokens = Math.min(
        maxTokens,
        tokensLeft(limit, counter) - call.inputTokens,
        call.outputPrice > 0 ? Math.floor((usdLeft(limit, counter) - inputUsd) / call.outputPrice) : maxTokens,
        call.inputPrice > 0 && usdLeft(limit, counter) < inputUsd ? 0 : maxTokens,
      );
      if (maxTokens < Math.min(SHORTEST_ANSWER, call.maxTokens))
        return { kind: "denied", why: sayReached(limit, counter) };
    }
    const held = { usd: inputUsd + maxTokens * call.outputPrice, tokens: call.inputTokens + maxTokens };
    for (const { counter } of open) hold(counter, held, 1);
    return { kind: "granted", maxTokens, warnings: warnings(open), settle: this.#settleOnce(open, held) };
  }

  /** The limits of this spender and what is spent of them. */
  async view(spender: Spender): Promise<BudgetState[]> {
    await this.prepare(spender);
    return limitsFor(this.#rules(), spender, this.#clock.now()).map((limit) => {
      const { usd, tokens } = this.#counter(limit);
      return { limit, spent: { usd, tokens } };
    });
  }

  #settleOnce(open: ReadonlyArray<{ counter: Counter }>, held: Amount): (actual: Amount | undefined) => void {
    let isSettled = false;
    return (actual) => {
      if (isSettled) return;
      isSettled = true;
      for (const { counter } of open) {
        hold(counter, held, -1);
        counter.usd += actual?.usd ?? 0;
        counter.tokens += actual?.tokens ?? 0;
      }
    };
  }

  #counter(limit: Limit): Counter {
    const found = this.#counters.get(limit.id);
    if (found) return found;
    // A limit that came into force, or a day that began, after `prepare`: nothing of it can be spent yet but by us.
    const fresh = { usd: 0, tokens: 0, heldUsd: 0, heldTokens: 0, hasWarned: false };
    this.#counters.set(limit.id, fresh);
    return fresh;
  }

  async #load(limit: Limit): Promise<Counter> {
    const found = this.#counters.get(limit.id);
    if (found) return found;
    const loading = this.#loading.get(limit.id) ?? this.#read(limit);
    this.#loading.set(limit.id, loading);
    return loading.finally(() => this.#loading.delete(limit.id));
  }

  async #read(limit: Limit): Promise<Counter> {
    const of = limit.scope === "all" ? {} : { of: { [limit.scope]: limit.name } };
    const sum = await this.#ledger.usageTotal({ from: limit.from, to: limit.to, ...of });
    if (this.#counters.size >= MAX_COUNTERS) this.#forgetIdle();
    const counter = this.#counter(limit);
    counter.usd += costOf(sum);
    counter.tokens += sum.input + sum.output + sum.cacheRead + sum.cacheWrite;
    return counter;
  }

  #forgetIdle(): void {
    for (const [id, { heldTokens }] of this.#counters) if (heldTokens === 0) this.#counters.delete(id);
  }
}

function hold(counter: Counter, amount: Amount, sign: 1 | -1): void {
  counter.heldUsd = Math.max(0, counter.heldUsd + sign * amount.usd);
  counter.heldTokens = Math.max(0, counter.heldTokens + sign * amount.tokens);
}

function usdLeft(limit: Limit, counter: Counter): number {
  return limit.usd - counter.usd - counter.heldUsd;
}

function tokensLeft(limit: Limit, counter: Counter): number {
  return limit.tokens - counter.tokens - counter.heldTokens;
}

function costOf(sum: UsageSum): number {
  return sum.inputCost + sum.outputCost + sum.cacheReadCost + sum.cacheWriteCost;
}

function sayReached(limit: Limit, counter: Counter): string {
  const busy = counter.heldTokens > 0 ? ", and calls under way may need the rest" : "";
  return `the ${nameLimit(limit)} has no room for this call (${saySpent(limit, counter)} spent${busy}). ${sayAnew(limit)}`;
}

function warnings(open: ReadonlyArray<{ limit: Limit; counter: Counter }>): string[] {
  return open.flatMap(({ limit, counter }) => {
    const share = Math.max(counter.usd / limit.usd, counter.tokens / limit.tokens);
    if (counter.hasWarned || share < limit.warnAt) return [];
    counter.hasWarned = true;
    return [`⚠️ ${Math.round(share * 100)} % of the ${nameLimit(limit)} is spent: ${saySpent(limit, counter)}.`];
  });
}
