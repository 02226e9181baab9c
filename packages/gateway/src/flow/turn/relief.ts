// Makes a conversation fit that turned out too long for its model: a summary stands in for its beginning, or long results are cut.
import type { AgentMessage, InboxMessage } from "@chela/sdk";
import { contextWindow, shrinkOversizedResults } from "../../rooms/agent/room.ts";
import { compactSession } from "./compact-session.ts";
import type { TurnKit } from "./kit.ts";
import type { Stage } from "./stage.ts";
import type { TurnTrace } from "./trace.ts";

/** Compacting more often than this does not make a conversation fit. */
const MOST_COMPACTIONS = 3;
/** Parts of the window a single result may take, when nothing else helps. */
const RESULT_SHARES = [0.3, 0.1];

export interface ReliefNeeds {
  readonly message: InboxMessage;
  readonly stage: Stage;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly trace: TurnTrace;
  /** Makes sure that the beginning of the turn is in the ledger: what is summarised is read from there. */
  settle(): Promise<void>;
  /** The conversation as it stands in the ledger now. */
  readHistory(): Promise<readonly AgentMessage[]>;
}

export class TurnRelief {
  readonly #kit: TurnKit;
  readonly #needs: ReliefNeeds;
  #shrunkTimes = 0;

  constructor(kit: TurnKit, needs: ReliefNeeds) {
    this.#kit = kit;
    this.#needs = needs;
  }

  /** A shorter conversation to go on with, or undefined when there is none. */
  async relieve(): Promise<readonly AgentMessage[] | undefined> {
    const { trace, readHistory, message, stage, deadlineAt, signal } = this.#needs;
    await this.#needs.settle();
    if (trace.compactions < MOST_COMPACTIONS) {
      const done = await compactSession({ message, stage, deadlineAt, signal }, this.#kit);
      if (done.kind === "compacted") {
        trace.compacted();
        return readHistory();
      }
      trace.note(`not compacted: ${done.why}`);
    }
    return this.#shrink(await readHistory());
  }

  #shrink(history: readonly AgentMessage[]): readonly AgentMessage[] | undefined {
    const { model, settings } = this.#needs.stage;
    const window = contextWindow(settings.context, model);
    const count = (one: AgentMessage) => this.#kit.fitter.counter.message(model, one);
    while (this.#shrunkTimes < RESULT_SHARES.length) {
      const share = RESULT_SHARES[this.#shrunkTimes++] ?? 0;
      const { messages, shrunk } = shrinkOversizedResults(history, { window, count, share });
      if (shrunk > 0) return messages;
    }
    return undefined;
  }
}
