// Carries an errand out by whoever carries out its kind, and says what came of it, also when that failed or was stopped.
import {
  toGatewayError,
  type ErrandHandler,
  type ErrandOutcome,
  type ErrandRecord,
  type ErrandTurn,
  type Logger,
} from "@chela/sdk";
import type { ErrandsParts } from "./errands.ts";
import { hasNoRoom, type Patience } from "./patience.ts";

interface Means extends Pick<ErrandsParts, "runTurn" | "stopTurn">, Pick<Patience, "pause"> {
  readonly log: Logger;
  handlerOf(kind: string): Promise<ErrandHandler>;
  isClosed(): boolean;
}

/** Undefined when the gateway stopped on the way: the next start goes on with it. */
export async function carryOut(
  record: ErrandRecord,
  { signal, isTakenUp }: { readonly signal: AbortSignal; readonly isTakenUp: boolean },
  means: Means,
): Promise<ErrandOutcome | undefined> {
  const { handlerOf, runTurn, stopTurn, isClosed, log } = means;
  const handler = await handlerOf(record.kind);
  if (isTakenUp && record.state === "running") {
    const verdict = await handler.afterCrash(record);
    if (verdict !== "again") {
      stopTurn(record);
      return verdict;
    }
  }
  let isStopping = false;
  const turn = async (asked: ErrandTurn): Promise<ErrandOutcome> => {
    if (signal.aborted) return { status: "killed", texts: [] };
    const outcome = await runTurn(record, asked, signal);
    isStopping ||= outcome === undefined;
    return outcome ?? { status: "error", texts: [], error: "The gateway is stopping." };
  };
  try {
    const outcome = await handler.carryOut(record, { signal, turn });
    return isStopping || isClosed() ? undefined : asStopped(outcome, signal);
  } catch (thrown) {
    if (isStopping || isClosed()) return undefined;
    if (hasNoRoom(thrown) && !signal.aborted) {
      // Nobody knows how far it came, as after a crash: its kind says what that means.
      await means.pause(record, thrown);
      return isClosed() ? undefined : carryOut(record, { signal, isTakenUp: true }, means);
    }
    const error = toGatewayError(thrown, "TURN_FAILED");
    log.error("an errand failed", { run: record.runId, kind: record.kind, error: error.stack });
    return asStopped({ status: "error", texts: [], error: error.message }, signal);
  }
}

/** What was ended from outside has not failed by itself. */
function asStopped(outcome: ErrandOutcome, signal: AbortSignal): ErrandOutcome {
  if (!signal.aborted) return outcome;
  return { ...outcome, status: "killed", reason: String(signal.reason) };
}
