// Methods for usage: what was spent, and what may be.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { empty, UsageTotals, usageDays, type MethodSpec } from "../method-spec.ts";

const BudgetPart = () => z.looseObject({ limit: z.number(), spent: z.number(), left: z.number() });

const Budget = () =>
  z.looseObject({
    name: z.string(),
    scope: z.string(),
    /** The agent, session …; "" for all together. */
    of: z.string(),
    period: z.string(),
    usd: BudgetPart().optional(),
    tokens: BudgetPart().optional(),
    /** How much of it is gone: 1 is all. */
    share: z.number(),
    resetsAt: z.number().optional(),
  });

export const USAGE_METHODS = {
  "usage.status": {
    role: "operator",
    scope: "operator.read",
    says: "Quota windows of the model providers, where they are known",
    params: empty,
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        /** Always empty: no provider tells its windows. */
        providers: z.array(z.unknown()).max(0),
      }),
    ),
  },
  "usage.cost": {
    role: "operator",
    scope: "operator.read",
    says: "Tokens and cost by day",
    params: once(() => z.strictObject(usageDays())),
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        days: z.int(),
        /** Days on which something was used, the oldest first. */
        daily: z.array(UsageTotals().extend({ date: z.string() })),
        totals: UsageTotals(),
      }),
    ),
  },
  "usage.by": {
    role: "operator",
    scope: "operator.read",
    says: "Tokens and cost by agent, session, channel, person, job, model or provider; the most expensive first",
    params: once(() =>
      z.strictObject({
        dimension: z.enum(["agent", "session", "channel", "person", "job", "model", "provider"]),
        limit: z.int().min(1).max(1000).optional(),
        ...usageDays(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        dimension: z.string(),
        startDate: z.string(),
        endDate: z.string(),
        days: z.int(),
        rows: z.array(UsageTotals().extend({ name: z.string(), calls: z.int() })),
        totals: UsageTotals(),
      }),
    ),
  },
  "usage.budgets": {
    role: "operator",
    scope: "operator.read",
    says: "Spending limits, what is spent of each and what is left",
    params: empty,
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        /** The one that is closest to its end first. */
        budgets: z.array(Budget()),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
