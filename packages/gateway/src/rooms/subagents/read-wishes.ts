// What somebody wishes of a sub-agent, and what is made of it: which agent, which model, in whose name, with what.
import { defined } from "@chela/sdk/base";
import { GatewayError, normalizeAgentId, type Ledger, type Requester, type SessionEntry } from "@chela/sdk";
import { refused, type Refused, type SubagentSettings, type SubagentsParts, type SubagentWorkHouse } from "./parts.ts";
import { depthOf } from "./spawn-limits.ts";
import type { SubagentWork } from "./work.ts";

/** The conversation, turn and call that speak to one. */
export interface Caller {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly requester: Requester;
}

/** Those that want one. */
export interface Asking extends Caller {
  /** The tools of that turn. */
  readonly tools: readonly string[];
}

export interface SpawnWishes {
  readonly task: string;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly runTimeoutSeconds?: number | undefined;
  readonly cleanup?: "keep" | "delete" | undefined;
  /** "acp": a worker of the configuration, which `agentId` names, answers in place of a model. */
  readonly runtime?: "subagent" | "acp" | undefined;
  /** Of a worker: the folder it works in. */
  readonly cwd?: string | undefined;
}

type WantedSubagent =
  | { readonly kind: "wanted"; readonly work: SubagentWork; readonly agentId: string; readonly entry: SessionEntry }
  | Refused;

type WishesHouse = Pick<SubagentWorkHouse, "agents" | "clock" | "ids" | "ledger" | "models">;
type WishesParts = Pick<SubagentsParts, "settings" | "placeOf" | "findWorker">;

const THINKING = ["off", "minimal", "low", "medium", "high", "xhigh"];
const LONGEST_LABEL = 80;

/** The sub-agent that is wished for, with what its settings add, or why there can be none. */
export async function readWishes(
  asking: Asking,
  wishes: SpawnWishes,
  house: WishesHouse,
  parts: WishesParts,
): Promise<WantedSubagent> {
  const { ledger, clock, ids, models } = house;
  const worker = wishes.runtime === "acp" ? parts.findWorker(wishes.agentId) : undefined;
  if (worker?.kind === "refused") return refused(worker.why);
  if (wishes.cwd !== undefined && !worker) {
    return refused("A folder (cwd) can only be named for a worker: say runtime acp too, or leave it out.");
  }
  const agent = whichAgent(asking, worker ? undefined : wishes.agentId, house, parts);
  if (typeof agent !== "string") return agent;
  const settings = parts.settings(agent);
  const model = whichModel(wishes.model, settings, models);
  if (model && "kind" in model) return model;
  const thinking = wishes.thinking?.trim().toLowerCase() || settings.thinking;
  if (thinking !== undefined && !THINKING.includes(thinking)) {
    return refused(`"${thinking}" is no level of thinking. Allowed: ${THINKING.join(", ")}.`);
  }
  const { runTimeoutSeconds: timeoutSeconds = settings.runTimeoutSeconds } = wishes;
  const label = oneLine(wishes.label);
  const depth = (await depthOf(asking.sessionKey, ledger)) + 1;
  const fallbacks = wishes.model ? undefined : settings.fallbacks;
  const work: SubagentWork = {
    task: wishes.task,
    depth,
    cleanup: wishes.cleanup ?? "keep",
    ...(await origin(asking, parts)),
    ...(label ? { label } : {}),
    ...(model ? { model: `${model.provider}/${model.id}` } : {}),
    ...(fallbacks ? { fallbacks: [...fallbacks] } : {}),
    ...(thinking ? { thinking } : {}),
    ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
  };
  const isFree = label !== undefined && !(await isTaken(label, ledger));
  const entry: SessionEntry = {
    sessionId: ids.uuid(),
    updatedAt: clock.now(),
    chatType: "direct",
    spawnedBy: asking.sessionKey,
    spawnDepth: depth,
    ...(isFree ? { label } : {}),
    ...(worker ? { acp: { agent: worker.name, mode: "oneshot", ...defined({ cwd: wishes.cwd }) } } : {}),
    ...(model ? { providerOverride: model.provider, modelOverride: model.id } : {}),
    ...(thinking ? { thinkingLevel: thinking } : {}),
  };
  return { kind: "wanted", work, agentId: agent, entry };
}

async function origin(
  asking: Asking,
  parts: WishesParts,
): Promise<Pick<SubagentWork, "parent" | "requester" | "tools" | "place">> {
  const { agentId, sessionKey, runId, toolCallId, requester } = asking;
  const { id, name, person, standing, askedIn = sessionKey } = requester;
  const place = await parts.placeOf({ runId, sessionKey, agentId });
  return {
    parent: { sessionKey, agentId, runId, toolCallId },
    requester: { id, ...(name ? { name } : {}), ...(person ? { person } : {}), standing, askedIn },
    tools: [...asking.tools],
    ...(place ? { place } : {}),
  };
}

/** A label belongs to one session. */
async function isTaken(label: string, ledger: Ledger): Promise<boolean> {
  return (await ledger.sessions({ label, includeHidden: true, limit: 1 })).length > 0;
}

function whichAgent(
  asking: Asking,
  written: string | undefined,
  { agents }: Pick<WishesHouse, "agents">,
  parts: WishesParts,
): string | Refused {
  if (written === undefined || written.trim() === "") return asking.agentId;
  const agentId = normalizeAgentId(written);
  if (agentId === asking.agentId) return agentId;
  const { allowAgents = [] } = parts.settings(asking.agentId);
  const isAllowed = allowAgents.some((one) => one.trim() === "*" || normalizeAgentId(one) === agentId);
  const isThere = agents().some(({ id }) => id === agentId);
  if (isAllowed && isThere) return agentId;
  const why = isAllowed
    ? `There is no agent "${written}".`
    : `This agent may not start "${written}" (agents.list[].subagents.allowAgents).`;
  return refused(`${why} agents_list shows which ones it may start.`, "forbidden");
}

function whichModel(
  written: string | undefined,
  settings: SubagentSettings,
  models: WishesHouse["models"],
): { readonly provider: string; readonly id: string } | Refused | undefined {
  const ref = written?.trim() || settings.model;
  if (!ref) return undefined;
  try {
    const { provider, id } = models.resolve(ref);
    return { provider, id };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return refused(`The sub-agent was not started. ${error.message}`);
  }
}

export function oneLine(label: string | undefined): string | undefined {
  return label?.replace(/\s+/g, " ").trim().slice(0, LONGEST_LABEL) || undefined;
}
