// The light part of sub-agents that is there in every gateway: the door to the rest, which is loaded with the first of them.
import type { ErrandDelivered, ErrandRecord, Requester } from "@chela/sdk";
import type { OwnWorkHouse } from "./start-stop.ts";
import { lazy } from "../../base/lazy.ts";
import { needsSubagents } from "../../rooms/subagents/is-needed.ts";
import type { Subagents } from "../../rooms/subagents/room.ts";

export interface SubagentStarter {
  open(): Promise<Subagents>;
  /** What a conversation started ends with it, or only what one of those in it started. Tells how many were at work. */
  conversationEnds(
    sessionKey: string,
    why: "stop" | "session-reset" | "session-delete",
    only?: Requester,
  ): Promise<number>;
  announceIn(errand: ErrandRecord, sessionKey: string): Promise<ErrandDelivered | undefined>;
  /** Before errands are taken up. */
  start(): Promise<void>;
  /** Those of an earlier process are under way: from now on whoever ends one finds it. */
  takenUp(): void;
  stop(): Promise<void>;
}

export function createSubagentStarter(house: OwnWorkHouse): SubagentStarter {
  let isClosing = false;
  const ready = Promise.withResolvers<void>();
  const room = lazy(async () => {
    const { openSubagents } = await import("./subagents.ts");
    return openSubagents(house, () => isClosing);
  });
  return {
    async open() {
      await ready.promise;
      return room();
    },
    async conversationEnds(sessionKey, why, only) {
      await ready.promise;
      // While nobody opened the room, there is none at work.
      return (await room.known())?.conversationEnds(sessionKey, why, only) ?? 0;
    },
    announceIn: async (errand, sessionKey) => (await room()).announceIn(errand, sessionKey),
    async start() {
      if (await needsSubagents(house.ledger, house.paths.stateDir)) await room();
    },
    takenUp: () => ready.resolve(),
    async stop() {
      isClosing = true;
      ready.resolve();
      await (await room.known())?.close();
    },
  };
}
