// Carries out a beat as an errand: the turn, what its answer means, and what becomes true with its end.
import * as z from "zod";
import { once, type Aside, type Change, type ErrandOutcome, type ErrandRecord } from "@chela/sdk";
import { settledEvent } from "./beat-event.ts";
import { LONGEST_REST_MS } from "./decide.ts";
import type { HeartbeatHouse, HeartbeatParts } from "./parts.ts";
import { readReply } from "./read-reply.ts";
import { seenBody } from "./waiting-events.ts";
import { putLast, putState, readState, type BeatHome, type BeatState } from "./state.ts";

const AsideLeft = () => z.object({ key: z.string(), at: z.number(), body: z.record(z.string(), z.unknown()) });

/** What is written down with the errand: a crash changes nothing of it. */
export const BeatWork = once(() =>
  z.object({
    /** The conversation it is for. */
    home: z.string(),
    text: z.string(),
    /** Events it tells of; they are put back when it fails. */
    notes: z.array(AsideLeft()),
    /** The runs whose words it quotes. */
    quoted: z.array(z.string()),
    causes: z.array(z.string()),
    model: z.string().optional(),
    isLight: z.boolean(),
    isFresh: z.boolean(),
    /** A conversation other than the agent's own: the beat says something there, and does nothing. */
    isElsewhere: z.boolean(),
    /** Why nobody is told of what it says. */
    kept: z.string().optional(),
    ackMaxChars: z.number(),
    withReasoning: z.boolean(),
  }),
);
export type BeatWork = z.infer<ReturnType<typeof BeatWork>>;

export interface BeatTurn {
  readonly text: string;
  readonly sender: { readonly id: string; readonly name: string; readonly isOwner: boolean };
  readonly terms: {
    readonly model?: string;
    readonly tools?: { readonly deny: readonly string[] };
    readonly context: "full" | "light";
    readonly forgetsEarlier: true;
    readonly isFresh: boolean;
  };
}

const SAME_WITHIN_MS = 86_400_000;
const KEPT_ERRANDS = 50;
const MINUTE = 60_000;
/** How long no model is asked after failures in a row. */
const RESTS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 240 * MINUTE, LONGEST_REST_MS];

function homeOfErrand({ agentId, work }: ErrandRecord): BeatHome {
  return { agentId, sessionKey: BeatWork().parse(work).home };
}

export async function carryOutBeat(
  errand: ErrandRecord,
  turn: (turn: BeatTurn) => Promise<ErrandOutcome>,
  house: HeartbeatHouse,
  parts: HeartbeatParts,
): Promise<ErrandOutcome> {
  const work = BeatWork().parse(errand.work);
  const outcome = await turn({
    text: work.text,
    sender: { id: `heartbeat:${errand.agentId}`, name: "Heartbeat", isOwner: false },
    terms: {
      ...(work.model ? { model: work.model } : {}),
      ...(work.isElsewhere ? { tools: { deny: ["*"] } } : {}),
      context: work.isLight ? "light" : "full",
      forgetsEarlier: true,
      isFresh: work.isFresh,
    },
  });
  return outcome.status === "ok" ? judge(errand, work, outcome, house, parts) : { ...outcome, texts: [] };
}

/** The texts that are left are those that somebody gets. */
async function judge(
  errand: ErrandRecord,
  work: BeatWork,
  outcome: ErrandOutcome,
  { ledger, clock }: HeartbeatHouse,
  parts: HeartbeatParts,
): Promise<ErrandOutcome> {
  const sessionId = outcome.details?.["sessionId"];
  const answer = typeof sessionId === "string" ? await parts.lastAnswer(sessionId) : undefined;
  const reply = readReply(answer?.text ?? outcome.texts.at(-1) ?? "", outcome.texts, work.ackMaxChars);
  if (reply.kind !== "news") return silent(outcome, reply.kind === "empty" ? "ok-empty" : "ok-token");
  const said = { ...outcome, details: { ...outcome.details, said: reply.text } };
  if (work.kept) return silent(said, work.kept);
  const { said: before } = await readState(ledger, { agentId: errand.agentId, sessionKey: work.home });
  const isRepeated = before?.text === reply.text && Math.abs(clock.now() - before.at) < SAME_WITHIN_MS;
  if (isRepeated) return silent(said, "duplicate");
  const thinking = work.withReasoning ? (answer?.thinking ?? "").trim() : "";
  return { ...said, texts: [...(thinking ? [`Reasoning:\n${thinking}`] : []), reply.text] };
}

function silent(outcome: ErrandOutcome, reason: string): ErrandOutcome {
  return { ...outcome, texts: [], reason };
}

/** What a beat did is one commit with its end. */
export async function settleBeat(
  errand: ErrandRecord,
  { ledger, clock }: HeartbeatHouse,
  parts: HeartbeatParts,
): Promise<readonly Change[]> {
  const work = BeatWork().parse(errand.work);
  const home = homeOfErrand(errand);
  const before = await readState(ledger, home);
  const event = settledEvent(errand, clock.now(), showsSign(errand, parts));
  const hasFailed = event.status === "failed";
  const after = { ...(hasFailed ? failed(before, event.ts) : rested(before)), last: event };
  const text = errand.outcome?.texts.at(-1);
  return [
    putState(home, event.status === "sent" && text ? { ...after, said: { text, at: event.ts } } : after),
    putLast(event),
    ...work.notes.map((note) => {
      const body = hasFailed ? note.body : seenBody(note.body, event.status === "sent");
      return addAgain({ ...note, kind: "note", body }, home.sessionKey, errand.runId);
    }),
    { kind: "errands-forget", errandKind: "heartbeat", owner: errand.owner, keep: KEPT_ERRANDS },
  ];
}

export function showsSign({ delivery }: ErrandRecord, parts: HeartbeatParts): boolean {
  return delivery?.mode === "chat" ? parts.view(delivery.channel, delivery.account).useIndicator : true;
}

/** What it looked at is looked at again. */
function failed({ seen: _seen, ...state }: BeatState, at: number): BeatState {
  const failures = (state.failures ?? 0) + 1;
  const restMs = RESTS_MS[Math.min(failures, RESTS_MS.length) - 1] ?? 0;
  return { ...state, failures, restsUntil: at + restMs };
}

function rested({ failures: _failures, restsUntil: _until, ...state }: BeatState): BeatState {
  return state;
}

/** What was told in vain, was not ours to tell, or belongs into the conversation waits again, under another key: the first one is known as told. */
export function addAgain(
  { key, at, body, kind }: Pick<Aside, "key" | "at" | "body" | "kind">,
  sessionKey: string,
  runId: string,
): Change {
  const aside = { sessionKey, kind, key: `${key.replace(/#beat:.*$/, "")}#${runId}`, at, body };
  return { kind: "aside-add", aside };
}
