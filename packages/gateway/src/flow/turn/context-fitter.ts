// Decides what a model sees of a conversation, request by request: old results pruned, what does not fit left out.
import type { AgentMessage, ModelInfo } from "@chela/sdk";
import {
  contextWindow,
  createPruningState,
  createTokenCounter,
  fitContext,
  pruneContext,
  reserveTokensFor,
  type ContextSettings,
  type PruningState,
  type TokenCounter,
} from "../../rooms/agent/room.ts";

const MOST_SESSIONS = 500;

export interface Sight {
  readonly sessionId: string;
  readonly model: ModelInfo;
  readonly settings: ContextSettings;
  readonly now: number;
  /** When the provider last saw this conversation. */
  readonly lastTouch?: number;
  /** Whether the first message is a summary, which always stays. */
  readonly hasSummary: boolean;
}

export class ContextFitter {
  readonly counter: TokenCounter = createTokenCounter();
  /** What was pruned stays pruned, so that the beginning of the prompt stays the same. In order of use. */
  readonly #pruned = new Map<string, PruningState>();

  fit(messages: readonly AgentMessage[], sight: Sight): AgentMessage[] {
    const { model, settings } = sight;
    const contextTokens = contextWindow(settings, model);
    const pruned = pruneContext(
      messages,
      this.#pruned.get(sight.sessionId) ?? createPruningState(),
      { now: sight.now, contextTokens, ...(sight.lastTouch === undefined ? {} : { lastTouch: sight.lastTouch }) },
      settings.pruning,
    );
    this.#remember(sight.sessionId, pruned.state);
    return fitContext(pruned.messages, {
      contextTokens,
      reserveTokens: reserveTokensFor(settings.compaction, contextTokens),
      count: (message) => this.counter.message(model, message),
      pinned: sight.hasSummary ? 1 : 0,
    });
  }

  /** The conversation begins anew, or with a summary. */
  forget(sessionId: string): void {
    this.#pruned.delete(sessionId);
  }

  #remember(sessionId: string, state: PruningState): void {
    this.#pruned.delete(sessionId);
    this.#pruned.set(sessionId, state);
    const oldest = this.#pruned.keys().next().value;
    if (this.#pruned.size > MOST_SESSIONS && oldest !== undefined) this.#pruned.delete(oldest);
  }
}
