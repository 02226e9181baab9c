// The front of the room: starting, seeing, stopping, steering and awaiting the sub-agents of a conversation.
import type { Errand, ErrandDelivered, ErrandHandler, ErrandRecord, Requester } from "@chela/sdk";
import { announceIds, createAnnouncer } from "./announcer.ts";
import { createBarriers, type WaitingCall } from "./barriers.ts";
import { listChildren, openBelow, pickChildren, viewOf, type FoundSubagents, type ListQuery } from "./children.ts";
import { createEndings } from "./endings.ts";
import { subagentErrands } from "./subagent-errands.ts";
import {
  refused,
  type Refused,
  type SaidMessage,
  type SubagentsParts,
  type SubagentView,
  type SubagentWorkHouse,
} from "./parts.ts";
import { createRunsFile } from "./runs-file.ts";
import type { Asking, Caller, SpawnWishes } from "./read-wishes.ts";
import { createSpawner, type Spawned } from "./spawn.ts";
import { createSteering, isTheirs, type Steered } from "./steering.ts";
import { createSweeper } from "./sweeper.ts";
import { workOf } from "./work.ts";

type Killed = { readonly kind: "killed"; readonly children: readonly SubagentView[] } | Refused;
type Waited =
  | { readonly kind: "waited"; readonly done: readonly SubagentView[]; readonly open: readonly SubagentView[] }
  | Refused;

export interface Subagents {
  /** What carries out the errands of this room: the work of one, and the news of its result. */
  readonly handlers: { readonly subagent: ErrandHandler; readonly announce: ErrandHandler };
  spawn(asking: Asking, wishes: SpawnWishes): Promise<Spawned>;
  list(parentKey: string, query: ListQuery): Promise<readonly SubagentView[]>;
  /** By number of the list, id, label, key, "last" or "all". Only those of this very conversation. */
  find(parentKey: string, target: string): Promise<FoundSubagents>;
  /** With all below it. Resolves when that is written. `by`: not what works for an owner, unless they are one. */
  kill(parentKey: string, target: string, by?: Requester): Promise<Killed>;
  steer(caller: Caller, target: string, message: string): Promise<Steered>;
  wait(
    call: WaitingCall,
    targets: readonly string[],
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Waited>;
  /** The last things said in its conversation. */
  log(child: Pick<SubagentView, "sessionKey">, limit: number): Promise<readonly SaidMessage[]>;
  /** Its people stopped a conversation, or it begins anew or is deleted: what it started ends with it. Tells how many. */
  conversationEnds(
    sessionKey: string,
    why: "stop" | "session-reset" | "session-delete",
    /** Only what they have started. */
    only?: Requester,
  ): Promise<number>;
  announceIn(errand: ErrandRecord, sessionKey: string): Promise<ErrandDelivered | undefined>;
  /** Looks at what an earlier process or version left; before any of it goes on. */
  takeUp(): Promise<void>;
  /** What works is left to the next start. */
  leave(): Promise<void>;
}

const OVER = "It is not running any more.";
const RECENT_MINUTES = 30;
const KNOWN_MINUTES = 1440;

export function createSubagents(house: SubagentWorkHouse, parts: SubagentsParts): Subagents {
  const { ledger, clock, errands, log } = house;
  const sweeper = createSweeper(house, parts);
  const file = createRunsFile(house, parts);
  const barriers = createBarriers(house, announceIds);
  const announcer = createAnnouncer(house, parts, barriers);
  const { spawn, goOn } = createSpawner(house, parts, () => sweeper.wake());
  const { end, endWritten } = createEndings(house, parts);
  const steer = createSteering(house, parts, goOn);

  const view = (errand: ErrandRecord): Promise<SubagentView> => viewOf(ledger, errand, clock.now());
  const list = (parentKey: string, query: ListQuery) => listChildren(ledger, clock.now(), parentKey, query);

  async function find(parentKey: string, target: string): Promise<FoundSubagents> {
    const numbered = await list(parentKey, { recentMinutes: RECENT_MINUTES });
    return pickChildren(target, numbered, await list(parentKey, { recentMinutes: KNOWN_MINUTES }));
  }

  async function kill(parentKey: string, target: string, by?: Requester): Promise<Killed> {
    const found = await find(parentKey, target);
    if (found.kind === "refused") return found;
    const running = found.children.filter(({ state }) => state === "running");
    if (running.length === 0) return refused(OVER);
    const own = await Promise.all(running.map(({ runId }) => ledger.errand(runId)));
    if (by && by.standing !== "owner" && own.some((errand) => errand && isOwners(errand)))
      return refused("It works for an owner, and only an owner may stop it.");
    const below = await Promise.all(running.map(({ sessionKey }) => openBelow(ledger, sessionKey)));
    await endWritten([...own.filter((errand) => errand !== undefined), ...below.flat()], "killed");
    // One may have come to its own end meanwhile.
    const ends = await Promise.all(running.map(({ runId }) => ledger.errand(runId)));
    const killed = running.filter((_, at) => (ends[at]?.outcome?.status ?? "killed") === "killed");
    return killed.length > 0 ? { kind: "killed", children: killed } : refused(OVER);
  }

  async function wait(
    call: WaitingCall,
    targets: readonly string[],
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Waited> {
    const wanted = new Set<string>();
    for (const target of targets) {
      const found = await find(call.sessionKey, target);
      if (found.kind === "refused") return found;
      for (const { runId } of found.children) wanted.add(runId);
    }
    if (targets.length === 0) {
      const all = await list(call.sessionKey, { recentMinutes: 0 });
      const isTold = (runId: string): boolean => announceIds(runId).includes(call.runId);
      for (const { runId, state } of all) if (state !== "ended" && !isTold(runId)) wanted.add(runId);
    }
    if (wanted.size === 0) return { kind: "waited", done: [], open: [] };
    const done = await barriers.wait(call, [...wanted], limits);
    const isDone = new Set(done.map(({ runId }) => runId));
    const open = await Promise.all(
      [...wanted].filter((runId) => !isDone.has(runId)).map((runId) => ledger.errand(runId)),
    );
    return {
      kind: "waited",
      done: await Promise.all(done.map(view)),
      open: await Promise.all(open.filter((errand) => errand !== undefined).map(view)),
    };
  }

  const subagent = subagentErrands(house, {
    end,
    settled: (errand) =>
      void sweeper.ended(errand).catch((error: unknown) => {
        log.warn("the conversation of a sub-agent could not be put away yet", { error: String(error) });
      }),
  });
  const stopListening = errands.onStep(({ kind }) => {
    if (kind === "subagent") file.touch();
  });

  return {
    handlers: { subagent, announce: announcer.handler },
    spawn,
    list,
    find,
    kill,
    steer: async (caller, target, message) => steer(caller, await find(caller.sessionKey, target), message),
    wait,
    async log({ sessionKey }, limit) {
      const entry = await ledger.session(sessionKey);
      return entry ? parts.lastMessages(entry.sessionId, limit) : [];
    },
    async conversationEnds(sessionKey, why, only) {
      const reason = why === "stop" ? "killed" : why;
      const own =
        why === "stop" ? [] : await ledger.errands({ kind: "subagent", sessionKey, states: ["running"], limit: 10 });
      const below = await openBelow(ledger, sessionKey);
      const wanted = [...own, ...below].filter((errand) => !only || isTheirs({ requester: only }, errand));
      return endWritten(wanted, reason);
    },
    announceIn: (errand, sessionKey) => announcer.announce(errand, sessionKey),
    async takeUp() {
      await file.takeIn();
      await announcer.withdrawIdle();
      // A process that died may have left the file behind the ledger.
      file.touch();
      sweeper.wake();
    },
    async leave() {
      stopListening();
      sweeper.close();
      barriers.close();
      await file.close();
    },
  };
}

function isOwners(errand: Errand): boolean {
  return workOf(errand).requester.standing === "owner";
}
