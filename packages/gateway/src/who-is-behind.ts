// Finds out for whom a turn is, in the end: what the gateway does by itself is often done because somebody asked for it.
import * as z from "zod";
import { once, sessionKind, type ErrandKind, type Ledger, type Requester } from "@chela/sdk";
import { CHORES, isOwnWork, MessageBody, requesterOf } from "./flow/message-body.ts";

export interface RunOf {
  readonly runId: string;
  readonly sessionKey: string;
  readonly requester: Requester;
}

type Records = Pick<Ledger, "run" | "errand" | "errands" | "exchanges">;

const Helper = once(() => z.object({ parent: z.object({ runId: z.string() }) }));
/** Helpers start helpers, but not for ever. */
const MOST_STEPS = 16;
const EXCHANGES = 100;

/**
 * Notes about people are for the owner, and for members in their own conversations. Jobs and webhooks are the owner's own
 * doing; a helper, its result and a beat are for whoever is spoken with.
 */
export async function mayKnowNotes(run: RunOf, ledger: Records): Promise<boolean> {
  if (isShared(run)) return false;
  const behind = await whoIsBehind(run, ledger);
  if (!behind) return true;
  if (isShared(behind)) return false;
  const { isOwner, person } = behind.requester;
  return isOwner || (person !== undefined && person.role !== "guest");
}

/** Whether a turn that nobody sent is for the owner, or for nobody: then it is told what the owner's turns are told. */
export async function isForOwner(run: RunOf, ledger: Records): Promise<boolean> {
  const behind = await whoIsBehind(run, ledger);
  return behind === undefined || behind.requester.isOwner;
}

const isShared = ({ sessionKey }: RunOf): boolean => sessionKind(sessionKey) === "group";

/** Undefined when nobody asked for it. */
async function whoIsBehind(run: RunOf, ledger: Records): Promise<RunOf | undefined> {
  let at = run;
  for (let left = MOST_STEPS; left > 0; left -= 1) {
    const { channel, id } = at.requester;
    if (!isOwnWork(channel) || (channel === CHORES && id !== "")) return at;
    if (channel === ("heartbeat" satisfies ErrandKind)) return lastSpeaker(at.sessionKey, ledger);
    if (channel !== ("subagent" satisfies ErrandKind) && channel !== ("announce" satisfies ErrandKind))
      return undefined;
    const parent = await parentOf(at, ledger);
    // Nobody knows any more for whom it is.
    if (!parent) return at;
    at = parent;
  }
  return at;
}

async function parentOf({ runId, sessionKey, requester }: RunOf, ledger: Records): Promise<RunOf | undefined> {
  const owner = requester.channel === "announce" ? (await ledger.errand(runId))?.owner : undefined;
  const [helper] =
    owner === undefined
      ? await ledger.errands({ kind: "subagent", sessionKey, limit: 1 })
      : [await ledger.errand(owner)];
  const work = Helper().safeParse(helper?.work);
  const record = work.success ? await ledger.run(work.data.parent.runId) : undefined;
  return record && toRun(record.message);
}

async function lastSpeaker(sessionKey: string, ledger: Records): Promise<RunOf | undefined> {
  const said = await ledger.exchanges(sessionKey, EXCHANGES);
  const last = said.findLast(({ message }) => !isOwnWork(message.channel));
  return last && toRun(last.message);
}

function toRun(
  message: Parameters<typeof requesterOf>[0] & Pick<RunOf, "runId" | "sessionKey"> & { body: unknown },
): RunOf {
  const { runId, sessionKey, body } = message;
  return { runId, sessionKey, requester: requesterOf(message, MessageBody().parse(body)) };
}
