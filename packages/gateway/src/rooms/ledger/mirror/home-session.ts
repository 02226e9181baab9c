// The home session as pairs of what was asked and answered, whichever channel each came from.
import * as z from "zod";
import { once, type Exchange, type Ledger, type RunRecord } from "@chela/sdk";
import { parseObject } from "./read-lines.ts";

const PAIRS_AT_ONCE = 200;
const CREATED_KEY = "home-session:created-at";
/** Pairs of a file another program kept, with the ids they have there. */
export const PAST_KEY = "home-session:past";

const AskedBody = once(() =>
  z.looseObject({ text: z.string().min(1), client: z.looseObject({ mode: z.string().optional() }).optional() }),
);

export interface HomeMessage {
  /** Grows, and is never given to another pair; numbers may be left out. */
  readonly id: string;
  readonly user_text: string;
  readonly bot_text: string;
  readonly channel: string;
  readonly sent_at: string;
  readonly replied_at: string;
  /** Why there is no answer, when there is none. */
  readonly error?: string;
}

export interface HomeSession {
  readonly id: "home";
  readonly created_at: string;
  readonly updated_at: string;
  readonly messages: readonly HomeMessage[];
  /** There are older ones: ask for those before this id. */
  readonly older_before?: string;
}

export interface HomePage {
  readonly limit?: number;
  /** An id; the newest of all unless told. */
  readonly before?: string;
}

/** What came from a file another program kept. */
export interface HomePast {
  /** With the ids they have for good, in order. */
  readonly pairs: readonly HomeMessage[];
  /** By how much the ids of runs behind the run `after` are higher than their numbers. The oldest first. */
  readonly shifts: ReadonlyArray<{ readonly after: number; readonly by: number }>;
}

/** Undefined while nothing was ever said. */
export async function readHomeSession(
  ledger: Ledger,
  sessionKey: string,
  { limit = PAIRS_AT_ONCE, before }: HomePage = {},
): Promise<HomeSession | undefined> {
  const past = await readPast(ledger);
  const end = before === undefined ? Number.POSITIVE_INFINITY : Number(before);
  // One more than asked for tells whether there are older ones.
  const recent = await pairsBefore(ledger, sessionKey, past, end, limit + 1);
  const foreign = past.pairs.filter(({ id }) => Number(id) < end).slice(-limit - 1);
  const all = inOrder([...foreign, ...recent]).slice(-limit - 1);
  const messages = all.slice(-limit);
  const [first] = all;
  const last = before === undefined ? messages.at(-1) : await newestPair(ledger, sessionKey);
  if (!first || !last) return undefined;
  return {
    id: "home",
    created_at: await createdAt(ledger, past.pairs[0] ?? first),
    updated_at: last.replied_at,
    messages,
    ...(all.length > messages.length && messages[0] ? { older_before: messages[0].id } : {}),
  };
}

async function newestPair(ledger: Ledger, sessionKey: string): Promise<HomeMessage | undefined> {
  return (await readHomeSession(ledger, sessionKey, { limit: 1 }))?.messages[0];
}

/** Runs without a text are no pairs, so several pages may have to be read for one. */
async function pairsBefore(
  ledger: Ledger,
  sessionKey: string,
  past: HomePast,
  end: number,
  limit: number,
): Promise<HomeMessage[]> {
  let found: HomeMessage[] = [];
  for (let before = seqBelow(past, end); found.length < limit && before > 0;) {
    const runs = await ledger.exchanges(sessionKey, PAIRS_AT_ONCE, { before });
    found = [...runs.flatMap((run) => pairOf(run, past)), ...found];
    if (runs.length < PAIRS_AT_ONCE) break;
    before = runs[0]?.seq ?? 0;
  }
  return found.slice(-limit);
}

export const inOrder = (pairs: readonly HomeMessage[]): HomeMessage[] =>
  pairs.toSorted((one, other) => Number(one.id) - Number(other.id));

export function idOfRun({ shifts }: HomePast, seq: number): number {
  return seq + (shifts.findLast(({ after }) => after < seq)?.by ?? 0);
}

/** The number every run has a lower one than whose id is below. */
function seqBelow({ shifts }: HomePast, id: number): number {
  let highest = Number.MAX_SAFE_INTEGER;
  for (const { after, by } of [{ after: 0, by: 0 }, ...shifts].toReversed()) {
    const below = Math.min(highest, id - by);
    if (below > after + 1) return below;
    highest = after + 1;
  }
  return 0;
}

export function pairOf(run: Exchange, past: HomePast): HomeMessage[] {
  return toHomePair(run).map((pair) => ({ id: String(idOfRun(past, run.seq)), ...pair }));
}

export async function createdAt(ledger: Ledger, first: HomeMessage): Promise<string> {
  const known = await ledger.value(CREATED_KEY);
  if (known !== undefined) return known;
  await ledger.commit([{ kind: "value-put", key: CREATED_KEY, value: first.sent_at }]);
  return first.sent_at;
}

export async function readPast(ledger: Ledger): Promise<HomePast> {
  const value = await ledger.value(PAST_KEY);
  const known = value === undefined ? undefined : (parseObject(value) as Partial<HomePast> | undefined);
  const pairs = known?.pairs ?? [];
  // Earlier versions had no other shift than the one of the first pairs.
  return { pairs, shifts: known?.shifts ?? (pairs.length === 0 ? [] : [{ after: 0, by: highestId(pairs) }]) };
}

export const highestId = (pairs: readonly HomeMessage[]): number =>
  Math.max(0, ...pairs.map(({ id }) => Number(id)).filter(Number.isSafeInteger));

/** Nothing for a run without text or without an end. */
export function toHomePair(run: RunRecord): Array<Omit<HomeMessage, "id">> {
  const body = AskedBody().safeParse(run.message.body);
  if (!body.success || !run.outcome) return [];
  const { text, client } = body.data;
  return [
    {
      user_text: text,
      bot_text: run.outcome.texts.join("\n\n"),
      channel: client?.mode === "cli" ? "cli" : run.message.channel,
      sent_at: new Date(run.message.admittedAt).toISOString(),
      replied_at: new Date(run.endedAt ?? run.message.admittedAt).toISOString(),
      ...(run.outcome.error === undefined ? {} : { error: run.outcome.error }),
    },
  ];
}
