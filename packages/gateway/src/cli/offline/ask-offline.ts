// Questions to the files of this machine, for commands that also work while no gateway runs.
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { Ask, MethodAnswer, MethodName, OfflineUse } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { refusal } from "../connect/connection-failures.ts";
import type { OfflinePlace } from "./answer-offline.ts";

/** Who may run commands here is at the machine itself; the name it has in the audit trail. */
export const AT_THE_MACHINE = "cli";

const load = async () => (await import("../run/gateway-entry.ts")).loadOffline();

type Caller = Pick<CommandCall, "env" | "state" | "terminal">;

/** The same answers as the methods of a gateway give. `isBeside` when one runs that does not let us in. */
export function askOffline(call: Caller, { isBeside }: { readonly isBeside: boolean } = { isBeside: false }): Ask {
  const place = placeOf(call, isBeside);
  return async <M extends MethodName>(method: M, ...[params]: readonly unknown[]) => {
    const { answerOffline } = await load();
    const answer = await answerOffline(method, params ?? {}, place);
    if (answer.ok === "needs a gateway") throw new CommandFailure("no-gateway", `${method} needs a running gateway.`);
    if (!answer.ok) throw refusal(method, answer);
    return answer.payload as MethodAnswer<M>;
  };
}

/** For what is done at the machine only, and no method of a gateway. */
export async function withHouse<T>(call: Caller, use: OfflineUse, work: (house: House) => Promise<T>): Promise<T> {
  const { openHouse } = await load();
  const { house, close } = await openHouse(placeOf(call, false), use);
  try {
    return await work(house);
  } finally {
    await close();
  }
}

function placeOf({ env, state, terminal }: Caller, isBeside: boolean): OfflinePlace {
  const tell = (text: string): void => terminal.note(text);
  const { paths, notices } = openStateDirectory(env, state);
  for (const notice of notices) tell(notice);
  return { paths, env, isBeside, tell };
}
