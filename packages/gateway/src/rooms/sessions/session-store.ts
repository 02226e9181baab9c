// Session entries: created, changed and ended one step at a time per session, so that no change is lost.
import { defined } from "@chela/sdk/base";
import {
  agentOfSessionKey,
  TRANSCRIPT_VERSION,
  type Change,
  type Clock,
  type Ids,
  type Ledger,
  type SessionEntry,
  OneAtATime,
} from "@chela/sdk";
import { liveFile, pickKept, restoredEntry, type Restored, type RestoreOptions } from "./restored-session.ts";
import type { Transcripts } from "./transcripts.ts";

export interface OpenedSession {
  readonly entry: SessionEntry;
  /** What must be committed before the session's first entry; empty when it exists. */
  readonly changes: readonly Change[];
}

export interface OpenOptions {
  readonly isOver?: ((entry: SessionEntry) => boolean) | undefined;
  readonly sessionId?: string | undefined;
}

export class SessionStore {
  readonly #ledger: Ledger;
  readonly #transcripts: Transcripts;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #workspaceOf: (agentId: string) => string;
  readonly #oneAtATime = new OneAtATime();

  constructor(parts: {
    readonly ledger: Ledger;
    readonly transcripts: Transcripts;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly workspaceOf: (agentId: string) => string;
  }) {
    this.#ledger = parts.ledger;
    this.#transcripts = parts.transcripts;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#workspaceOf = parts.workspaceOf;
  }

  /** Runs `work` alone among all works on this session's entry. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#oneAtATime.run(key, work);
  }

  /**
   * The session's entry, or a new one with the changes that create it. Call inside `alone`.
   * `isOver` says whether a conversation that was left alone goes on; if not, it starts anew with the same commit.
   * `sessionId` is the id of a new session, unless one has or had it.
   */
  async open(key: string, agentId: string, { isOver, sessionId }: OpenOptions = {}): Promise<OpenedSession> {
    const entry = await this.#ledger.session(key);
    if (entry && isOver?.(entry)) return this.#startAnew(key, entry);
    if (entry) {
      const transcript = await this.#ledger.transcript(entry.sessionId);
      return { entry, changes: transcript ? [] : [this.#openTranscript(key, agentId, entry.sessionId)] };
    }
    const isTaken = sessionId === undefined || (await this.#ledger.transcript(sessionId)) !== undefined;
    const id = isTaken ? this.#ids.uuid() : sessionId;
    const fresh: SessionEntry = { sessionId: id, updatedAt: this.#clock.now(), chatType: "direct" };
    return {
      entry: fresh,
      changes: [this.#openTranscript(key, agentId, fresh.sessionId), { kind: "session-put", key, entry: fresh }],
    };
  }

  /** Applies `change` to the newest version of the entry and writes it; creates the session when needed. */
  async update(key: string, change: (entry: SessionEntry) => SessionEntry): Promise<SessionEntry> {
    return this.alone(key, async () => {
      const { entry, changes } = await this.open(key, agentOfSessionKey(key) ?? "main");
      const next = change(entry);
      await this.#ledger.commit([...changes, { kind: "session-put", key, entry: next }]);
      return next;
    });
  }

  /** A new session id under the same key; the old transcript is archived. */
  async reset(key: string): Promise<SessionEntry> {
    return this.alone(key, async () => {
      const { entry, changes } = await this.#startAnew(key, await this.#ledger.session(key));
      await this.#ledger.commit(changes);
      return entry;
    });
  }

  async #startAnew(key: string, old: SessionEntry | undefined): Promise<OpenedSession> {
    const now = this.#clock.now();
    const fresh: SessionEntry = {
      sessionId: this.#ids.uuid(),
      updatedAt: now,
      systemSent: false,
      abortedLastRun: false,
      ...pickKept(old),
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      totalTokensFresh: true,
    };
    if (old) this.#transcripts.forget(old.sessionId);
    return {
      entry: fresh,
      changes: [
        ...(old ? await this.#archive(old, "reset", now) : []),
        this.#openTranscript(key, agentOfSessionKey(key) ?? "main", fresh.sessionId),
        { kind: "session-put", key, entry: fresh },
      ],
    };
  }

  /** Removes the session; returns the names of the archived transcript files. */
  async delete(
    key: string,
    options: { readonly archiveTranscript: boolean },
  ): Promise<{ deleted: boolean; archived: string[] }> {
    return this.alone(key, async () => {
      const entry = await this.#ledger.session(key);
      if (!entry) return { deleted: false, archived: [] };
      const archive = await this.#archive(entry, "deleted", this.#clock.now(), options.archiveTranscript);
      await this.#ledger.commit([...archive, { kind: "session-delete", key }]);
      this.#transcripts.forget(entry.sessionId);
      return { deleted: true, archived: options.archiveTranscript ? archive.map((change) => change.file) : [] };
    });
  }

  /**
   * Brings an ended conversation back under its key. Where another one is talked in meanwhile, that one is archived in
   * turn if `replaces` says so; a conversation that was only started anew takes its place in any case.
   */
  async restore(sessionId: string, options: RestoreOptions): Promise<Restored> {
    const found = await this.#ledger.archive(sessionId);
    if (!found) return { kind: "unknown" };
    const key = found.transcript.sessionKey;
    return this.alone(key, async () => {
      const archived = await this.#ledger.archive(sessionId);
      if (!archived) return { kind: "unknown" };
      const present = await this.#ledger.session(key);
      const { reason } = archived.transcript.archived;
      if (present && reason === "deleted" && !options.replaces) return { kind: "in-use", key, entry: present };
      if (present && options.isBusy(key)) return { kind: "busy", key };
      const now = this.#clock.now();
      const { entry, lostLabel } = await this.#withFreeLabel(key, restoredEntry(archived, present, now));
      await this.#ledger.commit([
        ...(present ? await this.#archive(present, "reset", now) : []),
        { kind: "transcript-restore", sessionId, file: liveFile(archived.transcript) },
        { kind: "session-put", key, entry },
      ]);
      this.#transcripts.forget(sessionId);
      if (present) this.#transcripts.forget(present.sessionId);
      return { kind: "restored", key, entry, ...defined({ lostLabel }) };
    });
  }

  /** A label belongs to one session: one that another has taken meanwhile is not taken back. */
  async #withFreeLabel(key: string, entry: SessionEntry): Promise<{ entry: SessionEntry; lostLabel?: string }> {
    if (entry.label === undefined) return { entry };
    const holders = await this.#ledger.sessions({ label: entry.label, includeHidden: true, limit: 2 });
    if (holders.every((holder) => holder.key === key)) return { entry };
    const { label, ...unlabelled } = entry;
    return { entry: unlabelled, lostLabel: label };
  }

  /** Keeps the newest `keep` entries in the live conversation. */
  async compact(key: string, keep: number): Promise<{ compacted: boolean; kept: number }> {
    return this.alone(key, async () => {
      const entry = await this.#ledger.session(key);
      const live = entry ? (await this.#ledger.entries(entry.sessionId)).length : 0;
      if (!entry || live <= keep) return { compacted: false, kept: live };
      const { inputTokens: _in, outputTokens: _out, totalTokens: _total, totalTokensFresh: _fresh, ...rest } = entry;
      await this.#ledger.commit([
        { kind: "transcript-cut", sessionId: entry.sessionId, keep },
        { kind: "session-put", key, entry: { ...(rest as SessionEntry), updatedAt: this.#clock.now() } },
      ]);
      this.#transcripts.forget(entry.sessionId);
      return { compacted: true, kept: keep };
    });
  }

  #openTranscript(key: string, agentId: string, sessionId: string): Change {
    const timestamp = new Date(this.#clock.now()).toISOString();
    return {
      kind: "transcript-open",
      sessionId,
      sessionKey: key,
      agentId,
      header: {
        type: "session",
        version: TRANSCRIPT_VERSION,
        id: sessionId,
        timestamp,
        cwd: this.#workspaceOf(agentId),
      },
      file: transcriptFile(key, sessionId),
    };
  }

  /** With the entry, so that the session can be restored. */
  async #archive(
    entry: SessionEntry,
    reason: "reset" | "deleted",
    at: number,
    renames = true,
  ): Promise<Array<Extract<Change, { kind: "transcript-archive" }>>> {
    const { sessionId } = entry;
    const transcript = await this.#ledger.transcript(sessionId);
    if (!transcript) return [];
    const stamp = new Date(at).toISOString().replaceAll(":", "-");
    const file = renames ? `${transcript.file}.${reason}.${stamp}` : transcript.file;
    return [{ kind: "transcript-archive", sessionId, reason, at, file, entry }];
  }
}

/** Threads have their number in the file's name. */
function transcriptFile(key: string, sessionId: string): string {
  const thread = /:(?:thread|topic):([^:]+)$/.exec(key)?.[1];
  return thread ? `${sessionId}-topic-${encodeURIComponent(thread)}.jsonl` : `${sessionId}.jsonl`;
}
