// Cost of a turn: adds up the usage of its model calls and makes the record of each.
import { noUsage, type AssistantMessage, type Change, type InboxMessage, type Usage } from "@chela/sdk";
import { jobOf } from "../../rooms/budgets/room.ts";

export class Spending {
  readonly total: Usage = noUsage();
  /** Usage of the newest call: its prompt is the present size of the context. */
  last: Usage = noUsage();

  /** Counts a call; returns what the ledger should know of it. */
  add(
    { usage, provider, model }: AssistantMessage,
    of: { readonly message: InboxMessage; readonly person: string; readonly at: number; readonly isPriced: boolean },
  ): Change[] {
    this.last = usage;
    for (const field of ["input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const) {
      this.total[field] += usage[field];
    }
    this.total.cost.total += usage.cost.total;
    if (usage.totalTokens === 0) return [];
    const { agentId, sessionKey, runId, channel } = of.message;
    const { input, output, cacheRead, cacheWrite, cost } = usage;
    const whose = { agentId, sessionKey, runId, channel, person: of.person, job: jobOf(sessionKey) };
    const spent = { at: of.at, ...whose, provider, model, input, output, cacheRead, cacheWrite };
    return [{ kind: "usage-add", usage: of.isPriced ? { ...spent, cost } : spent }];
  }

  /** For clients: what the whole turn used, and how large the context is now. */
  report(): Record<string, unknown> {
    return { usage: shortForm(this.total), lastCallUsage: shortForm(this.last), promptTokens: this.promptTokens };
  }

  get promptTokens(): number {
    return this.last.input + this.last.cacheRead + this.last.cacheWrite;
  }
}

function shortForm({ input, output, cacheRead, cacheWrite, totalTokens }: Usage) {
  return { input, output, cacheRead, cacheWrite, total: totalTokens };
}
