// Tells a sub-agent something: said to it while it works, or a further task when it has ended.
import type { Errand } from "@chela/sdk";
import type { FoundSubagents } from "./children.ts";
import { refused, type Refused, type SubagentsParts, type SubagentView, type SubagentWorkHouse } from "./parts.ts";
import type { Caller } from "./read-wishes.ts";
import type { Spawned } from "./spawn.ts";
import { turnOf, workOf } from "./work.ts";

export type Steered =
  /** "said": it heard it while at work. "started": it works again. */
  { readonly kind: "said" | "started"; readonly runId: string; readonly child: SubagentView } | Refused;

const STEER_EVERY_MS = 2000;
const LONGEST_MESSAGE = 4000;

/** `goOn` gives a further task to one that has ended. */
export function createSteering(
  { ledger, clock, errands }: Pick<SubagentWorkHouse, "ledger" | "clock" | "errands">,
  { say }: Pick<SubagentsParts, "say">,
  goOn: (caller: Caller, child: Errand, task: string) => Promise<Spawned>,
) {
  const lastSteered = new Map<string, number>();

  /** Notes the time of those that are not. */
  function isTooSoon(sessionKey: string): boolean {
    const now = clock.steady();
    if (now - (lastSteered.get(sessionKey) ?? -Infinity) < STEER_EVERY_MS) return true;
    for (const [key, at] of lastSteered) if (now - at >= STEER_EVERY_MS) lastSteered.delete(key);
    lastSteered.set(sessionKey, now);
    return false;
  }

  async function steer(caller: Caller, found: FoundSubagents, message: string): Promise<Steered> {
    if (found.kind === "refused") return found;
    const [child, another] = found.children;
    if (!child || another) return refused("Name one of them.");
    if (message.trim() === "") return refused("Write what it shall be told.");
    if (message.length > LONGEST_MESSAGE) return refused(`A message may have ${LONGEST_MESSAGE} characters at most.`);
    if (isTooSoon(child.sessionKey))
      return refused("It was told something a moment ago. Wait two seconds, or say all at once.");
    const errand = await ledger.errand(child.runId);
    if (!errand) return refused("It is not known any more.");
    if (!isTheirs(caller, errand))
      return refused("It works for somebody else, and only they or an owner may tell it more.");
    if (errand.state === "running" && errands.isUnderWay(errand.runId)) {
      const runId = `${errand.runId}:said:${caller.runId}:${caller.toolCallId}`;
      await say(errand, runId, turnOf(errand, message));
      return { kind: "said", runId, child };
    }
    const again = await goOn(caller, errand, message);
    return again.kind === "refused" ? again : { kind: "started", runId: again.runId, child };
  }

  return steer;
}

/** It goes on with the rights it was started with, so nobody else may give it work. */
export function isTheirs({ requester }: Pick<Caller, "requester">, errand: Errand): boolean {
  const { id, person } = workOf(errand).requester;
  if (requester.standing === "owner") return true;
  return person ? person.id === requester.person?.id : id !== "" && id === requester.id;
}
