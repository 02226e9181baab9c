// `budgets`: how much may be spent, by whom, in which time. A section of ours; other programs do not know it.
import { once } from "@chela/sdk";
import { choice, count, item, listOf, nonEmptyText, numberFrom0, share } from "./leaf.ts";

export const budgetsSection = once(() =>
  listOf(
    item(() => ({
      scope: choice("all", "agent", "session", "channel", "person", "job"),
      name: nonEmptyText(),
      period: choice("day", "month", "total"),
      usd: numberFrom0(),
      tokens: count(),
      warnAt: share(),
    })),
  ),
);
