// Names of people, rights, limits and times.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { InOtherWords, Sections, Words } from "../words/index.ts";

type OverviewWords = InOtherWords<Sections["overview"]>;
type Budget = MethodAnswer<"usage.budgets">["budgets"][number];

/** What they call themselves at their platform. Anybody may choose any name, so the id is always shown beside it. */
export function personName({
  id,
  meta,
}: {
  readonly id: string;
  readonly meta: Readonly<Record<string, string>>;
}): string {
  const { name, displayName, firstName = "", lastName = "", username, tag } = meta;
  return name || displayName || `${firstName} ${lastName}`.trim() || username || tag || id;
}

/** "Full control" says all; the others are listed. */
export function rightsOf(scopes: readonly string[], words: OverviewWords): string {
  const known: Readonly<Record<string, string>> = {
    "operator.approvals": words.scope_approvals,
    "operator.pairing": words.scope_pairing,
    "operator.read": words.scope_read,
    "operator.write": words.scope_write,
  };
  if (scopes.includes("operator.admin")) return words.scope_admin;
  return scopes.map((scope) => known[scope] ?? scope).join(", ");
}

/** "Daily limit for main". */
export function limitName({ period, of, name }: Budget, words: OverviewWords): string {
  const limits: Readonly<Record<string, string>> = {
    day: words.limit_day,
    month: words.limit_month,
    total: words.limit_total,
  };
  const limit = limits[period];
  if (!limit) return name;
  return of ? words.limitFor(limit, of) : limit;
}

/** What is spent of a limit: money if it is one of money, else tokens. */
export function amountOf({ usd, tokens }: Budget, format: Words, words: OverviewWords): string {
  if (usd) return words.ofLimit(format.money(usd.spent), format.money(usd.limit));
  return tokens ? words.ofTokens(format.compact(tokens.spent), format.compact(tokens.limit)) : "";
}

const MINUTE_MS = 60_000;

/** Seconds are not told: they would be wrong a moment later. */
export function whenOf(ms: number, format: Words, words: OverviewWords): string {
  return Math.abs(Date.now() - ms) < MINUTE_MS ? words.justNow : format.ago(ms);
}
