// Lists the models a call may use, first choice first: the session's wish, then what the configuration lists.
import { GatewayError, normalizeAgentId, type Logger, type ModelInfo } from "@chela/sdk";
import type { ModelChoiceView, ModelsConfigView } from "../config-view.ts";

export interface CandidateNeeds {
  readonly config: ModelsConfigView;
  readonly log: Logger;
  /** Throws MODEL_UNKNOWN. */
  resolve(ref: string): ModelInfo;
  /** The model to use when the configuration names none. */
  fallbackChoice(): Promise<readonly ModelInfo[]>;
}

export interface CandidateQuestion {
  readonly agentId: string;
  /** What the session was switched to. */
  readonly override?: string | undefined;
  /** Instead of those in the configuration. */
  readonly fallbacks?: readonly string[] | undefined;
}

/** Throws MODEL_UNKNOWN when the first choice does not exist: nobody should silently talk to another model. */
export async function candidatesFor(question: CandidateQuestion, needs: CandidateNeeds): Promise<ModelInfo[]> {
  const { config } = needs;
  const own = config.agents?.list?.find(({ id }) => normalizeAgentId(id) === question.agentId)?.model;
  const defaults = config.agents?.defaults?.model;
  const primary = question.override ?? primaryOf(own) ?? primaryOf(defaults);
  const fallbacks = (question.fallbacks ?? fallbacksOf(own) ?? fallbacksOf(defaults) ?? []).flatMap((ref) =>
    tryResolve(ref, needs),
  );
  const first = primary === undefined ? await needs.fallbackChoice() : [needs.resolve(primary)];
  return [...new Map([...first, ...fallbacks].map((model) => [`${model.provider}/${model.id}`, model])).values()];
}

/** A fallback that does not exist is no reason to refuse the call. */
export function tryResolve(ref: string, { log, resolve }: Pick<CandidateNeeds, "log" | "resolve">): ModelInfo[] {
  try {
    return [resolve(ref)];
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    log.warn(`A fallback model is passed over. ${error.message}`);
    return [];
  }
}

function primaryOf(choice: ModelChoiceView | undefined): string | undefined {
  return (typeof choice === "string" ? choice : choice?.primary) || undefined;
}

function fallbacksOf(choice: ModelChoiceView | undefined): readonly string[] | undefined {
  return typeof choice === "object" ? choice.fallbacks : undefined;
}
