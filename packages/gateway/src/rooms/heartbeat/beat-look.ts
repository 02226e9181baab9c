// Looks at everything a beat is decided by. Reads the ledger and one file; no model is asked for it.
import { createHash } from "node:crypto";
import type { Aside, ErrandRecord, RunRecord } from "@chela/sdk";
import { eventText, type FailedJob } from "./compose.ts";
import { decideBeat, type BeatDecision } from "./decide.ts";
import type { HeartbeatHouse, HeartbeatParts } from "./parts.ts";
import { isBusy } from "./home.ts";
import type { BeatSettings } from "./settings.ts";
import { shortestInterval } from "./standing-tasks.ts";
import { isWaitingEvent } from "./waiting-events.ts";
import { readState, type BeatHome, type BeatState } from "./state.ts";

export interface BeatLook {
  readonly settings: BeatSettings;
  readonly state: BeatState;
  /** All that waits for the conversation's next turn. */
  readonly asides: readonly Aside[];
  /** What happened, oldest first: as much of it as one beat can tell. */
  readonly notes: readonly Aside[];
  /** More happened than that. */
  readonly hasMore: boolean;
  readonly tasks: string | undefined;
  readonly exchanges: readonly RunRecord[];
  readonly failedJobs: readonly FailedJob[];
  /** Names what there is to look at: another name, another look. */
  readonly seen: string;
  readonly decision: BeatDecision;
}

/** Among the newest runs there may be some that nobody sent. */
const NEWEST_RUNS = 12;
const QUOTED_EXCHANGES = 3;
const NEWEST_FAILURES = 20;
const MOST_JOBS = 5;
/** In all events of one beat, so that a flood of them does not become a request no model can take. */
const MOST_EVENT_CHARS = 24_000;

export async function lookAround(
  home: BeatHome,
  causes: readonly string[],
  house: HeartbeatHouse,
  parts: HeartbeatParts,
): Promise<BeatLook> {
  const { ledger, clock } = house;
  const now = clock.now();
  const settings = parts.settings(home.agentId);
  const state = await readState(ledger, home);
  const asides = await ledger.asides(home.sessionKey);
  const events = asides.filter(isWaitingEvent);
  const notes = asMuchAsFits(events);
  const text = await parts.readTasks(home.agentId);
  const file = fileState(text, parts);
  const exchanges = (await ledger.exchanges(home.sessionKey, NEWEST_RUNS)).filter((run) => parts.isFromPerson(run));
  const failures = await failuresOf(home.agentId, house);
  const seen = [digest(text ?? ""), exchanges.at(-1)?.message.runId ?? "", failures[0]?.seq ?? 0].join(" ");
  const decision = decideBeat({
    now,
    isSwitchedOn: parts.isSwitchedOn(),
    causes,
    settings,
    isBusy: isBusy(home.sessionKey, house),
    file,
    notes: events.length,
    hasChanged: seen !== state.seen,
    isTaskDue: isTaskDue(text, state.askedAt, now),
    canBeSeen: canBeSeen(settings, parts),
    restsUntil: state.restsUntil,
  });
  return {
    settings,
    state,
    asides,
    notes,
    hasMore: notes.length < events.length,
    tasks: file === "tasks" ? text : undefined,
    exchanges: exchanges.slice(-QUOTED_EXCHANGES),
    failedJobs: decision.kind === "ask" ? await describeFailures(failures, state.askedAt ?? now, house) : [],
    seen,
    decision,
  };
}

export function fileState(
  text: string | undefined,
  parts: Pick<HeartbeatParts, "isEmpty">,
): "missing" | "empty" | "tasks" {
  if (text === undefined) return "missing";
  return parts.isEmpty(text) ? "empty" : "tasks";
}

/** At least one. */
function asMuchAsFits(events: readonly Aside[]): readonly Aside[] {
  let chars = 0;
  const tooMuch = events.findIndex(({ body }) => (chars += eventText(body).length) > MOST_EVENT_CHARS);
  return tooMuch < 0 ? events : events.slice(0, Math.max(1, tooMuch));
}

function isTaskDue(text: string | undefined, askedAt: number | undefined, now: number): boolean {
  const interval = text === undefined ? undefined : shortestInterval(text);
  if (interval === undefined || askedAt === undefined) return false;
  // Asked in the future: the clock was set back since.
  return now - askedAt >= interval || askedAt > now;
}

/** A channel may be told to show neither news nor signs of heartbeats: then nobody has anything of them. */
function canBeSeen({ target, accountId }: BeatSettings, parts: HeartbeatParts): boolean {
  if (target === undefined || target === "none" || target === "last") return true;
  const { showAlerts, useIndicator } = parts.view(target, accountId);
  return showAlerts || useIndicator;
}

/** Newest first. A job that went well has told its result itself. */
async function failuresOf(agentId: string, { ledger }: HeartbeatHouse): Promise<readonly ErrandRecord[]> {
  const failed = await ledger.errands({ kind: "cron", statuses: ["error"], limit: NEWEST_FAILURES });
  return failed.filter((errand) => errand.agentId === agentId);
}

async function describeFailures(
  failures: readonly ErrandRecord[],
  since: number,
  { ledger }: HeartbeatHouse,
): Promise<readonly FailedJob[]> {
  const fresh = failures.filter(({ dueAt, endedAt }) => (endedAt ?? dueAt) > since).slice(0, MOST_JOBS);
  return Promise.all(
    fresh.map(async ({ owner, outcome, endedAt, dueAt }) => ({
      name: (await ledger.job(owner))?.name ?? owner,
      error: outcome?.error ?? "no reason was given",
      at: endedAt ?? dueAt,
    })),
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
