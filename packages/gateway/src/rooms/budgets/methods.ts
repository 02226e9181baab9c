// Methods that tell what was spent, by whom, and what may still be spent.
import type { USAGE_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { listBudgets } from "./usage/budget-list.ts";
import { readDays } from "./usage/days.ts";
import { totalsOf } from "./usage/totals.ts";

type UsageMethods = Pick<Handlers, keyof typeof USAGE_METHODS>;

const USUAL_ROWS = 50;

export function usageMethods(gateway: Pick<House, "agents" | "budgets" | "clock" | "ledger" | "people">): UsageMethods {
  const { clock, ledger } = gateway;
  return {
    "usage.status": () => ({ updatedAt: clock.now(), providers: [] }),

    async "usage.cost"(params) {
      const now = clock.now();
      const days = readDays(params, now);
      const spent = await ledger.usageByDay(days);
      const daily = spent.map((day) => ({ date: day.date, ...totalsOf([day]) }));
      return { updatedAt: now, days: days.count, daily, totals: totalsOf(spent) };
    },

    async "usage.by"({ dimension, limit = USUAL_ROWS, ...asked }) {
      const now = clock.now();
      const { from, to, startDate, endDate, count } = readDays(asked, now);
      const groups = await ledger.usageBy(dimension, { from, to }, limit);
      const rows = groups.map((group) => ({ name: group.name, calls: group.calls, ...totalsOf([group]) }));
      const total = await ledger.usageTotal({ from, to });
      return { updatedAt: now, dimension, startDate, endDate, days: count, rows, totals: totalsOf([total]) };
    },

    async "usage.budgets"() {
      const now = clock.now();
      const agentIds = gateway.agents().map(({ id }) => id);
      const rules = gateway.people.budgetRules();
      return { updatedAt: now, budgets: await listBudgets({ budgets: gateway.budgets, ledger, rules, agentIds, now }) };
    },
  };
}
