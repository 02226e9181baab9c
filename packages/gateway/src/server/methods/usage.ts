// Methods that tell what was spent.
import type { UsageDay } from "@chela/sdk";
import { invalid, type Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;

export function usageMethods(gateway: GatewayParts): Pick<Handlers, "usage.status" | "usage.cost"> {
  return {
    "usage.status": () => ({ updatedAt: gateway.clock.now(), providers: [] }),

    async "usage.cost"(params) {
      const now = gateway.clock.now();
      const offsetMinutes = offsetOf(params, now);
      const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) - offsetMinutes * 60_000;
      const today = new Date(now + offsetMinutes * 60_000).toISOString().slice(0, 10);
      const to = startOfDay(readDate(params.endDate) ?? today) + DAY_MS;
      const start = readDate(params.startDate);
      const from = start ? startOfDay(start) : to - (params.days ?? 30) * DAY_MS;
      if (from >= to) throw invalid("startDate must not be after endDate");
      const days = await gateway.ledger.usageByDay({ from, to, offsetMinutes });
      const daily = days.map((day) => ({ date: day.date, ...totalsOf([day]) }));
      return { updatedAt: now, days: Math.round((to - from) / DAY_MS), daily, totals: totalsOf(days) };
    },
  };
}

function readDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!DATE.test(text) || Number.isNaN(Date.parse(text))) throw invalid(`not a date: "${text}" (write YYYY-MM-DD)`);
  return text;
}

/** Minutes east of UTC. */
function offsetOf(params: { mode?: string | undefined; utcOffset?: string | undefined }, now: number): number {
  if (params.mode === "gateway") return -new Date(now).getTimezoneOffset();
  if (params.mode !== "specific") return 0;
  const match = /^UTC(?:([+-])(\d{1,2})(?::?(\d\d))?)?$/i.exec(params.utcOffset ?? "");
  if (!match) throw invalid(`not an offset: "${params.utcOffset ?? ""}" (write for instance UTC+5:30)`);
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return match[1] === "-" ? -minutes : minutes;
}

function totalsOf(days: readonly UsageDay[]) {
  const sum = (field: Exclude<keyof UsageDay, "date">): number => days.reduce((total, day) => total + day[field], 0);
  const [input, output, cacheRead, cacheWrite] = [sum("input"), sum("output"), sum("cacheRead"), sum("cacheWrite")];
  const costs = {
    inputCost: sum("inputCost"),
    outputCost: sum("outputCost"),
    cacheReadCost: sum("cacheReadCost"),
    cacheWriteCost: sum("cacheWriteCost"),
  };
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    totalCost: costs.inputCost + costs.outputCost + costs.cacheReadCost + costs.cacheWriteCost,
    ...costs,
    missingCostEntries: sum("missingCostEntries"),
  };
}
