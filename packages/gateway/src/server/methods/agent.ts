// Methods that run an agent: agent, agent.wait.
import {
  GatewayError,
  type RunOutcome,
  type RunRecord,
  type ThinkingLevel,
  canonicalSessionKey,
  mainSessionKey,
} from "@chela/sdk";
import {
  type AGENT_METHODS,
  type MethodParams,
  invalid,
  WireError,
  type CallContext,
  type Handlers,
  holdsScope,
} from "@chela/sdk/protocol";
import type { InboundOutcome } from "../../flow/arrival.ts";
import type { House } from "../../house/house.ts";
import { readDelivery } from "./delivery-params.ts";
import { clientOf, keepAttachments, senderOf } from "./inbound-params.ts";
import { replyPayloads, stopReasonOf } from "./reply-payloads.ts";

export function agentMethods(gateway: House): Pick<Handlers, keyof typeof AGENT_METHODS> {
  return {
    async agent(params, call) {
      const model = chosenModel(gateway, params, call);
      const media = await keepAttachments(gateway, params.attachments);
      const { sessionId } = params;
      const known = params.sessionKey || (sessionId && (await gateway.ledger.sessionKeyOf(sessionId)));
      // A session id nobody knows yet names a new session: under that name, and with that id.
      const sessionKey = known || sessionId;
      const isNew = !known && sessionId !== undefined && SESSION_ID.test(sessionId);
      const deliverTo = await readDelivery(gateway, params, sessionKey);
      const opens = await opensSession(gateway, params.agentId, sessionKey);
      const outcome = await gateway.inbound.receive({
        door: "client",
        runId: params.idempotencyKey,
        channel: "webchat",
        account: "default",
        messageId: `agent:${params.idempotencyKey}`,
        sender: senderOf(call.client),
        ...(params.agentId ? { agentId: params.agentId } : {}),
        ...(sessionKey ? { sessionKey } : {}),
        body: {
          text: params.message,
          client: clientOf(call.client),
          ...(media.length > 0 ? { media } : {}),
          ...(deliverTo ? { deliverTo } : {}),
          ...(params.thinking ? { thinking: params.thinking, keepsThinking: isLevel(params.thinking) } : {}),
          ...(model ? { model } : {}),
          ...(isNew ? { sessionId } : {}),
          ...(params.timeout ? { timeoutMs: params.timeout * 1000 } : {}),
          ...(params.extraSystemPrompt ? { extraSystemPrompt: params.extraSystemPrompt } : {}),
          ...(params.inputProvenance ? { provenance: params.inputProvenance } : {}),
          ...(params.label ? { label: params.label } : {}),
          ...(params.spawnedBy ? { spawnedBy: params.spawnedBy } : {}),
        },
      });
      if (opens && outcome.kind === "accepted") gateway.subscribers.note(outcome.sessionKey, "create");
      return answer(gateway, params.idempotencyKey, outcome, call);
    },

    async "agent.wait"({ runId, timeoutMs = 30_000 }) {
      const live = gateway.runs.waitFor(runId);
      if (live) {
        const timeout = new Promise<undefined>((resolve) => gateway.clock.after(timeoutMs, () => resolve(undefined)));
        const outcome = await Promise.race([live, timeout]);
        if (!outcome) return { runId, status: "timeout" as const };
      }
      const run = await gateway.ledger.run(runId);
      if (!run?.outcome) return { runId, status: "timeout" as const };
      return {
        runId,
        status: run.outcome.status === "error" ? ("error" as const) : ("ok" as const),
        ...(run.startedAt === undefined ? {} : { startedAt: run.startedAt }),
        ...(run.endedAt === undefined ? {} : { endedAt: run.endedAt }),
        ...(run.outcome.error ? { error: run.outcome.error } : {}),
      };
    },
  };
}

/** Whether those who follow sessions have to be told of a new one. */
async function opensSession(gateway: House, agentId: string | undefined, written: string | undefined) {
  if (gateway.subscribers.ofAll.size === 0) return false;
  const keys = gateway.keys();
  const key = written ? canonicalSessionKey(written, keys) : mainSessionKey(agentId ?? keys.defaultAgentId, keys);
  return key !== undefined && (await gateway.ledger.session(key)) === undefined;
}

/** It becomes the name of a file. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh"] satisfies ThinkingLevel[];

function isLevel(written: string): boolean {
  return LEVELS.includes(written);
}

/** Another model costs other money: only who may change the configuration chooses one. */
function chosenModel(
  gateway: House,
  { provider, model }: Pick<MethodParams<"agent">, "provider" | "model">,
  { client }: CallContext,
): string | undefined {
  if (!provider && !model) return undefined;
  if (!holdsScope(client.scopes, "operator.admin")) {
    throw invalid("provider/model overrides are not authorized for this caller.");
  }
  if (!model) throw invalid("invalid agent params: provider is given without a model");
  try {
    const chosen = gateway.models.resolve(provider ? `${provider}/${model}` : model);
    return `${chosen.provider}/${chosen.id}`;
  } catch (error) {
    throw GatewayError.is(error) ? invalid(`invalid agent params: ${error.message}`) : error;
  }
}

async function answer(
  gateway: House,
  runId: string,
  outcome: InboundOutcome,
  call: Parameters<Handlers["agent"]>[1],
): Promise<{ runId: string; status: "accepted" | "ok" | "error" }> {
  switch (outcome.kind) {
    case "refused":
      throw invalid(outcome.why.startsWith("missing scope") ? outcome.why : refusalText(outcome.why));
    case "stopped":
      return finalResponse(gateway, runId, { status: "ok", texts: [stoppedText(outcome)] });
    case "ignored":
      return finalResponse(gateway, runId, { status: "ok", texts: [] });
    case "accepted":
      gateway.runEvents.watch(runId, outcome.sessionKey, call.client);
      gateway.subscribers.note(outcome.sessionKey, "send");
      call.early({ runId, status: "accepted", acceptedAt: outcome.acceptedAt });
      return finalResponse(gateway, runId, await outcome.done);
    case "duplicate":
      return answerAgain(gateway, outcome.run, outcome.done, call);
  }
}

function refusalText(why: string): string {
  return why === "send blocked by session policy" ? why : `invalid agent params: ${why}`;
}

async function answerAgain(
  gateway: House,
  run: RunRecord,
  done: Promise<RunOutcome> | undefined,
  call: Parameters<Handlers["agent"]>[1],
) {
  const { runId, sessionKey, admittedAt } = run.message;
  if (run.outcome) return finalResponse(gateway, runId, run.outcome);
  gateway.runEvents.watch(runId, sessionKey, call.client);
  call.early({ runId, status: "accepted", acceptedAt: admittedAt });
  const outcome = (await done) ?? (await gateway.ledger.run(runId))?.outcome;
  if (!outcome) throw new WireError({ code: "UNAVAILABLE", message: `run ${runId} is not under way`, retryable: true });
  return finalResponse(gateway, runId, outcome);
}

/**
 * A turn that was carried out is answered with what came of it, whatever that is: clients take an error for a gateway that
 * is broken, and run the whole turn again by themselves.
 */
async function finalResponse(gateway: House, runId: string, outcome: RunOutcome) {
  const payloads = await replyPayloads(gateway, outcome);
  const files = outcome.media ? { media: outcome.media } : {};
  const meta = { durationMs: 0, ...outcome.meta, stopReason: stopReasonOf(outcome) };
  return { runId, status: "ok" as const, summary: "completed", result: { payloads, ...files, meta } };
}

export function stoppedText({ runIds, helpers }: Extract<InboundOutcome, { kind: "stopped" }>): string {
  if (runIds.length + helpers === 0) return "⚙️ Nothing was running.";
  if (helpers === 0) return "⚙️ Agent was aborted.";
  return `⚙️ Agent was aborted, and ${helpers === 1 ? "1 sub-agent" : `${helpers} sub-agents`} stopped.`;
}
