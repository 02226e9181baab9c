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
import { baseOf, PAST_KEY, readPast, toHomePair, type HomeMessage } from "../mirror/home-session.ts";
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
}

const Pair = once(() =>
  z.looseObject({
    id: z.union([z.string(), z.number()]).transform(String).optional(),
    user_text: z.string().min(1),
    bot_text: z.string().catch(""),
    channel: z.string().catch("cli"),
    sent_at: z.string(),
    replied_at: z.string().optional(),
  }),
);
const RUNS_AT_ONCE = 200;

/** Its pairs that are not ours. The file is kept beside before ours takes its place. */
export async function importHome(job: HomeImport): Promise<void> {
  const read = readPairs(job.text);
  if (read === undefined) return keep(job, "A file of the home session cannot be read; it was kept aside");
  const past = await readPast(job.ledger);
  const known = new Set([...past.map(nameOf), ...(await ownNames(job))]);
  const fresh = read.filter((pair) => !known.has(nameOf(pair)));
  if (fresh.length === 0) return;
  await keep(job, "The home session has a past in a file; it was taken over");
  const all = number([...past, ...fresh], past.length);
  const value = JSON.stringify({ pairs: all });
  const changes: Change[] = [{ kind: "value-put", key: PAST_KEY, value }];
  await job.guards.session(job.sessionKey, async () => {
    await job.ledger.commit([...changes, ...(await conversationOf(job, fresh))]);
  });
}

async function keep({ path, clock, log }: HomeImport, sentence: string): Promise<void> {
  const keptAs = await freeName(`${path}.imported.${archiveStamp(clock.now())}`);
  await copyFile(path, keptAs);
  log.info(sentence, { file: path, keptAs });
}

function readPairs(text: string): HomeMessage[] | undefined {
  try {
    const document = z.looseObject({ messages: z.array(z.unknown()) }).parse(JSON.parse(text));
    return document.messages.flatMap((value) => {
      const pair = Pair().safeParse(value);
      if (!pair.success || !Number.isFinite(Date.parse(pair.data.sent_at))) return [];
      return [{ ...pair.data, id: pair.data.id ?? "", replied_at: pair.data.replied_at ?? pair.data.sent_at }];
    });
  } catch {
    return undefined;
  }
}

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

/** A pair keeps the number it came with; one without gets the next. */
function number(pairs: readonly HomeMessage[], from: number): HomeMessage[] {
  let last = baseOf(pairs.slice(0, from));
  return pairs.map((pair, index) => {
    if (index < from) return pair;
    const said = Number(pair.id);
    last = Number.isSafeInteger(said) && said > last ? said : last + 1;
    return { ...pair, id: String(last) };
  });
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
