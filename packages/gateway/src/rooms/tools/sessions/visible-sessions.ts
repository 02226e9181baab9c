// The sessions a caller may see, as objects that prove it: tools act on these and never on a key somebody wrote.
import { agentOfSessionKey, type SessionEntry, type SessionQuery, type SessionRow } from "@chela/sdk";
import type { Caller, SessionReads } from "./parts.ts";
import { sessionScope, type SessionScope } from "./scope.ts";

/** Only this file can make one, and only after the scope agreed. The private field keeps look-alikes out. */
class VisibleSession {
  readonly #key: string;
  /** Undefined when nothing was said in it yet. */
  readonly entry: SessionEntry | undefined;

  constructor(key: string, entry: SessionEntry | undefined) {
    this.#key = key;
    this.entry = entry;
  }

  get key(): string {
    return this.#key;
  }
}
export type { VisibleSession };

export interface VisibleSessions {
  readonly scope: SessionScope;
  own(): Promise<VisibleSession>;
  /** Undefined both for what is not there and for what may not be seen. */
  find(written: string): Promise<VisibleSession | undefined>;
  /** Newest first. */
  list(query: SessionQuery): Promise<readonly VisibleSession[]>;
  /** The caller's own and, where it may see them, those that were started from it. */
  tree(): Promise<readonly VisibleSession[]>;
}

const PAGE_ROWS = 200;
/** More than the index of sessions keeps for an agent; nobody reads further in one answer. */
const MOST_ROWS = 5000;
/** Deeper than sub-agents can be nested. */
const MOST_PARENTS = 16;

export function visibleSessions(reads: SessionReads, caller: Caller): VisibleSessions {
  const scope = sessionScope(caller, reads.settings(caller));

  const see = async (key: string, entry: SessionEntry | undefined): Promise<VisibleSession | undefined> => {
    const sight = scope.judge(key, entry);
    const isSeen = sight === "seen" || (sight === "seen-if-spawned" && (await isSpawnedBy(reads, caller, entry)));
    return isSeen ? new VisibleSession(key, entry) : undefined;
  };

  const collect = async (rows: AsyncIterable<SessionRow>, query: SessionQuery): Promise<VisibleSession[]> => {
    const seen = new Map<string, VisibleSession>();
    for await (const { key, entry } of rows) {
      const session = fits(query, key, entry) ? await see(key, entry) : undefined;
      if (session) seen.set(key, session);
    }
    return [...seen.values()].toSorted((a, b) => (b.entry?.updatedAt ?? 0) - (a.entry?.updatedAt ?? 0));
  };

  return {
    scope,
    own: async () => new VisibleSession(caller.sessionKey, await reads.session(caller.sessionKey)),
    async find(written) {
      const key = reads.canonicalKey(caller.agentId, written);
      if (key === undefined) return undefined;
      const entry = await reads.session(key);
      if (!entry && key !== caller.sessionKey && !isMainOfSomebody(reads, key)) return undefined;
      return see(key, entry);
    },
    list: (query) => {
      const isWide = scope.reach === "agent" || scope.reach === "all";
      return collect(isWide ? allRows(reads, query) : ownTree(reads, scope, caller), query);
    },
    tree: () => collect(ownTree(reads, scope, caller), {}),
  };
}

/** The one rule for tools that know conversations by what was started in them. */
export async function seesSession(reads: SessionReads, caller: Caller, sessionKey: string): Promise<boolean> {
  return (await visibleSessions(reads, caller).find(sessionKey)) !== undefined;
}

/** Every agent has a main session, even before the first word. */
function isMainOfSomebody(reads: SessionReads, key: string): boolean {
  return reads.agents().some(({ id }) => reads.mainKey(id) === key);
}

async function isSpawnedBy(reads: SessionReads, caller: Caller, entry: SessionEntry | undefined): Promise<boolean> {
  let parent = entry?.spawnedBy;
  for (let step = 0; parent !== undefined && step < MOST_PARENTS; step++) {
    if (parent === caller.sessionKey) return true;
    parent = (await reads.session(parent))?.spawnedBy;
  }
  return false;
}

async function* allRows(reads: SessionReads, query: SessionQuery): AsyncIterable<SessionRow> {
  for (let offset = 0; offset < MOST_ROWS; offset += PAGE_ROWS) {
    const rows = await reads.sessions({ ...query, includeGlobal: true, limit: PAGE_ROWS, offset });
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** The caller's session and what was spawned from it, also by its children. */
async function* ownTree(reads: SessionReads, scope: SessionScope, caller: Caller): AsyncIterable<SessionRow> {
  const own = await reads.session(caller.sessionKey);
  if (own) yield { key: caller.sessionKey, entry: own };
  if (scope.reach === "self") return;
  const known = new Set([caller.sessionKey]);
  for (const parent of known) {
    const children = await reads.sessions({ spawnedBy: parent, includeHidden: true, limit: PAGE_ROWS });
    for (const child of children) {
      if (known.has(child.key) || known.size >= MOST_ROWS) continue;
      known.add(child.key);
      yield child;
    }
  }
}

/** The part of the query that counts for rows which were found by their parents. */
function fits({ label, agentId, updatedSince = 0 }: SessionQuery, key: string, entry: SessionEntry): boolean {
  if (label !== undefined && entry.label !== label) return false;
  if (agentId !== undefined && agentOfSessionKey(key) !== agentId) return false;
  return entry.updatedAt >= updatedSince;
}
