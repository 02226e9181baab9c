// Takes over a `sessions/default.json` another program wrote: its pairs become the past of the home session.
import { createHash } from "node:crypto";
import { copyFile } from "node:fs/promises";
import * as z from "zod";
import {
  agentOfSessionKey,
  once,
  TRANSCRIPT_VERSION,
  type Change,
  type Clock,
  type Ids,
  type Ledger,
  type Logger,
  type NewEntry,
} from "@chela/sdk";
import {
  highestId,
  idOfRun,
  PAST_KEY,
  readPast,
  toHomePair,
  type HomeMessage,
  type HomePast,
} from "../mirror/home-session.ts";
import { archiveStamp, DEFAULT_AGENT } from "../mirror/paths.ts";
import { freeName } from "../mirror/reconcile.ts";
import type { Guards } from "./merge-index.ts";

export interface HomeImport {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly guards: Guards;
  readonly sessionKey: string;
  readonly path: string;
  readonly text: string;
  /** What the ledger is told once the file was looked at, so that this is done once. */
  readonly seen: { readonly key: string; readonly value: string };
}

const Pair = once(() =>
  z.looseObject({
    id: z.union([z.string(), z.number()]).transform(String).optional(),
    user_text: z.string().min(1),
    bot_text: z.string().catch(""),
    channel: z.string().catch("cli"),
    sent_at: z.string().optional(),
    replied_at: z.string().optional(),
  }),
);
const Document = once(() => z.looseObject({ created_at: z.string().optional(), messages: z.array(z.unknown()) }));
const RUNS_AT_ONCE = 200;

/** Its pairs that are not ours. The file is kept beside before ours takes its place. */
export async function importHome(job: HomeImport): Promise<void> {
  const { pairs, unreadable } = readPairs(job);
  const past = await readPast(job.ledger);
  const known = new Set([...past.pairs.map(nameOf), ...(await ownNames(job))]);
  const fresh = pairs.filter((pair) => !known.has(nameOf(pair)));
  if (fresh.length > 0 || unreadable !== undefined) await keep(job, fresh.length, unreadable);
  const seen: Change = { kind: "value-put", ...job.seen };
  if (fresh.length === 0) return job.ledger.commit([seen]);
  const newest = (await job.ledger.exchanges(job.sessionKey, 1))[0]?.seq ?? 0;
  const value = JSON.stringify(addBehind(past, fresh, newest));
  await job.guards.session(job.sessionKey, async () => {
    await job.ledger.commit([{ kind: "value-put", key: PAST_KEY, value }, seen, ...(await conversationOf(job, fresh))]);
  });
}

async function keep(job: HomeImport, taken: number, unreadable: string | undefined): Promise<void> {
  const { path, clock, log } = job;
  const keptAs = await freeName(`${path}.${taken > 0 ? "imported" : "bak"}.${archiveStamp(clock.now())}`);
  await copyFile(path, keptAs);
  const about = { file: path, keptAs, exchanges: taken };
  if (unreadable === undefined) return log.info("The home session has a past in a file; it was taken over", about);
  const took = taken === 0 ? "nothing" : `${taken} exchange${taken === 1 ? "" : "s"}`;
  log.warn(`${path}: ${unreadable}. Taken over from it: ${took}. The file was kept as ${keptAs}`, about);
}

interface ReadPairs {
  readonly pairs: HomeMessage[];
  /** What could not be read, for a person. */
  readonly unreadable?: string;
}

function readPairs({ text, clock }: HomeImport): ReadPairs {
  let document: z.infer<ReturnType<typeof Document>>;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    document = Document().parse(Array.isArray(value) ? { messages: value } : value);
  } catch {
    return { pairs: [], unreadable: "this is no file of a home session that can be read" };
  }
  const { created_at, messages } = document;
  const pairs: HomeMessage[] = [];
  for (const value of messages) {
    const pair = Pair().safeParse(value).data;
    if (!pair) continue;
    // One without a time was said after the one before it.
    const at = timeIn(pair.sent_at) ?? timeIn(pair.replied_at) ?? pairs.at(-1)?.replied_at ?? timeIn(created_at);
    const sent_at = at ?? new Date(clock.now()).toISOString();
    pairs.push({ ...pair, id: pair.id ?? "", sent_at, replied_at: timeIn(pair.replied_at) ?? sent_at });
  }
  const bad = messages.length - pairs.length;
  if (bad === 0) return { pairs };
  return { pairs, unreadable: `${bad} of its ${messages.length} messages ${bad === 1 ? "has" : "have"} no user_text` };
}

const timeIn = (written: string | undefined): string | undefined =>
  written !== undefined && Number.isFinite(Date.parse(written)) ? written : undefined;

const nameOf = ({ sent_at, user_text }: Pick<HomeMessage, "sent_at" | "user_text">): string =>
  `${Date.parse(sent_at)} ${user_text}`;

async function ownNames({ ledger, sessionKey }: HomeImport): Promise<string[]> {
  const names: string[] = [];
  for (let after = 0; ;) {
    const runs = await ledger.exchanges(sessionKey, RUNS_AT_ONCE, { after });
    names.push(...runs.flatMap((run) => toHomePair(run).map(nameOf)));
    if (runs.length < RUNS_AT_ONCE) return names;
    after = runs.at(-1)?.seq ?? after;
  }
}

/** Behind all that was said so far. A pair keeps the number it came with if that is still free; runs to come follow it. */
function addBehind(past: HomePast, fresh: readonly HomeMessage[], newest: number): HomePast {
  let last = Math.max(highestId(past.pairs), newest === 0 ? 0 : idOfRun(past, newest));
  const numbered = fresh.map((pair) => {
    const said = Number(pair.id);
    last = Number.isSafeInteger(said) && said > last ? said : last + 1;
    return { ...pair, id: String(last) };
  });
  const earlier = past.shifts.filter(({ after }) => after < newest);
  return { pairs: [...past.pairs, ...numbered], shifts: [...earlier, { after: newest, by: last - newest }] };
}

/**
 * The pairs as a conversation, so that the model knows of them. Where the home session has been talked in, they are an
 * ended conversation of it: what is older cannot be said again behind what is newer.
 */
async function conversationOf(job: HomeImport, pairs: readonly HomeMessage[]): Promise<Change[]> {
  const { ledger, ids, sessionKey, clock } = job;
  const present = await ledger.session(sessionKey);
  const hasSpoken = present !== undefined && (await ledger.entries(present.sessionId, { newest: 1 })).length > 0;
  const sessionId = hasSpoken || !present ? ids.uuid() : present.sessionId;
  const file = `${sessionId}.jsonl`;
  const at = clock.now();
  const timestamp = new Date(Date.parse(pairs[0]?.sent_at ?? "") || at).toISOString();
  const header = { type: "session" as const, version: TRANSCRIPT_VERSION, id: sessionId, timestamp };
  // As of now: a conversation that was left alone since yesterday would be started anew with the first message.
  const entry = { ...(hasSpoken ? {} : present), sessionId, updatedAt: at, chatType: "direct" as const };
  const agentId = agentOfSessionKey(sessionKey) ?? DEFAULT_AGENT;
  return [
    { kind: "transcript-open", sessionId, sessionKey, agentId, header, file },
    { kind: "entries-append", sessionId, entries: entriesOf(sessionId, pairs) },
    hasSpoken
      ? { kind: "transcript-archive", sessionId, reason: "reset", at, file: `${file}.reset.${archiveStamp(at)}`, entry }
      : { kind: "session-put", key: sessionKey, entry },
  ];
}

function entriesOf(sessionId: string, pairs: readonly HomeMessage[]): NewEntry[] {
  const entries: NewEntry[] = [];
  let parentId: string | null = null;
  const add = (time: string, message: object): void => {
    const id = createHash("sha256").update(`${sessionId}\0${entries.length}`).digest("hex").slice(0, 8);
    const timestamp = new Date(Date.parse(time)).toISOString();
    entries.push({ id, line: JSON.stringify({ type: "message", id, parentId, timestamp, message }) });
    parentId = id;
  };
  for (const { user_text, bot_text, sent_at, replied_at } of pairs) {
    add(sent_at, { role: "user", content: [{ type: "text", text: user_text }], timestamp: Date.parse(sent_at) });
    if (bot_text === "") continue;
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST };
    const content = [{ type: "text", text: bot_text }];
    const origin = { api: "unknown", provider: "unknown", model: "unknown" };
    const timestamp = Date.parse(replied_at);
    add(replied_at, { role: "assistant", content, ...origin, usage, stopReason: "stop", timestamp });
  }
  return entries;
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
