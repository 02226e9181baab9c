// Asks the model that may read conversations for memory: paid for, counted and audited like any other call.
import type { House } from "./house.ts";
import {
  toGatewayError,
  type Change,
  type ModelAttempt,
  type ModelFailure,
  type ModelInfo,
  type Usage,
} from "@chela/sdk";
import { auditChange, modelEvent, promptDigest, type NewAuditEvent } from "../rooms/audit/room.ts";
import { ContextFitter } from "../flow/turn/context-fitter.ts";
import { reserveFor } from "../flow/turn/stage.ts";
import type { ModelAnswer, ModelQuestion } from "../rooms/memory/room.ts";
import type { ModelCall } from "../rooms/models/room.ts";

export type MemoryReadingParts = Pick<House, "clock" | "log" | "models" | "budgets">;

const DEADLINE_MS = 120_000;
const ABOUT_TEXT: ReadonlySet<string> = new Set(["refused", "bad-request", "context-overflow", "malformed"]);

/** Only the model that was named is asked: what people said goes to nobody else. */
export function readWithModel(house: MemoryReadingParts): (question: ModelQuestion) => Promise<ModelAnswer> {
  const counting = { house, fitter: new ContextFitter() };
  return async (question) => {
    const { agentId, model: override } = question;
    try {
      const [model] = await house.models.candidates({ agentId, override, fallbacks: [] });
      if (!model) throw new TypeError("a model that was named is a candidate");
      await house.budgets.prepare(spenderOf(question));
      return await converse(question, model, house, counting);
    } catch (error) {
      const { detail: why } = toGatewayError(error, "MODEL_UNKNOWN");
      return { kind: "failed", why, isAboutText: false, tokens: 0, changes: [] };
    }
  };
}

async function converse(
  question: ModelQuestion,
  model: ModelInfo,
  house: MemoryReadingParts,
  counting: Parameters<typeof reserveFor>[1],
): Promise<ModelAnswer> {
  const changes: Change[] = [];
  const failures: ModelFailure[] = [];
  const call = callFor(question, model, house, {
    reserve: reserveFor(spenderOf(question), counting, (warning) => house.log.warn(warning)),
    attempted(attempt, event) {
      if (attempt.failure) failures.push(attempt.failure);
      changes.push(auditChange(event, attempt.endedAt));
    },
  });
  let text = "";
  for await (const event of house.models.converse(call, question.signal)) {
    if (event.kind === "text") text += event.delta;
    else if (event.kind === "failure") {
      const { reason, message: why } = failures[0] ?? event.failure;
      // Nobody is charged for a call that was turned away; what a call that hung has cost is not known.
      const tokens = text === "" && reason !== "timeout" ? 0 : undefined;
      return { kind: "failed", why, isAboutText: ABOUT_TEXT.has(reason), tokens, changes };
    } else if (event.kind === "finish") {
      if (event.usage.totalTokens > 0) changes.push(usageChange(question, model, event.usage, house.clock.now()));
      // A provider that counts nothing is taken to have used what was expected.
      const ended = { tokens: event.usage.totalTokens || undefined, changes };
      if (event.stopReason !== "aborted") return { kind: "said", text, ...ended };
      return { kind: "failed", why: "it was stopped", isAboutText: false, ...ended };
    }
  }
  return { kind: "failed", why: "the model said nothing", isAboutText: true, tokens: undefined, changes };
}

/** One attempt: what was set aside of the day's tokens is enough for no more. */
function callFor(
  { agentId, sessionKey, runId, system, text, maxTokens }: ModelQuestion,
  model: ModelInfo,
  { clock, log }: MemoryReadingParts,
  needs: {
    readonly reserve: NonNullable<ModelCall["reserve"]>;
    attempted(attempt: ModelAttempt, event: NewAuditEvent): void;
  },
): ModelCall {
  const message = { role: "user" as const, content: log.redact(text), timestamp: clock.now() };
  const asked = { system, messages: [message], tools: [] };
  let attempts = 0;
  return {
    agentId,
    sessionId: runId,
    candidates: [model],
    deadlineAt: clock.steady() + DEADLINE_MS,
    // There is nothing in it that could be compacted.
    compactions: Number.POSITIVE_INFINITY,
    request: () => ({
      ...asked,
      model,
      thinking: "off",
      maxTokens: Math.min(maxTokens, model.maxTokens),
      sessionId: runId,
    }),
    reserve(of, request) {
      attempts += 1;
      return attempts === 1 ? needs.reserve(of, request) : { kind: "denied", why: "it is tried again later" };
    },
    onAttempt(attempt) {
      const whose = { actor: "gateway", agentId, sessionKey, traceId: runId };
      needs.attempted(attempt, modelEvent(whose, attempt, promptDigest(asked), model.price !== undefined));
    },
  };
}

/** Nobody wrote a message for it: it is the agent's, in the conversation that was read. */
const NOBODY = { channel: "", person: "", job: "" };

function spenderOf({ agentId, sessionKey }: ModelQuestion) {
  return { agent: agentId, session: sessionKey, ...NOBODY };
}

function usageChange(
  { agentId, sessionKey, runId }: ModelQuestion,
  { provider, id, price }: ModelInfo,
  { input, output, cacheRead, cacheWrite, cost }: Usage,
  at: number,
): Change {
  const whose = { at, agentId, sessionKey, runId, ...NOBODY };
  const spent = { provider, model: id, input, output, cacheRead, cacheWrite };
  return { kind: "usage-add", usage: { ...whose, ...spent, ...(price ? { cost } : {}) } };
}
