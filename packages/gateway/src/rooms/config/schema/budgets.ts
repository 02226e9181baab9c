// `budgets`: how much may be spent, by whom, in which time. A section of ours; other programs do not know it.
import { choice, count, item, key, listOf, nonEmptyText, numberFrom0, section, share } from "@chela/sdk/config";

export const budgetsSection = section("How much may be spent, by whom and in which time.", { reload: "live" }, () =>
  listOf(
    item(() => ({
      scope: key(
        choice("all", "agent", "session", "channel", "person", "job"),
        "Whose spending is counted together: everybody's (all, the default), or that of each agent, session, channel, person or job.",
      ),
      name: key(nonEmptyText(), "The limit holds for this agent, session … only; without it for each by itself."),
      period: key(
        choice("day", "month", "total"),
        "When the count starts anew: at midnight (the default), on the first of the month, or never.",
      ),
      usd: key(numberFrom0(), "Most that may be spent, in US dollars."),
      tokens: key(count(), "Most that may be used, in tokens read and written."),
      warnAt: key(share(), "The share of the limit at which people are told; 0.8 by default."),
    })),
  ),
);
