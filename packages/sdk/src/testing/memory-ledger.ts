// A ledger in memory: forgets with the process, otherwise keeps every promise of the seam.
import { createHash } from "node:crypto";
import { AUDIT_ORIGIN, auditText, type AuditBase, type AuditQuery, type AuditRecord } from "../audit.ts";
import type { CronJob } from "../cron.ts";
import type { ErrandQuery, ErrandRecord } from "../errands.ts";
import { GatewayError } from "../errors.ts";
import type {
  ArchivedSession,
  ArchiveQuery,
  Aside,
  Change,
  CommitNote,
  EntryNode,
  InboxMessage,
  Ledger,
  NewEntry,
  OutboxItem,
  RunOutcome,
  RunQuery,
  RunRecord,
  RunSummary,
  SessionQuery,
  SessionRow,
  SessionSort,
  StoredEntry,
  ToolCallRecord,
  Transcript,
  UsageDimension,
  UsageGroup,
  UsageRange,
  UsageRecord,
} from "../ledger.ts";
import type { Person } from "../people.ts";
import { agentOfSessionKey, isHiddenSession, sessionKind, type SessionEntry } from "../session.ts";

interface RunState {
  message: InboxMessage;
  sessionId?: string;
  startedAt?: number;
  endedAt?: number;
  outcome?: RunOutcome;
}
interface TranscriptState {
  transcript: Transcript;
  entries: Array<NewEntry & { seq: number }>;
  mirroredSeq: number;
  archivedEntry?: SessionEntry;
}
interface State {
  seq: number;
  runs: Map<string, RunState>;
  sessions: Map<string, SessionEntry>;
  created: Map<string, number>;
  transcripts: Map<string, TranscriptState>;
  tools: Map<string, Map<string, ToolCallRecord>>;
  outbox: Map<string, OutboxItem>;
  asides: Array<Aside & { isTold: boolean }>;
  usage: UsageRecord[];
  values: Map<string, string>;
  errands: Map<string, ErrandRecord>;
  jobs: Map<string, CronJob>;
  audit: AuditRecord[];
  auditBase: AuditBase;
  people: Map<string, Person>;
}

export function createMemoryLedger(): Ledger {
  let state: State = {
    seq: 0,
    runs: new Map(),
    sessions: new Map(),
    created: new Map(),
    transcripts: new Map(),
    tools: new Map(),
    outbox: new Map(),
    asides: [],
    usage: [],
    values: new Map(),
    errands: new Map(),
    jobs: new Map(),
    audit: [],
    auditBase: { seq: 0, hash: AUDIT_ORIGIN },
    people: new Map(),
  };
  const listeners = new Set<(note: CommitNote) => void>();
  const tell = (note: CommitNote): void => listeners.forEach((listener) => listener(note));
  const copy = <T>(value: T): T => structuredClone(value);

  return {
    async admit(message) {
      const first = [...state.runs.values()].find(
        ({ message: seen }) => seen.runId === message.runId || sameSource(seen, message),
      );
      if (first) return { kind: "duplicate", run: toRecord(first) };
      state.runs.set(message.runId, { message: copy(message) });
      tell({ sessionIds: [], sessionKeys: [], commits: [], admitted: [message] });
      return { kind: "admitted" };
    },
    async commit(changes) {
      const next = copy(state);
      for (const change of copy(changes)) apply(next, change);
      state = next;
      if (changes.some(({ kind }) => kind !== "mirrored" && kind !== "value-put")) tell(noteOf(changes));
    },
    async run(runId) {
      const run = state.runs.get(runId);
      return run && toRecord(run);
    },
    async unfinishedRuns() {
      return [...state.runs.values()].filter((run) => !run.outcome).map(toRecord);
    },
    async session(key) {
      return copy(state.sessions.get(key));
    },
    async sessionKeyOf(sessionId) {
      return [...state.sessions].find(([, entry]) => entry.sessionId === sessionId)?.[0];
    },
    async sessions(query) {
      const value = SORTED_BY[query.sort ?? "updated"];
      const found = findSessions(state, query).sort((a, b) => value(b) - value(a));
      const from = query.offset ?? 0;
      return copy(found.slice(from, query.limit === undefined ? undefined : from + query.limit));
    },
    async countMatching(query) {
      return findSessions(state, query).length;
    },
    async archives(query) {
      const from = query.offset ?? 0;
      return copy(findArchives(state, query).slice(from, from + query.limit));
    },
    async countArchives(query) {
      return findArchives(state, query).length;
    },
    async archive(sessionId) {
      return copy(findArchives(state, {}).find(({ transcript }) => transcript.sessionId === sessionId));
    },
    async countSessions(agentId) {
      return [...state.sessions.keys()].filter((key) => !agentId || agentOfSessionKey(key) === agentId).length;
    },
    async transcript(sessionId) {
      return copy(state.transcripts.get(sessionId)?.transcript);
    },
    async transcripts(filter) {
      return [...state.transcripts.values()]
        .map(({ transcript }) => copy(transcript))
        .filter((transcript) => !filter.agentId || transcript.agentId === filter.agentId)
        .filter((transcript) => !filter.sessionKey || transcript.sessionKey === filter.sessionKey);
    },
    async entries(sessionId, options = {}) {
      const found = state.transcripts.get(sessionId);
      if (!found) return [];
      const after = Math.max(options.afterSeq ?? 0, options.all ? 0 : found.transcript.cutSeq);
      const live = found.entries.filter((entry) => entry.seq > after).map(({ seq, line }) => ({ seq, line }));
      if (options.newest !== undefined) return options.newest > 0 ? live.slice(-options.newest) : [];
      return live.slice(0, options.limit);
    },
    async nodes(sessionId, options = {}) {
      const found = state.transcripts.get(sessionId);
      const after = Math.max(options.afterSeq ?? 0, found?.transcript.cutSeq ?? 0);
      return (found?.entries ?? [])
        .filter(({ seq }) => seq > after)
        .slice(0, options.limit)
        .map(toNode);
    },
    async entriesAt(sessionId, seqs) {
      const entries = state.transcripts.get(sessionId)?.entries ?? [];
      return entries.filter(({ seq }) => seqs.includes(seq)).map(({ seq, line }) => ({ seq, line }));
    },
    async branch(sessionId, entryId, limit) {
      const found = state.transcripts.get(sessionId);
      const live = found?.entries.filter((entry) => entry.seq > found.transcript.cutSeq) ?? [];
      const way: StoredEntry[] = [];
      for (
        let entry = live.find(({ id }) => id === entryId);
        entry && way.length < limit;
        entry = live.find(({ id }) => id === parentOf(way.at(-1)))
      ) {
        way.push({ seq: entry.seq, line: entry.line });
      }
      return way.reverse();
    },
    async history(afterSeq, limit) {
      const all = [...state.transcripts.values()].flatMap(({ transcript, entries }) => {
        const { sessionId, sessionKey, agentId, archived } = transcript;
        const of = { sessionId, sessionKey, agentId, ...(archived ? { archived: archived.reason } : {}) };
        return entries.map(({ seq, line }) => ({ seq, line, ...of }));
      });
      return all
        .filter(({ seq }) => seq > afterSeq)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit);
    },
    async newestSeq() {
      return Math.max(0, ...[...state.transcripts.values()].map(({ transcript }) => transcript.lastSeq));
    },
    async unmirrored(limit) {
      return [...state.transcripts.values()]
        .filter(
          (one) => one.mirroredSeq !== one.transcript.lastSeq || one.transcript.mirroredFile !== one.transcript.file,
        )
        .slice(0, limit)
        .map(({ transcript }) => copy(transcript));
    },
    async exchanges(sessionKey, limit, { before = Infinity, after } = {}) {
      const done = [...state.runs.values()]
        .map((run, index) => ({ run, seq: index + 1 }))
        .filter(({ run }) => run.message.sessionKey === sessionKey && run.outcome)
        .filter(({ seq }) => seq < before && seq > (after ?? 0));
      const some = after === undefined ? done.slice(-limit) : done.slice(0, limit);
      return limit > 0 ? some.map(({ run, seq }) => ({ ...toRecord(run), seq })) : [];
    },
    async toolCalls(runId) {
      return copy([...(state.tools.get(runId)?.values() ?? [])]);
    },
    async outbox(wanted, limit) {
      return copy([...state.outbox.values()].filter((item) => item.state === wanted).slice(0, limit));
    },
    async findRuns(text, limit) {
      const fits = ({ message }: RunState) => message.runId.startsWith(text) || message.messageId === text;
      return [...state.runs.values()].filter(fits).reverse().slice(0, limit).map(toRecord);
    },
    async runs(query) {
      const found = [...state.runs.values()].map(toRecord).filter((run) => answers(run, query));
      return found.reverse().slice(0, query.limit).map(toSummary);
    },
    async outboxOf(runId) {
      return copy([...state.outbox.values()].filter((item) => item.runId === runId));
    },
    async delivery(id) {
      return copy(state.outbox.get(id));
    },
    async deliveries({ state: wanted, channel, limit }) {
      const fits = (item: OutboxItem) =>
        (wanted === undefined || item.state === wanted) && (channel === undefined || item.channel === channel);
      return copy([...state.outbox.values()].filter(fits).reverse().slice(0, limit));
    },
    async asides(sessionKey) {
      const open = state.asides.filter((aside) => aside.sessionKey === sessionKey && !aside.isTold);
      return open.map(({ seq, kind, key, at, body }) => copy({ seq, sessionKey, kind, key, at, body }));
    },
    async usageByDay(range) {
      const dateOf = (usage: UsageRecord) =>
        new Date(usage.at + range.offsetMinutes * 60_000).toISOString().slice(0, 10);
      const days = groupUsage(usageIn(state, range), dateOf);
      return days.map(({ name, ...sums }) => ({ date: name, ...sums })).sort((a, b) => (a.date < b.date ? -1 : 1));
    },
    async usageTotal(range) {
      const { name: _, ...sums } = groupUsage(usageIn(state, range), () => "")[0] ?? emptyGroup("");
      return sums;
    },
    async usageBy(dimension, range, limit) {
      const groups = groupUsage(usageIn(state, range), (usage) => NAMES[dimension](usage));
      return groups.sort((a, b) => costOf(b) - costOf(a) || b.input + b.output - a.input - a.output).slice(0, limit);
    },
    async errand(runId) {
      return copy(state.errands.get(runId));
    },
    async errands(query) {
      const found = [...state.errands.values()].filter((errand) => isAsked(errand, query));
      const from = query.offset ?? 0;
      const inOrder = query.order === "oldest" ? found : found.reverse();
      return copy(inOrder.slice(from, from + query.limit));
    },
    async countErrands(query) {
      return [...state.errands.values()].filter((errand) => isAsked(errand, query)).length;
    },
    async job(id) {
      return copy(state.jobs.get(id));
    },
    async jobs() {
      return copy(
        [...state.jobs.values()].sort((a, b) => (a.name === b.name ? order(a.id, b.id) : order(a.name, b.name))),
      );
    },
    async dueJobs(at, limit) {
      const due = [...state.jobs.values()].filter((job) => job.enabled && nextRunOf(job) <= at);
      return copy(due.sort((a, b) => nextRunOf(a) - nextRunOf(b) || order(a.id, b.id)).slice(0, limit));
    },
    async nextJobAt() {
      const next = Math.min(...[...state.jobs.values()].filter(({ enabled }) => enabled).map(nextRunOf));
      return Number.isFinite(next) ? next : undefined;
    },
    async audit(query) {
      const found = state.audit.filter((record) => isAudited(record, query));
      return copy((query.order === "oldest" ? found : found.toReversed()).slice(0, query.limit));
    },
    async countAudit(query) {
      return state.audit.filter((record) => isAudited(record, query)).length;
    },
    async auditHead() {
      return state.audit.at(-1) ?? (state.auditBase.seq > 0 ? state.auditBase : undefined);
    },
    async auditBase() {
      return state.auditBase;
    },
    async people() {
      return copy([...state.people.values()].sort((a, b) => order(a.name, b.name) || order(a.id, b.id)));
    },
    async value(key) {
      return state.values.get(key);
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async backup() {
      throw new GatewayError("STORE_FAILED", "a ledger in memory has no file to copy");
    },
    async close() {},
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const nextRunOf = ({ state }: CronJob): number => state.nextRunAtMs ?? Infinity;

const DELIVERED = { attempts: 1, state: "delivered" } as const;

function isAsked(errand: ErrandRecord, query: Omit<ErrandQuery, "limit">): boolean {
  const { outcome, delivered } = errand;
  if (query.kind !== undefined && errand.kind !== query.kind) return false;
  if (query.owner !== undefined && errand.owner !== query.owner) return false;
  if (query.sessionKey !== undefined && errand.sessionKey !== query.sessionKey) return false;
  if (query.states && !query.states.includes(errand.state)) return false;
  if (query.statuses && !(outcome && query.statuses.includes(outcome.status))) return false;
  if (query.deliveryStatuses && !(delivered && query.deliveryStatuses.includes(delivered.status))) return false;
  if (query.dueFrom !== undefined && errand.dueAt < query.dueFrom) return false;
  if (query.dueBefore !== undefined && errand.dueAt >= query.dueBefore) return false;
  return isNamed(query.search, [errand.owner, JSON.stringify(outcome), JSON.stringify(delivered)]);
}

function isAudited(record: AuditRecord, query: Omit<AuditQuery, "limit" | "order">): boolean {
  const { actor, agentId, sessionKey, channel, traceId, from, to, afterSeq, beforeSeq, search } = query;
  const equal = { actor, agentId, sessionKey, channel, traceId };
  if (query.actions && !query.actions.includes(record.action)) return false;
  if (query.outcomes && !query.outcomes.includes(record.outcome)) return false;
  if (Object.entries(equal).some(([name, value]) => value !== undefined && record[name as "actor"] !== value))
    return false;
  if (from !== undefined && record.at < from) return false;
  if (to !== undefined && record.at >= to) return false;
  if (afterSeq !== undefined && record.seq <= afterSeq) return false;
  if (beforeSeq !== undefined && record.seq >= beforeSeq) return false;
  return isNamed(search, [record.target, JSON.stringify(record.detail)]);
}

function emptied({
  outcome: _outcome,
  delivery: _delivery,
  delivered: _delivered,
  ...record
}: ErrandRecord): ErrandRecord {
  return { ...record, work: {} };
}

function changeErrand(state: State, change: Extract<Change, { kind: "errand-state" }>): void {
  const errand = state.errands.get(change.runId);
  if (!errand) return;
  const { outcome, delivered } = change;
  const reached = {
    waiting: {},
    running: { startedAt: change.at },
    executed: { endedAt: change.at },
    settled: { endedAt: change.at, settledAt: change.at },
  }[change.state];
  const { startedAt, endedAt, settledAt } = errand;
  const known = Object.entries({ startedAt, endedAt, settledAt }).filter(([, at]) => at !== undefined);
  state.errands.set(change.runId, {
    ...errand,
    state: change.state,
    ...reached,
    ...Object.fromEntries(known),
    ...(outcome ? { outcome } : {}),
    ...(delivered ? { delivered } : {}),
  });
}

function sameSource(a: InboxMessage, b: InboxMessage): boolean {
  return a.channel === b.channel && a.account === b.account && a.messageId === b.messageId;
}

function toRecord(run: RunState): RunRecord {
  const { message, ...rest } = structuredClone(run);
  return { message, state: run.outcome ? "done" : run.startedAt === undefined ? "queued" : "running", ...rest };
}

function answers({ message, state, outcome }: RunRecord, query: RunQuery): boolean {
  if (query.sessionKey !== undefined && message.sessionKey !== query.sessionKey) return false;
  if (query.agentId !== undefined && message.agentId !== query.agentId) return false;
  if (query.before !== undefined && message.admittedAt >= query.before) return false;
  if (query.state === "error") return outcome?.status === "error";
  return query.state === undefined || state === query.state;
}

function toSummary({ message, sessionId: _sessionId, ...rest }: RunRecord): RunSummary {
  const { runId, channel, agentId, sessionKey, admittedAt, body } = message;
  return { runId, channel, agentId, sessionKey, admittedAt, text: String(body["text"] ?? "").slice(0, 200), ...rest };
}

function noteOf(changes: readonly Change[]): CommitNote {
  const sessionIds = new Set<string>();
  const sessionKeys = new Set<string>();
  for (const change of changes) {
    if (change.kind === "session-put" || change.kind === "session-delete") sessionKeys.add(change.key);
    else if (change.kind === "entries-append" || change.kind.startsWith("transcript-")) {
      sessionIds.add((change as { sessionId: string }).sessionId);
    }
  }
  return { sessionIds: [...sessionIds], sessionKeys: [...sessionKeys], commits: [changes], admitted: [] };
}

function matches({ key, entry }: SessionRow, query: SessionQuery): boolean {
  if (!query.includeHidden && isHiddenSession(key)) return false;
  if (!query.includeGlobal && sessionKind(key) === "global") return false;
  if (!query.includeUnknown && sessionKind(key) === "unknown") return false;
  if (query.kind !== undefined && sessionKind(key) !== query.kind) return false;
  if (query.channel !== undefined && (entry.channel ?? entry.lastChannel) !== query.channel) return false;
  if (query.agentId !== undefined && (agentOfSessionKey(key) ?? "") !== query.agentId) return false;
  if (query.label !== undefined && entry.label !== query.label) return false;
  if (query.spawnedBy !== undefined && entry.spawnedBy !== query.spawnedBy) return false;
  if (query.updatedSince !== undefined && entry.updatedAt < query.updatedSince) return false;
  return isNamed(query.search, [key, entry.sessionId, entry.label, entry.displayName, entry.subject]);
}

function isNamed(search: string | undefined, names: ReadonlyArray<string | undefined>): boolean {
  return !search || names.some((name) => name?.toLowerCase().includes(search.toLowerCase()));
}

type KnownSession = Required<SessionRow>;

const SORTED_BY: Readonly<Record<SessionSort, (row: KnownSession) => number>> = {
  updated: ({ entry }) => entry.updatedAt,
  created: ({ createdAt }) => createdAt,
  tokens: ({ entry }) => entry.totalTokens ?? 0,
};

function findSessions(state: State, query: SessionQuery): KnownSession[] {
  return [...state.sessions]
    .map(([key, entry]) => ({ key, entry, createdAt: state.created.get(key) ?? 0 }))
    .filter((row) => matches(row, query));
}

function firstKnown(state: State, { key, entry }: SessionRow): number {
  const times = [...state.transcripts.values()]
    .filter(({ transcript }) => transcript.sessionKey === key)
    .map(({ transcript }) => Date.parse(transcript.header.timestamp))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 ? Math.min(...times) : entry.updatedAt;
}

function findArchives(state: State, query: Omit<ArchiveQuery, "limit" | "offset">): ArchivedSession[] {
  return [...state.transcripts.values()]
    .flatMap(({ transcript, archivedEntry: entry, entries }) => {
      const { archived, sessionKey, sessionId } = transcript;
      if (!archived || (query.reason && archived.reason !== query.reason)) return [];
      if (query.sessionKey !== undefined && sessionKey !== query.sessionKey) return [];
      if (!isNamed(query.search, [sessionKey, sessionId, entry?.label, entry?.displayName, entry?.subject])) return [];
      return [{ transcript: { ...transcript, archived }, ...(entry ? { entry } : {}), entries: entries.length }];
    })
    .reverse()
    .sort((a, b) => b.transcript.archived.at - a.transcript.archived.at);
}

function requireTranscript(state: State, sessionId: string): TranscriptState {
  const found = state.transcripts.get(sessionId);
  if (!found) throw new GatewayError("STORE_FAILED", `there is no transcript for session ${sessionId}`);
  return found;
}

function append(state: State, sessionId: string, entries: readonly NewEntry[]): void {
  const found = requireTranscript(state, sessionId);
  for (const entry of entries) {
    if (found.entries.some(({ id }) => id === entry.id)) throw new GatewayError("STORE_CONFLICT", `entry ${entry.id}`);
    found.entries.push({ ...entry, seq: ++state.seq });
    found.transcript = { ...found.transcript, lastSeq: state.seq };
  }
}

function apply(state: State, change: Change): void {
  switch (change.kind) {
    case "session-put":
      if (!state.sessions.has(change.key)) state.created.set(change.key, firstKnown(state, change));
      state.sessions.set(change.key, change.entry);
      break;
    case "session-delete":
      state.sessions.delete(change.key);
      break;
    case "transcript-open": {
      const { kind: _, ...rest } = change;
      if (!state.transcripts.has(change.sessionId)) {
        state.transcripts.set(change.sessionId, {
          transcript: { ...rest, lastSeq: 0, cutSeq: 0 },
          entries: [],
          mirroredSeq: -1,
        });
      }
      break;
    }
    case "transcript-archive": {
      const found = requireTranscript(state, change.sessionId);
      const archived = { reason: change.reason, at: change.at };
      found.transcript = { ...found.transcript, file: change.file, archived };
      if (change.entry) found.archivedEntry = change.entry;
      break;
    }
    case "transcript-restore": {
      const found = requireTranscript(state, change.sessionId);
      const { archived, ...rest } = found.transcript;
      if (!archived) throw new GatewayError("STORE_CONFLICT", `the conversation ${change.sessionId} is not archived`);
      found.transcript = { ...rest, mirroredFile: rest.file, file: change.file };
      delete found.archivedEntry;
      break;
    }
    case "transcript-cut": {
      const found = requireTranscript(state, change.sessionId);
      const live = found.entries.filter((entry) => entry.seq > found.transcript.cutSeq);
      const lastCut = live[live.length - 1 - change.keep];
      if (lastCut) found.transcript = { ...found.transcript, cutSeq: lastCut.seq };
      found.mirroredSeq = -1;
      break;
    }
    case "entries-append":
      append(state, change.sessionId, change.entries);
      break;
    case "turn-begin": {
      const run = state.runs.get(change.runId);
      if (run) Object.assign(run, { sessionId: change.sessionId, startedAt: change.at });
      break;
    }
    case "turn-end": {
      const run = state.runs.get(change.runId);
      if (run) {
        Object.assign(run, { startedAt: run.startedAt ?? change.at, endedAt: change.at, outcome: change.outcome });
      }
      break;
    }
    case "tool-start": {
      const calls = state.tools.get(change.runId) ?? new Map();
      state.tools.set(change.runId, calls);
      if (!calls.has(change.toolCallId)) {
        calls.set(change.toolCallId, { toolCallId: change.toolCallId, name: change.name, startedAt: change.at });
      }
      break;
    }
    case "tool-end": {
      const call = state.tools.get(change.runId)?.get(change.toolCallId);
      if (call) Object.assign(call, { endedAt: change.at, isError: change.isError });
      break;
    }
    case "outbox-add":
      if (!state.outbox.has(change.item.id)) {
        const { deliveredAt: at } = change;
        const told = at === undefined ? ({ attempts: 0, state: "pending" } as const) : { ...DELIVERED, updatedAt: at };
        state.outbox.set(change.item.id, { ...change.item, ...told });
      }
      break;
    case "outbox-state": {
      const item = state.outbox.get(change.id);
      const { kind: _, id: __, at, ...update } = change;
      if (item) state.outbox.set(change.id, { ...item, ...update, updatedAt: at });
      break;
    }
    case "aside-add":
      addAside(state, change.aside);
      break;
    case "asides-told":
      for (const aside of state.asides)
        if (aside.sessionKey === change.sessionKey && aside.seq <= change.upTo) aside.isTold = true;
      break;
    case "usage-add":
      state.usage.push(change.usage);
      break;
    case "errand-add": {
      const { errand } = change;
      if (state.errands.has(errand.runId)) {
        throw new GatewayError("STORE_CONFLICT", `errand ${errand.runId} was given before`);
      }
      state.errands.set(errand.runId, { ...errand, seq: ++state.seq, state: "waiting" });
      break;
    }
    case "errand-state":
      changeErrand(state, change);
      break;
    case "errands-forget": {
      const theirs = [...state.errands.values()].filter(
        ({ kind, owner }) => kind === change.errandKind && owner === (change.owner ?? owner),
      );
      for (const { runId, state: at } of theirs.slice(0, Math.max(0, theirs.length - change.keep))) {
        if (at !== "settled") continue;
        const record = state.errands.get(runId);
        if (!record || record.createdAt < (change.knownSince ?? Infinity)) state.errands.delete(runId);
        else state.errands.set(runId, emptied(record));
      }
      break;
    }
    case "job-put":
      state.jobs.set(change.job.id, change.job);
      break;
    case "job-delete":
      state.jobs.delete(change.id);
      break;
    case "audit-add": {
      const before = state.audit.at(-1) ?? state.auditBase;
      const seq = before.seq + 1;
      const detail = JSON.stringify(change.event.detail ?? {});
      const text = auditText(before.hash, seq, change.event, detail);
      const hash = createHash("sha256").update(text).digest("hex");
      state.audit.push({ ...change.event, detail: JSON.parse(detail), seq, hash });
      break;
    }
    case "audit-forget": {
      const last = state.audit.findLast(({ seq }) => seq <= change.upTo);
      if (!last) break;
      state.auditBase = { seq: last.seq, hash: last.hash };
      state.audit = state.audit.filter(({ seq }) => seq > last.seq);
      break;
    }
    case "person-put":
      state.people.set(change.person.id, change.person);
      break;
    case "person-delete":
      state.people.delete(change.id);
      break;
    case "value-put":
      state.values.set(change.key, change.value);
      break;
    case "mirrored": {
      const found = requireTranscript(state, change.sessionId);
      found.mirroredSeq = change.seq;
      const { mirroredSize: _size, ...transcript } = found.transcript;
      const size = change.size === undefined ? {} : { mirroredSize: change.size };
      found.transcript = { ...transcript, mirroredFile: change.file, ...size };
      break;
    }
  }
}

const NAMES: Readonly<Record<UsageDimension, (usage: UsageRecord) => string>> = {
  agent: ({ agentId }) => agentId,
  session: ({ sessionKey }) => sessionKey,
  channel: ({ channel }) => channel,
  person: ({ person }) => person,
  job: ({ job }) => job,
  provider: ({ provider }) => provider,
  model: ({ provider, model }) => `${provider}/${model}`,
  run: ({ runId }) => runId,
};

function usageIn(state: State, { from, to, of = {} }: UsageRange): UsageRecord[] {
  const wanted = Object.entries(of) as Array<[UsageDimension, string]>;
  return state.usage.filter(
    (usage) =>
      usage.at >= from && usage.at < to && wanted.every(([dimension, name]) => NAMES[dimension](usage) === name),
  );
}

type GroupInProgress = { -readonly [K in keyof UsageGroup]: UsageGroup[K] };

function groupUsage(records: readonly UsageRecord[], nameOf: (usage: UsageRecord) => string): GroupInProgress[] {
  const groups = new Map<string, GroupInProgress>();
  for (const usage of records) {
    const name = nameOf(usage);
    const group = groups.get(name) ?? emptyGroup(name);
    groups.set(name, group);
    group.calls += 1;
    group.input += usage.input;
    group.output += usage.output;
    group.cacheRead += usage.cacheRead;
    group.cacheWrite += usage.cacheWrite;
    group.inputCost += usage.cost?.input ?? 0;
    group.outputCost += usage.cost?.output ?? 0;
    group.cacheReadCost += usage.cost?.cacheRead ?? 0;
    group.cacheWriteCost += usage.cost?.cacheWrite ?? 0;
    if (!usage.cost) group.missingCostEntries += 1;
  }
  return [...groups.values()];
}

function costOf(group: UsageGroup): number {
  return group.inputCost + group.outputCost + group.cacheReadCost + group.cacheWriteCost;
}

function emptyGroup(name: string): GroupInProgress {
  return {
    name,
    calls: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    inputCost: 0,
    outputCost: 0,
    cacheReadCost: 0,
    cacheWriteCost: 0,
    missingCostEntries: 0,
  };
}

function toNode({ seq, id, line }: NewEntry & { seq: number }): EntryNode {
  const { parentId, type, customType } = JSON.parse(line) as Partial<EntryNode>;
  return { seq, id, parentId: parentId ?? null, type: type ?? "", ...(customType ? { customType } : {}) };
}

function parentOf(entry: StoredEntry | undefined): unknown {
  return entry && (JSON.parse(entry.line) as { parentId?: unknown }).parentId;
}

function addAside(state: State, aside: Omit<Aside, "seq">): void {
  const ofSession = state.asides.filter(({ sessionKey }) => sessionKey === aside.sessionKey);
  if (ofSession.some(({ key }) => key === aside.key)) return;
  state.asides.push({ ...aside, seq: (state.seq += 1), isTold: false });
  const alike = ofSession.filter(({ kind }) => kind === aside.kind);
  if (alike.length >= 200) state.asides.splice(state.asides.indexOf(alike[0] as never), 1);
}
