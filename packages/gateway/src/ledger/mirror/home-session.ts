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

/** Undefined while nothing was ever said. */
export async function readHomeSession(
  ledger: Ledger,
  sessionKey: string,
  { limit = PAIRS_AT_ONCE, before }: HomePage = {},
): Promise<HomeSession | undefined> {
  const past = await readPast(ledger);
  const base = baseOf(past);
  const end = before === undefined ? Number.POSITIVE_INFINITY : Number(before);
  // One more than asked for tells whether there are older ones.
  const recent = await pairsBefore(ledger, sessionKey, base, end, limit + 1);
  const older = past.filter(({ id }) => Number(id) < end);
  const all = [...older.slice(-Math.max(1, limit + 1 - recent.length)), ...recent];
  const messages = all.slice(-limit);
  const last = messages.at(-1);
  const first = all[0];
  if (!first || !last) return undefined;
  return {
    id: "home",
    created_at: await createdAt(ledger, past[0] ?? first),
    updated_at: last.replied_at,
    messages,
    ...(all.length > messages.length && messages[0] ? { older_before: messages[0].id } : {}),
  };
}

/** Runs without a text are no pairs, so several pages may have to be read for one. */
async function pairsBefore(
  ledger: Ledger,
  sessionKey: string,
  base: number,
  end: number,
  limit: number,
): Promise<HomeMessage[]> {
  let found: HomeMessage[] = [];
  for (let before = Math.min(end - base, Number.MAX_SAFE_INTEGER); found.length < limit && before > 0;) {
    const runs = await ledger.exchanges(sessionKey, PAIRS_AT_ONCE, { before });
    found = [...runs.flatMap((run) => pairOf(run, base)), ...found];
    if (runs.length < PAIRS_AT_ONCE) break;
    before = runs[0]?.seq ?? 0;
  }
  return found.slice(-limit);
}

export const baseOf = (past: readonly HomeMessage[]): number =>
  Math.max(0, ...past.map(({ id }) => Number(id)).filter(Number.isSafeInteger));

export function pairOf(run: Exchange, base: number): HomeMessage[] {
  return toHomePair(run).map((pair) => ({ id: String(base + run.seq), ...pair }));
}

export async function createdAt(ledger: Ledger, first: HomeMessage): Promise<string> {
  const known = await ledger.value(CREATED_KEY);
  if (known !== undefined) return known;
  await ledger.commit([{ kind: "value-put", key: CREATED_KEY, value: first.sent_at }]);
  return first.sent_at;
}

export async function readPast(ledger: Ledger): Promise<readonly HomeMessage[]> {
  const value = await ledger.value(PAST_KEY);
  const pairs = value === undefined ? undefined : parseObject(value)?.["pairs"];
  return Array.isArray(pairs) ? (pairs as HomeMessage[]) : [];
}

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
