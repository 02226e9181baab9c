// Pictures looked at by a model that can see, paid for like any other call.
import type { House } from "../house.ts";
import { GatewayError, spenderName, type Change, type ModelAttempt, type ModelInfo } from "@chela/sdk";
import { auditChange, modelEvent, promptDigest } from "../../rooms/audit/room.ts";
import { ContextFitter } from "../../flow/turn/context-fitter.ts";
import { jobOf } from "../../rooms/budgets/room.ts";
import { reserveFor } from "../../flow/turn/stage.ts";
import type { LookRequest, Vision } from "../../rooms/tools/room.ts";

type VisionHouse = Pick<House, "clock" | "log" | "config" | "ledger" | "models" | "budgets">;

const DEADLINE_MS = 120_000;
const SYSTEM = "Describe or examine the pictures as asked. Say what you see, and say so when you cannot tell.";

export function openVision(house: VisionHouse): Vision {
  const fitter = new ContextFitter();
  const configured = (): readonly string[] => {
    const choice = house.config.current().agents?.defaults?.imageModel;
    if (typeof choice === "string") return [choice];
    return [choice?.primary, ...(choice?.fallbacks ?? [])].filter((ref) => ref !== undefined);
  };
  const candidates = async ({ model, agentId }: LookRequest): Promise<readonly ModelInfo[]> => {
    const refs = model ? [model] : configured();
    if (refs.length > 0) return refs.map((ref) => house.models.resolve(ref));
    return (await house.models.candidates({ agentId })).filter(({ input }) => input.includes("image"));
  };

  return {
    whyBlind: ({ model }) =>
      configured().length > 0 || model.input.includes("image")
        ? undefined
        : "no model that can see: set agents.defaults.imageModel",
    async look(request) {
      const { agentId, sessionKey, runId, requester, images, prompt, signal } = request;
      const models = await candidates(request);
      if (models.length === 0)
        throw new GatewayError("IMAGE_INPUT", "no model can see: set agents.defaults.imageModel");
      const of = { channel: requester.channel, person: spenderName(requester), job: jobOf(sessionKey) };
      const spender = { agent: agentId, session: sessionKey, sender: requester.id, ...of };
      await house.budgets.prepare(spender);
      const now = house.clock.now();
      const content = [{ type: "text" as const, text: prompt }, ...images];
      const messages = [{ role: "user" as const, content, timestamp: now }];
      const events: Change[] = [];
      const call = {
        agentId,
        sessionId: `${sessionKey}:image`,
        candidates: models,
        deadlineAt: house.clock.steady() + DEADLINE_MS,
        compactions: Number.POSITIVE_INFINITY,
        request: (model: ModelInfo) => ({
          model,
          system: SYSTEM,
          messages,
          tools: [],
          thinking: "off" as const,
          sessionId: `${sessionKey}:image`,
        }),
        reserve: reserveFor(spender, { house, fitter }, (warning) => house.log.warn(warning)),
        onAttempt(attempt: ModelAttempt) {
          const { channel, account, id, person } = requester;
          const actor = `${channel}:${account}:${id}`;
          const whose = { actor, person: person?.id, agentId, sessionKey, channel, traceId: runId };
          const isPriced = models.some((one) => one.id === attempt.model && one.price !== undefined);
          const digest = promptDigest({ system: SYSTEM, messages, tools: [] });
          events.push(auditChange(modelEvent(whose, attempt, digest, isPriced), attempt.endedAt));
        },
      };
      let said = "";
      let [model] = models;
      for await (const event of house.models.converse(call, signal)) {
        if (event.kind === "attempt") [said, model] = ["", event.model];
        else if (event.kind === "text") said += event.delta;
        else if (event.kind === "failure") {
          if (events.length > 0) await house.ledger.commit(events);
          throw new GatewayError("IMAGE_INPUT", event.failure.message);
        } else if (event.kind === "finish" && model) {
          const { input, output, cacheRead, cacheWrite, cost } = event.usage;
          const whose = { agentId, sessionKey, runId, ...of };
          const spent = { provider: model.provider, model: model.id, input, output, cacheRead, cacheWrite };
          const usage = { at: house.clock.now(), ...whose, ...spent, ...(model.price ? { cost } : {}) };
          await house.ledger.commit([{ kind: "usage-add", usage }, ...events]);
        }
      }
      return said;
    },
  };
}
