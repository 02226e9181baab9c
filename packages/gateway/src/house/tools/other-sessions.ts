// Services for looking into other conversations and writing to them, for tools of agents: sessions, models and the way in.
import { announceText } from "../../flow/reply/write-reply.ts";
import type { House } from "../house.ts";
import {
  agentOfSessionKey,
  modelOverrideOf,
  rightsOf,
  type SessionEntry,
  canonicalSessionKey,
  mainSessionKey,
} from "@chela/sdk";
import { writtenAgent } from "../../rooms/config/room.ts";
import type { InboundOutcome } from "../../flow/arrival.ts";
import { MessageBody } from "../../flow/message-body.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import { parseEntry } from "../../rooms/sessions/room.ts";
import type { SendOutcome, SessionToolParts } from "../../rooms/tools/room.ts";

type OtherSessionsHouse = Pick<
  House,
  | "clock"
  | "ids"
  | "log"
  | "config"
  | "ledger"
  | "models"
  | "sessions"
  | "transcripts"
  | "runs"
  | "sandboxes"
  | "keys"
  | "inbound"
  | "search"
  | "runEvents"
  | "channels"
>;

export function openOtherSessions(house: OtherSessionsHouse): SessionToolParts {
  const { clock, config, ledger, models, sessions, runs } = house;

  const settle = async (runId: string, done: SettledRun, timeoutSeconds: number): Promise<SendOutcome> => {
    const { promise: late, resolve } = Promise.withResolvers<"timeout">();
    const cancel = clock.after(timeoutSeconds * 1000, () => resolve("timeout"));
    const outcome = await Promise.race([done.then((ended) => ended ?? "gone"), late]).finally(cancel);
    if (outcome === "timeout") return { runId, status: "timeout" };
    if (outcome === "gone") return { runId, status: "error", error: "the turn is not known" };
    if (outcome.status === "ok") return { runId, status: "ok", reply: outcome.texts.join("\n\n") };
    return { runId, status: "error", error: outcome.error ?? "the turn was stopped" };
  };
  const outcomeOf = async (runId: string) => runs.waitFor(runId) ?? (await ledger.run(runId))?.outcome;

  return {
    log: house.log,
    now: () => clock.now(),
    session: (key) => ledger.session(key),
    sessions: (query) => ledger.sessions(query),
    settings({ agentId, sessionKey, requester }) {
      const { tools, session } = config.current();
      const own = writtenAgent(config.current(), agentId);
      return {
        visibility: tools?.sessions?.visibility,
        agentToAgent: tools?.agentToAgent,
        isConfined:
          rightsOf(requester, sessionKey).sessions === "own" ||
          house.sandboxes.need({ agentId, sessionKey, requester }).kind === "required",
        defaultAgentId: house.keys().defaultAgentId,
        allowAgents: own?.subagents?.allowAgents,
        maxPingPongTurns: session?.agentToAgent?.maxPingPongTurns,
      };
    },
    canonicalKey: (agentId, written) => canonicalSessionKey(written, { ...house.keys(), defaultAgentId: agentId }),
    mainKey: (agentId) => mainSessionKey(agentId, house.keys()),
    agents: () => listAgents(config.current()),
    async history({ sessionId, limit, entryId }) {
      if (entryId === undefined) return house.transcripts.path(sessionId, limit);
      return (await ledger.branch(sessionId, entryId, limit)).map(parseEntry);
    },
    search: async (request) => (await house.search()).search(request),
    async modelOf(agentId, entry) {
      const [model] = await models.candidates({ agentId, override: modelOverrideOf(entry) });
      return model ? `${model.provider}/${model.id}` : "none";
    },
    async setModel(sessionKey, ref, requester) {
      if (!requester.isOwner) return { kind: "refused", why: "Only the owner may change the model." };
      const model = ref === null ? undefined : models.resolve(ref);
      await sessions.update(sessionKey, ({ providerOverride: _provider, modelOverride: _model, ...entry }) => ({
        ...(entry as SessionEntry),
        ...(model ? { providerOverride: model.provider, modelOverride: model.id } : {}),
      }));
      return { kind: "set" };
    },
    async usage(sessionKey) {
      const sum = await ledger.usageTotal({ from: 0, to: Number.MAX_SAFE_INTEGER, of: { session: sessionKey } });
      const tokens = sum.input + sum.output + sum.cacheRead + sum.cacheWrite;
      const cost = sum.inputCost + sum.outputCost + sum.cacheReadCost + sum.cacheWriteCost;
      return { tokens, ...(sum.missingCostEntries < sum.calls ? { cost } : {}) };
    },
    async send({ sessionKey, message, note, provenance, requester, askedIn, timeoutSeconds }) {
      const runId = house.ids.uuid();
      const asking = await ledger.run(askedIn);
      const { errand } = asking ? MessageBody().parse(asking.message.body) : {};
      const { id, name, isOwner, person, standing } = requester;
      // A message of an agent is text, whatever it looks like: it is never taken for a command.
      const admitted = await house.inbound.chore({
        runId,
        sessionKey,
        agentId: agentOfSessionKey(sessionKey) ?? house.keys().defaultAgentId,
        body: {
          text: message,
          extraSystemPrompt: note,
          provenance,
          // What narrows a job or a webhook narrows all that it has others do.
          ...(errand?.tools ? { errand: { tools: errand.tools } } : {}),
          sender: {
            kind: "sender",
            id,
            ...(name ? { name } : {}),
            isOwner,
            standing,
            isAuthorised: false,
            canApprove: false,
            ...(person ? { person } : {}),
          },
        },
      });
      if (timeoutSeconds === 0) return { runId, status: "accepted" };
      return settle(runId, doneOf(admitted), timeoutSeconds);
    },
    waitFor: (runId, timeoutSeconds) => settle(runId, outcomeOf(runId), timeoutSeconds),
    announce: (sessionKey, text, runId) => announceText(house, sessionKey, text, runId),
  };
}

type SettledRun = Promise<Awaited<Extract<InboundOutcome, { kind: "accepted" }>["done"]> | undefined>;

async function doneOf(admitted: InboundOutcome): SettledRun {
  return admitted.kind === "accepted" || admitted.kind === "duplicate" ? admitted.done : undefined;
}
