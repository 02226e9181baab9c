// Starting a sub-agent: what is allowed, and the one commit with which it exists.
import { createHash } from "node:crypto";
import { OneAtATime, type Change, type Errand, type ErrandRecord } from "@chela/sdk";
import { refused, type Refused, type SubagentsParts, type SubagentWorkHouse } from "./parts.ts";
import { oneLine, readWishes, type Asking, type Caller, type SpawnWishes } from "./read-wishes.ts";
import { whyNoMore, whyTooMany } from "./spawn-limits.ts";
import { workOf, type SubagentWork } from "./work.ts";

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

export function createSpawner(
  house: SubagentWorkHouse,
  parts: Pick<SubagentsParts, "settings" | "isSandboxed" | "placeOf" | "findWorker">,
  started: () => void,
) {
  const { ledger, clock, errands } = house;
  const oneAtATime = new OneAtATime();

  /** Those of one parent come one after the other, so that none slips past the limit. */
  const spawn = (asking: Asking, wishes: SpawnWishes): Promise<Spawned> =>
    oneAtATime.run(asking.sessionKey, () => spawnOne(asking, wishes));

  async function spawnOne(asking: Asking, wishes: SpawnWishes): Promise<Spawned> {
    const runId = runIdFor(asking, JSON.stringify(wishes));
    const before = (await ledger.errand(runId)) ?? (await lostOne(asking, wishes));
    if (before) return accepted(before, true);
    const tooMany = await whyNoMore(asking, ledger, parts);
    if (tooMany) return tooMany;
    const wanted = await readWishes(asking, wishes, house, parts);
    if (wanted.kind === "refused") return wanted;
    const { work, agentId, entry } = wanted;
    const kind = entry.acp === undefined ? "subagent" : "acp";
    const sessionKey = `agent:${agentId}:${kind}:${house.ids.uuid()}`;
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
      const tooMany = await whyTooMany(caller, ledger, parts);
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

  return { spawn, goOn };
}

function accepted({ runId, sessionKey, work }: Pick<Errand, "runId" | "sessionKey" | "work">, isOld: boolean): Spawned {
  return { kind: "accepted", runId, sessionKey, hasOwnModel: work["model"] !== undefined, isOld };
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
