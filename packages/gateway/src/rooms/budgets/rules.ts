// Types of spending limits, and the words for them.

const BUDGET_SCOPES = ["all", "agent", "session", "channel", "person", "job"] as const;
type BudgetScope = (typeof BUDGET_SCOPES)[number];
type BudgetPeriod = "day" | "month" | "total";

/** One limit of the configuration. Without a name it holds for each agent, session … by itself. */
export interface BudgetRule {
  readonly scope?: BudgetScope | undefined;
  readonly name?: string | undefined;
  readonly period?: BudgetPeriod | undefined;
  readonly usd?: number | undefined;
  readonly tokens?: number | undefined;
  /** The share at which people are told. */
  readonly warnAt?: number | undefined;
}

/** Whose call it is. Empty where there is none. */
export interface Spender {
  readonly agent: string;
  readonly session: string;
  readonly channel: string;
  readonly person: string;
  /** The id the person wrote under, where they are counted under another name: limits on it hold for them as a whole. */
  readonly sender?: string;
  readonly job: string;
}

export interface Amount {
  readonly usd: number;
  readonly tokens: number;
}

/** One limit as it applies to one spender in one period. */
export interface Limit {
  readonly id: string;
  readonly scope: BudgetScope;
  /** The agent, session …; "" for all together. */
  readonly name: string;
  readonly period: BudgetPeriod;
  readonly usd: number;
  readonly tokens: number;
  readonly warnAt: number;
  readonly from: number;
  /** When it starts anew. */
  readonly to: number;
}

const WARN_AT = 0.8;
const FOREVER = 8_640_000_000_000_000;

/** The limits that hold for this spender now. */
export function limitsFor(rules: readonly BudgetRule[], spender: Spender, now: number): Limit[] {
  return rules.flatMap((rule) => {
    const scope = rule.scope ?? "all";
    const name = scope === "all" ? "" : spender[scope];
    const means = scope === "person" ? [name, spender.sender] : [name];
    if (scope !== "all" && (name === "" || (rule.name !== undefined && !means.includes(rule.name)))) return [];
    const period = rule.period ?? "day";
    const { from, to } = periodAround(period, now);
    const usd = rule.usd ?? Number.POSITIVE_INFINITY;
    const tokens = rule.tokens ?? Number.POSITIVE_INFINITY;
    const id = JSON.stringify([scope, rule.name ?? null, name, period, from]);
    return [{ id, scope, name, period, usd, tokens, warnAt: rule.warnAt ?? WARN_AT, from, to }];
  });
}

/** Days and months begin at midnight where the gateway stands. */
function periodAround(period: BudgetPeriod, now: number): { from: number; to: number } {
  const at = new Date(now);
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
  switch (period) {
    case "day":
      return { from: new Date(year, month, day).getTime(), to: new Date(year, month, day + 1).getTime() };
    case "month":
      return { from: new Date(year, month, 1).getTime(), to: new Date(year, month + 1, 1).getTime() };
    case "total":
      return { from: 0, to: FOREVER };
  }
}

const PERIOD_WORDS = { day: "daily", month: "monthly", total: "total" } as const;

export function nameLimit({ scope, name, period }: Limit): string {
  return `${PERIOD_WORDS[period]} limit${scope === "all" ? "" : ` of ${scope} ${name.replace(/^person:/, "")}`}`;
}

export function sayAnew({ period }: Limit): string {
  if (period === "day") return "It starts anew at midnight.";
  return period === "month" ? "It starts anew on the first of the month." : "It does not start anew by itself.";
}

/** "$1.20 of $5.00", or tokens, whichever is closer to its end. */
export function saySpent(limit: Limit, spent: Amount): string {
  const money = `$${spent.usd.toFixed(2)} of $${limit.usd.toFixed(2)}`;
  const tokens = `${spent.tokens.toLocaleString("en-US")} of ${limit.tokens.toLocaleString("en-US")} tokens`;
  return spent.usd / limit.usd >= spent.tokens / limit.tokens && limit.usd !== Number.POSITIVE_INFINITY
    ? money
    : tokens;
}
