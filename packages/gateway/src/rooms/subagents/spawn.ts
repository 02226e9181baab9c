// Starting a sub-agent: what is allowed, and the one commit with which it exists.
import { createHash } from "node:crypto";
import {
  GatewayError,
  normalizeAgentId,
  type Change,
  type Errand,
  type ErrandRecord,
  type Requester,
  type SessionEntry,
  OneAtATime,
} from "@chela/sdk";
import { refused, type Refused, type SubagentSettings, type SubagentsParts } from "./parts.ts";
import { workOf, type SubagentWork } from "./work.ts";

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
}

export type Spawned =
  | {
      readonly kind: "accepted";
      readonly runId: string;
      readonly sessionKey: string;
      /** Another model than its agent usually has. */
      readonly hasOwnModel: boolean;
      /** The same one was started before, by a call whose answer got lost. */
      readonly isOld: boolean;
    }
  | Refused;

type WantedSubagent =
  | { readonly kind: "wanted"; readonly work: SubagentWork; readonly agentId: string; readonly entry: SessionEntry }
  | Refused;

const THINKING = ["off", "minimal", "low", "medium", "high", "xhigh"];
const LONGEST_LABEL = 80;
const AT_WORK = ["waiting", "running"] as const;

export function createSpawner(parts: SubagentsParts, started: () => void) {
  const { ledger, clock, errands } = parts;
  const oneAtATime = new OneAtATime();

  /** Those of one parent come one after the other, so that none slips past the limit. */
  const spawn = (asking: Asking, wishes: SpawnWishes): Promise<Spawned> =>
    oneAtATime.run(asking.sessionKey, () => spawnOne(asking, wishes));

  async function spawnOne(asking: Asking, wishes: SpawnWishes): Promise<Spawned> {
    const runId = runIdFor(asking, JSON.stringify(wishes));
    const before = (await ledger.errand(runId)) ?? (await lostOne(asking, wishes));
    if (before) return accepted(before, true);
    const tooMany = await whyNoMore(asking);
    if (tooMany) return tooMany;
    const wanted = await readWishes(asking, wishes);
    if (wanted.kind === "refused") return wanted;
    const { work, agentId, entry } = wanted;
    const sessionKey = `agent:${agentId}:subagent:${parts.ids.uuid()}`;
    if (
      parts.isSandboxed(asking.agentId, asking.sessionKey, asking.requester) &&
      !parts.isSandboxed(agentId, sessionKey, asking.requester)
    ) {
      return refused("This session is sandboxed, so it cannot start a sub-agent outside of the sandbox.", "forbidden");
    }
    const errand = errandOf({ runId, agentId, sessionKey, work });
    const changes: Change[] = [{ kind: "session-put", key: sessionKey, entry }];
    await errands.begin(errand, changes);
    started();
    return accepted(errand, false);
  }

  /** A further task for one that has answered before, in the same conversation. */
  const goOn = (caller: Caller, child: Errand, task: string): Promise<Spawned> =>
    oneAtATime.run(caller.sessionKey, async () => {
      const runId = runIdFor(caller, task);
      const before = await ledger.errand(runId);
      if (before) return accepted(before, true);
      if (!(await ledger.session(child.sessionKey))) {
        return refused("That sub-agent is archived. Start a new one with sessions_spawn.");
      }
      const tooMany = await whyTooMany(caller);
      if (tooMany) return tooMany;
      const { agentId, sessionKey } = child;
      const old = workOf(child);
      const { runId: parentRun, toolCallId } = caller;
      // On the terms it was started on: nobody gives it more by speaking to it.
      const work = { ...old, task, parent: { ...old.parent, runId: parentRun, toolCallId } };
      await errands.begin(errandOf({ runId, agentId, sessionKey, work }));
      started();
      return accepted({ runId, sessionKey, work }, false);
    });

  function errandOf(of: Pick<Errand, "runId" | "agentId" | "sessionKey"> & { readonly work: SubagentWork }): Errand {
    const now = clock.now();
    const parentKey = of.work.parent.sessionKey;
    const delivery = { mode: "session", sessionKey: parentKey } as const;
    return { ...of, kind: "subagent", owner: parentKey, dueAt: now, createdAt: now, delivery };
  }

  /** A call that was cut off by a crash had its effect, but the model was told that nobody knows, and asks again. */
  async function lostOne(asking: Asking, { task, label }: SpawnWishes): Promise<ErrandRecord | undefined> {
    const calls = await ledger.toolCalls(asking.runId);
    const lost = new Set(calls.filter(({ isError }) => isError).map(({ toolCallId }) => toolCallId));
    if (lost.size === 0) return undefined;
    const recent = await ledger.errands({ kind: "subagent", owner: asking.sessionKey, limit: 20 });
    return recent.find((errand) => {
      const work = workOf(errand);
      const { runId, toolCallId } = work.parent;
      return runId === asking.runId && lost.has(toolCallId) && work.task === task && work.label === oneLine(label);
    });
  }

  async function whyNoMore(asking: Asking): Promise<Refused | undefined> {
    const { maxSpawnDepth } = parts.settings(asking.agentId);
    const depth = await depthOf(asking.sessionKey);
    if (depth >= maxSpawnDepth) {
      const why = `Sub-agents cannot be started from here: depth ${depth} of ${maxSpawnDepth} (agents.defaults.subagents.maxSpawnDepth). Do it yourself.`;
      return refused(why, "forbidden");
    }
    return whyTooMany(asking);
  }

  async function whyTooMany({ agentId, sessionKey }: Caller): Promise<Refused | undefined> {
    const { maxChildrenPerAgent: most } = parts.settings(agentId);
    const active = await ledger.countErrands({ kind: "subagent", owner: sessionKey, states: AT_WORK });
    if (active < most) return undefined;
    const why = `${active} sub-agents of this session are at work, and ${most} is the most (agents.defaults.subagents.maxChildrenPerAgent). Wait for one, or kill one.`;
    return refused(why, "forbidden");
  }

  /** 0 for a conversation with people. One below whose place is not known counts as the deepest. */
  async function depthOf(sessionKey: string): Promise<number> {
    const depth = (await ledger.session(sessionKey))?.spawnDepth;
    return depth ?? (sessionKey.includes(":subagent:") ? Infinity : 0);
  }

  async function readWishes(asking: Asking, wishes: SpawnWishes): Promise<WantedSubagent> {
    const agent = whichAgent(asking, wishes.agentId);
    if (typeof agent !== "string") return agent;
    const settings = parts.settings(agent);
    const model = whichModel(wishes.model, settings);
    if (model && "kind" in model) return model;
    const thinking = wishes.thinking?.trim().toLowerCase() || settings.thinking;
    if (thinking !== undefined && !THINKING.includes(thinking)) {
      return refused(`"${thinking}" is no level of thinking. Allowed: ${THINKING.join(", ")}.`);
    }
    const { runTimeoutSeconds: timeoutSeconds = settings.runTimeoutSeconds } = wishes;
    const label = oneLine(wishes.label);
    const depth = (await depthOf(asking.sessionKey)) + 1;
    const fallbacks = wishes.model ? undefined : settings.fallbacks;
    const work: SubagentWork = {
      task: wishes.task,
      depth,
      cleanup: wishes.cleanup ?? "keep",
      ...(await origin(asking)),
      ...(label ? { label } : {}),
      ...(model ? { model: `${model.provider}/${model.id}` } : {}),
      ...(fallbacks ? { fallbacks: [...fallbacks] } : {}),
      ...(thinking ? { thinking } : {}),
      ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
    };
    const isFree = label !== undefined && !(await isTaken(label));
    const entry: SessionEntry = {
      sessionId: parts.ids.uuid(),
      updatedAt: clock.now(),
      chatType: "direct",
      spawnedBy: asking.sessionKey,
      spawnDepth: depth,
      ...(isFree ? { label } : {}),
      ...(model ? { providerOverride: model.provider, modelOverride: model.id } : {}),
      ...(thinking ? { thinkingLevel: thinking } : {}),
    };
    return { kind: "wanted", work, agentId: agent, entry };
  }

  async function origin(asking: Asking): Promise<Pick<SubagentWork, "parent" | "requester" | "tools" | "place">> {
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
  async function isTaken(label: string): Promise<boolean> {
    return (await ledger.sessions({ label, includeHidden: true, limit: 1 })).length > 0;
  }

  function whichAgent(asking: Asking, written: string | undefined): string | Refused {
    if (written === undefined || written.trim() === "") return asking.agentId;
    const agentId = normalizeAgentId(written);
    if (agentId === asking.agentId) return agentId;
    const { allowAgents = [] } = parts.settings(asking.agentId);
    const isAllowed = allowAgents.some((one) => one.trim() === "*" || normalizeAgentId(one) === agentId);
    const isThere = parts.agents().some(({ id }) => id === agentId);
    if (isAllowed && isThere) return agentId;
    const why = isAllowed
      ? `There is no agent "${written}".`
      : `This agent may not start "${written}" (agents.list[].subagents.allowAgents).`;
    return refused(`${why} agents_list shows which ones it may start.`, "forbidden");
  }

  function whichModel(
    written: string | undefined,
    settings: SubagentSettings,
  ): { readonly provider: string; readonly id: string } | Refused | undefined {
    const ref = written?.trim() || settings.model;
    if (!ref) return undefined;
    try {
      const { provider, id } = parts.resolveModel(ref);
      return { provider, id };
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      return refused(`The sub-agent was not started. ${error.message}`);
    }
  }

  return { spawn, goOn };
}

function accepted({ runId, sessionKey, work }: Pick<Errand, "runId" | "sessionKey" | "work">, isOld: boolean): Spawned {
  return { kind: "accepted", runId, sessionKey, hasOwnModel: work["model"] !== undefined, isOld };
}

function oneLine(label: string | undefined): string | undefined {
  return label?.replace(/\s+/g, " ").trim().slice(0, LONGEST_LABEL) || undefined;
}

/** The same call is the same sub-agent, however often it is made. Written as a UUID, for those who look at it. */
function runIdFor({ runId, toolCallId }: Caller, wish: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([runId, toolCallId, wish]))
    .digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join("-");
}
