// All heartbeats: who is asked to beat, who was woken, and how it stands with each of them.
import type { Aside, ErrandHandler } from "@chela/sdk";
import type { MethodResult } from "@chela/sdk/protocol";
import { isActive } from "./active-hours.ts";
import { settledEvent } from "./beat-event.ts";
import { BY_TIMER } from "./decide.ts";
import { BeatQueue } from "./beat-queue.ts";
import { carryOutBeat, settleBeat, showsSign } from "./beat-errands.ts";
import { fileState } from "./beat-look.ts";
import { homeOf } from "./home.ts";
import type { HeartbeatHouse, HeartbeatParts } from "./parts.ts";
import { readState, type BeatHome } from "./state.ts";
import { isWaitingEvent } from "./waiting-events.ts";
import { WakeList, type Wake } from "./wake-list.ts";

export type AgentHeartbeat = MethodResult<"heartbeat.status">["agents"][number];

export interface Heartbeats {
  /** The agent's time has come. */
  beat(agentId: string): void;
  /** Something happened that an agent should tell of now: kept, with the note of it, until it was told. */
  wake(wake: Wake, note: Omit<Aside, "seq" | "kind">): Promise<void>;
  /** Looks after those whom nobody looked after: an earlier process, or while heartbeats were switched off. */
  takeUp(): Promise<void>;
  status(): Promise<AgentHeartbeat[]>;
  close(): void;
  readonly handler: Required<Omit<ErrandHandler, "tidings">>;
}

export function createHeartbeats(house: HeartbeatHouse, parts: HeartbeatParts): Heartbeats {
  const { ledger, clock } = house;
  const homes = new Map<string, BeatQueue>();
  const wakes = new WakeList(ledger);
  let isClosed = false;

  function beatsOf(home: BeatHome): BeatQueue {
    const name = `${home.agentId}\n${home.sessionKey}`;
    const known = homes.get(name) ?? new BeatQueue(home, house, parts, wakes);
    homes.set(name, known);
    if (isClosed) known.close();
    return known;
  }
  const ownHome = (agentId: string): BeatHome => ({
    agentId,
    sessionKey: homeOf(agentId, parts.settings(agentId).session, house),
  });

  async function statusOf(agentId: string): Promise<AgentHeartbeat> {
    const home = ownHome(agentId);
    const { enabled, every, everyMs, hours, activeHours, target, model, lightContext, always, problems } =
      parts.settings(agentId);
    const { last, askedAt, restsUntil } = await readState(ledger, home);
    const pending = (await ledger.asides(home.sessionKey)).filter(isWaitingEvent).length;
    const now = clock.now();
    return {
      agentId,
      enabled,
      every,
      everyMs,
      nextAt: parts.nextAt(agentId) ?? null,
      last: last ?? null,
      askedAt: askedAt ?? null,
      file: fileState(await parts.readTasks(agentId), parts),
      pending,
      restsUntil: restsUntil !== undefined && restsUntil > now ? restsUntil : null,
      activeHours: activeHours ?? null,
      isActiveNow: isActive(hours, now),
      target: target ?? "none",
      eventTarget: target ?? "last",
      ...(model ? { model } : {}),
      lightContext,
      always,
      problems: [...problems],
    };
  }

  return {
    beat: (agentId) => beatsOf(ownHome(agentId)).ask(BY_TIMER),
    async wake(wake, note) {
      await wakes.add(wake, [{ kind: "aside-add", aside: { ...note, kind: "note" } }]);
      beatsOf(wake).ask(wake.reason);
    },
    async takeUp() {
      for (const wake of await wakes.read()) beatsOf(wake).ask(wake.reason);
    },
    async status() {
      const all: AgentHeartbeat[] = [];
      for (const { id: agentId } of house.agents()) all.push(await statusOf(agentId));
      return all;
    },
    close() {
      isClosed = true;
      for (const home of homes.values()) home.close();
    },
    handler: {
      carryOut: (errand, { turn }) => carryOutBeat(errand, turn, house, parts),
      // Its turn goes on where it was.
      afterCrash: async () => "again",
      settling: (errand) => settleBeat(errand, house, parts),
      settled: (errand) => parts.tell(settledEvent(errand, errand.settledAt ?? clock.now(), showsSign(errand, parts))),
    },
  };
}
