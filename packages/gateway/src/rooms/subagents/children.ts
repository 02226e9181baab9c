// The sub-agents of a conversation: which there are, how they are shown, and which one somebody means.
import { defined } from "@chela/sdk/base";
import { OPEN_ERRANDS, type ErrandRecord, type Ledger } from "@chela/sdk";
import { runtimeOf, tokensOf } from "./announce-text.ts";
import { refused, type Refused, type SubagentView } from "./parts.ts";
import { workOf } from "./work.ts";

const MOST_SHOWN = 200;
/** Deeper than any tree can be; a chain that leads back to itself must end, too. */
const DEEPEST = 8;
const MINUTE_MS = 60_000;
const LISTED_CHARS = 2_000;

export type FoundSubagents = { readonly kind: "found"; readonly children: readonly SubagentView[] } | Refused;

export interface ListQuery {
  /** Those that ended in the last minutes, besides those at work. */
  readonly recentMinutes: number;
  /** Also the sub-agents of sub-agents. */
  readonly isRecursive?: boolean;
}

/** Newest first; the sub-agents of each follow it. */
export async function listChildren(
  ledger: Ledger,
  now: number,
  parentKey: string,
  query: ListQuery,
  level = 0,
): Promise<SubagentView[]> {
  const since = now - query.recentMinutes * MINUTE_MS;
  const all = await ledger.errands({ kind: "subagent", owner: parentKey, limit: MOST_SHOWN });
  const shown: SubagentView[] = [];
  for (const errand of all) {
    if (errand.state !== "settled" || (errand.endedAt ?? errand.createdAt) >= since) {
      shown.push(brief(await viewOf(ledger, errand, now)));
    }
    if (!query.isRecursive || level >= DEEPEST || errand.sessionKey === parentKey) continue;
    // Several errands may have been carried out in one conversation; its own are shown below the newest.
    const isNewest = all.find(({ sessionKey }) => sessionKey === errand.sessionKey) === errand;
    if (isNewest) shown.push(...(await listChildren(ledger, now, errand.sessionKey, query, level + 1)));
  }
  return shown;
}

/** Lists have many: all of a result is for those who ask for that one. */
function brief(child: SubagentView): SubagentView {
  const { task, result } = child;
  return { ...child, task: cut(task), ...(result === undefined ? {} : { result: cut(result) }) };
}

function cut(text: string): string {
  return text.length > LISTED_CHARS ? `${text.slice(0, LISTED_CHARS).toWellFormed()}…` : text;
}

export async function viewOf(ledger: Ledger, errand: ErrandRecord, now: number): Promise<SubagentView> {
  const { runId, sessionKey, owner, agentId, createdAt, startedAt, endedAt, outcome, delivered } = errand;
  const { task, label, depth, cleanup, model } = workOf(errand);
  const tokens = tokensOf(outcome);
  const result = outcome?.texts.join("\n\n").trim();
  return {
    runId,
    sessionKey,
    parentKey: owner,
    agentId,
    task,
    ...(label ? { label } : {}),
    depth,
    cleanup,
    state: errand.state === "settled" ? "ended" : errand.state === "executed" ? "announcing" : "running",
    ...(outcome ? { outcome: outcomeWord(outcome) } : {}),
    ...(outcome?.reason ? { reason: outcome.reason } : {}),
    ...(outcome?.error ? { error: outcome.error } : {}),
    ...(model ? { model } : {}),
    createdAt,
    ...defined({ startedAt, endedAt }),
    runtimeMs: runtimeOf(errand, now),
    ...defined({ tokens }),
    ...(result ? { result } : {}),
    ...(delivered ? { delivered: delivered.status } : {}),
    ...(delivered?.error ? { deliveryError: delivered.error } : {}),
    isArchived: errand.state === "settled" && (await ledger.session(sessionKey)) === undefined,
  };
}

function outcomeWord({ status, reason }: NonNullable<ErrandRecord["outcome"]>): NonNullable<SubagentView["outcome"]> {
  if (reason === "timeout") return "timeout";
  return status === "skipped" ? "error" : status;
}

/** `numbered` is the list people count in; names are looked for in all of `known`. */
export function pickChildren(
  target: string,
  numbered: readonly SubagentView[],
  known: readonly SubagentView[],
): FoundSubagents {
  const wanted = target.trim();
  if (known.length === 0) return refused("This conversation has no sub-agents.");
  if (wanted === "") return refused(`Say which one: ${HOW_TO_NAME}.`);
  if (wanted.toLowerCase() === "all") return found(known.filter(({ state }) => state === "running"));
  if (wanted.toLowerCase() === "last") return found(known.slice(0, 1));
  const number = /^#?(\d{1,3})$/.exec(wanted)?.[1];
  const counted = number === undefined ? undefined : numbered[Number(number) - 1];
  if (counted) return found([counted]);
  if (wanted.startsWith("#")) return refused(`There is no ${wanted}: the list has ${numbered.length}.`);
  for (const fits of [isExactly, beginsWith]) {
    const matching = known.filter((child) => fits(child, wanted.toLowerCase()));
    const [first] = matching;
    // Later tasks of one sub-agent have its name; the newest is meant.
    if (first && matching.every(({ sessionKey }) => sessionKey === first.sessionKey)) return found([first]);
    if (first) return refused(`"${wanted}" may be several; use one of: ${matching.map(idOf).join(", ")}.`);
  }
  return refused(`No sub-agent of this conversation is called "${wanted}". Name it by ${HOW_TO_NAME}.`);
}

const HOW_TO_NAME = "#number of the list, id, label, session key, last or all";
const SHORTEST_PREFIX = 3;

const idOf = ({ runId }: SubagentView): string => runId.slice(0, 8);

function isExactly({ runId, sessionKey, label }: SubagentView, wanted: string): boolean {
  return [runId, sessionKey.toLowerCase(), label?.toLowerCase()].includes(wanted);
}

function beginsWith({ runId, label }: SubagentView, wanted: string): boolean {
  if (wanted.length < SHORTEST_PREFIX) return false;
  return runId.startsWith(wanted) || (label?.toLowerCase().startsWith(wanted) ?? false);
}

function found(children: readonly SubagentView[]): FoundSubagents {
  return children.length > 0 ? { kind: "found", children } : refused("Nothing is running.");
}

/** The sub-agents of a conversation that are at work or on their way back, and theirs. */
export async function openBelow(ledger: Ledger, parentKey: string, level = 0): Promise<ErrandRecord[]> {
  const own = await ledger.errands({ kind: "subagent", owner: parentKey, states: OPEN_ERRANDS, limit: MOST_SHOWN });
  if (level >= DEEPEST) return own;
  const below: ErrandRecord[] = [];
  // One that is done may have left others at work, and one that is at work again may have old ones.
  for (const sessionKey of new Set(own.map((errand) => errand.sessionKey))) {
    if (sessionKey !== parentKey) below.push(...(await openBelow(ledger, sessionKey, level + 1)));
  }
  return [...own, ...below];
}
