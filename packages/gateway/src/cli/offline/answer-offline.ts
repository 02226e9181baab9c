// Answers of methods while no gateway runs: a house over the files of this machine is opened for each question, and closed.
import { METHODS, WireError, type CallContext, type Client, type MethodName } from "@chela/sdk/protocol";
import { createIds } from "../../base/ids.ts";
import { CONTRIBUTIONS } from "../../house/contributions.ts";
import { openOffline, type OfflineHouse, type OfflineOptions } from "../../house/offline/open-offline.ts";
import { collectMethods } from "../../server/collect-methods.ts";
import { Dispatcher, type CallOutcome } from "../../server/dispatch.ts";
import { VERSION } from "../../version.ts";
import { commandClock } from "./command-clock.ts";
import { AT_THE_MACHINE } from "./ask-offline.ts";

export type OfflinePlace = Pick<OfflineOptions, "paths" | "env" | "isBeside" | "tell">;

export type OfflineAnswer = CallOutcome | { readonly ok: "needs a gateway" };

/** A gateway reads who is who at its start. Here that is only read where it decides something. */
const KNOWS_PEOPLE = /^(people|pairing)\./;

/** The same handlers, checks and audit trail as behind the door of a gateway, in the name of whoever sits at the machine. */
export async function answerOffline(method: MethodName, params: unknown, place: OfflinePlace): Promise<OfflineAnswer> {
  const { offline: use } = METHODS[method] as { offline?: OfflineOptions["use"] };
  if (use === undefined) return { ok: "needs a gateway" };
  try {
    const { house, close } = await openHouse(place, use);
    try {
      if (KNOWS_PEOPLE.test(method)) await house.people.directory.load();
      const dispatcher = new Dispatcher(await collectMethods(house, CONTRIBUTIONS), house);
      return asOnTheWire(await dispatcher.call(method, params, CALL));
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof WireError) return { ok: false, error: error.shape };
    throw error;
  }
}

/** For what is no method, because it is done at the machine only. */
export function openHouse(place: OfflinePlace, use: OfflineOptions["use"]): Promise<OfflineHouse> {
  return openOffline({ ...place, use, clock: commandClock, ids: createIds(), version: VERSION });
}

/** Whoever may run commands here could write anything into the files they change. */
const OWNER: Client = {
  connId: "offline",
  role: "operator",
  scopes: ["operator.admin"],
  caps: new Set(),
  actor: AT_THE_MACHINE,
  method: "offline",
  info: { id: "cli", mode: "cli" },
  buffered: 0,
  send: () => undefined,
  close: () => undefined,
};

const CALL: CallContext = {
  client: OWNER,
  ip: "",
  early: () => undefined,
  withLastWord: (work) => work(),
};

function asOnTheWire(outcome: CallOutcome): CallOutcome {
  if (!outcome.ok) return outcome;
  const { payload } = outcome;
  return { ok: true, payload: payload === undefined ? undefined : (JSON.parse(JSON.stringify(payload)) as unknown) };
}
