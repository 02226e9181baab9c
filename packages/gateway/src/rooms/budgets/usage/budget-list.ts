// Every spending limit that means somebody, with what is spent of it and what is left.
import type { Ledger } from "@chela/sdk";
import { nameLimit, type BudgetRule, type Budgets, type BudgetState, type Spender } from "../room.ts";

export interface BudgetListParts {
  readonly budgets: Pick<Budgets, "view">;
  readonly ledger: Pick<Ledger, "usageBy">;
  readonly rules: readonly BudgetRule[];
  readonly agentIds: readonly string[];
  readonly now: number;
}

type ListedBudget = {
  readonly limit: number;
  readonly spent: number;
  readonly left: number;
};

type ShownBudget = {
  readonly name: string;
  readonly scope: string;
  /** The agent, session …; "" for all together. */
  readonly of: string;
  readonly period: string;
  readonly usd?: ListedBudget;
  readonly tokens?: ListedBudget;
  /** How much of it is gone: 1 is all. */
  readonly share: number;
  readonly resetsAt?: number;
};

type Scope = Exclude<NonNullable<BudgetRule["scope"]>, "all">;

const NOBODY: Spender = { agent: "", session: "", channel: "", person: "", job: "" };
/** A limit that holds for each of many is shown for those who spend most. */
const MOST_OF_A_KIND = 50;
const LONGEST_PERIOD_MS = 31 * 86_400_000;

export async function listBudgets(parts: BudgetListParts): Promise<ShownBudget[]> {
  const states = new Map<string, BudgetState>();
  for (const spender of await spendersOf(parts)) {
    for (const state of await parts.budgets.view(spender)) states.set(state.limit.id, state);
  }
  return [...states.values()].map(show).toSorted((a, b) => b.share - a.share || a.name.localeCompare(b.name));
}

async function spendersOf(parts: BudgetListParts): Promise<Spender[]> {
  const spenders = [NOBODY];
  for (const rule of parts.rules) {
    const { scope = "all" } = rule;
    if (scope === "all") continue;
    for (const name of await namesFor(scope, rule, parts)) spenders.push({ ...NOBODY, [scope]: name });
  }
  return spenders;
}

async function namesFor(scope: Scope, rule: BudgetRule, parts: BudgetListParts): Promise<readonly string[]> {
  if (rule.name !== undefined) return [rule.name];
  if (scope === "agent") return parts.agentIds;
  const from = rule.period === "total" ? 0 : parts.now - LONGEST_PERIOD_MS;
  const groups = await parts.ledger.usageBy(scope, { from, to: parts.now + 1 }, MOST_OF_A_KIND);
  return groups.map(({ name }) => name).filter((name) => name !== "");
}

function show({ limit, spent }: BudgetState): ShownBudget {
  const usd = partOf(limit.usd, spent.usd);
  const tokens = partOf(limit.tokens, spent.tokens);
  return {
    name: nameLimit(limit),
    scope: limit.scope,
    of: limit.name,
    period: limit.period,
    ...(usd ? { usd } : {}),
    ...(tokens ? { tokens } : {}),
    share: Math.max(shareOf(usd), shareOf(tokens)),
    ...(limit.period === "total" ? {} : { resetsAt: limit.to }),
  };
}

function partOf(limit: number, spent: number): ListedBudget | undefined {
  return Number.isFinite(limit) ? { limit, spent, left: Math.max(0, limit - spent) } : undefined;
}

/** A limit of nothing is used up. */
function shareOf(part: ListedBudget | undefined): number {
  if (!part) return 0;
  return part.limit === 0 ? 1 : part.spent / part.limit;
}
