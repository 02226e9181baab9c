// What was spent and what may be, for commands that tell it.
import type { InboxMessage, Ledger, Requester } from "@chela/sdk";
import { nameLimit, type Budgets } from "../../rooms/budgets/room.ts";
import type { Budget, CommandWorld } from "../../rooms/commands/room.ts";
import { spenderOf } from "../turn/stage.ts";

const DAY_MS = 86_400_000;

export async function usageFor(
  { sessionKey, admittedAt }: InboxMessage,
  ledger: Ledger,
): ReturnType<CommandWorld["usage"]> {
  const spent = async (from: number, of?: { session: string }) => {
    const sum = await ledger.usageTotal({ from, to: Number.MAX_SAFE_INTEGER, ...(of ? { of } : {}) });
    const cost = sum.inputCost + sum.outputCost + sum.cacheReadCost + sum.cacheWriteCost;
    return { tokens: sum.input + sum.output + sum.cacheRead + sum.cacheWrite, cost };
  };
  const midnight = new Date(admittedAt).setHours(0, 0, 0, 0);
  return {
    session: await spent(0, { session: sessionKey }),
    today: await spent(midnight),
    month: await spent(admittedAt - 30 * DAY_MS),
  };
}

export async function budgetsFor(message: InboxMessage, requester: Requester, budgets: Budgets): Promise<Budget[]> {
  const states = await budgets.view(spenderOf(message, requester));
  return states.flatMap(({ limit, spent }) => {
    const resetsAt = limit.period === "total" ? {} : { resetsAt: limit.to };
    const name = nameLimit(limit);
    return [
      ...(Number.isFinite(limit.usd)
        ? [{ name, unit: "usd" as const, limit: limit.usd, used: spent.usd, ...resetsAt }]
        : []),
      ...(Number.isFinite(limit.tokens)
        ? [{ name, unit: "tokens" as const, limit: limit.tokens, used: spent.tokens, ...resetsAt }]
        : []),
    ];
  });
}
