// Follows the ledger for those who watch sessions: tells them what was added, and when a session goes on elsewhere.
import type { Change, CommitNote, Ledger, Logger, NewEntry, TranscriptEntry } from "@chela/sdk";
import { MAX_PAGE, type SessionEntriesEvent, type SessionMovedEvent, type ShownMessage } from "@chela/sdk/protocol";
import { EMPTY_TIP, extendTip, type PathTip, type SessionPaths } from "../../rooms/sessions/room.ts";
import type { Hub } from "../live/hub.ts";
import type { LiveRuns } from "../live/live-runs.ts";
import type { Watchers } from "../live/watchers.ts";
import { isShownKind, showEntry } from "./show-entry.ts";

export interface FollowerParts {
  readonly ledger: Ledger;
  readonly paths: SessionPaths;
  readonly hub: Hub;
  readonly watchers: Watchers;
  readonly liveRuns: LiveRuns;
  readonly log: Logger;
}

/** Where a session is. */
export interface FollowedPlace {
  readonly sessionId?: string;
  readonly tip: PathTip;
}

interface Followed {
  readonly sessionKey: string;
  place: FollowedPlace;
  /** The place is not known, and is being found out. */
  isLost: boolean;
  /** Something was committed while that went on. */
  hasChanged: boolean;
  finding?: Promise<void>;
  /** How many are about to watch it. */
  arriving: number;
}

const NOWHERE: FollowedPlace = { tip: EMPTY_TIP };

export class SessionFollower {
  readonly #parts: FollowerParts;
  readonly #followed = new Map<string, Followed>();
  #leave: (() => void) | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** `begin` gets the place in the moment from which on changes are told to those who watch. */
  async follow<T>(sessionKey: string, begin: (place: FollowedPlace) => T): Promise<T> {
    this.#leave ??= this.#parts.ledger.onCommit((note) => this.#hear(note));
    const followed = this.#followed.get(sessionKey) ?? this.#start(sessionKey);
    followed.arriving += 1;
    try {
      while (followed.isLost) await this.#find(followed);
      return begin(followed.place);
    } finally {
      followed.arriving -= 1;
    }
  }

  #start(sessionKey: string): Followed {
    const followed = { sessionKey, place: NOWHERE, isLost: true, hasChanged: false, arriving: 0 };
    this.#followed.set(sessionKey, followed);
    return followed;
  }

  #hear({ commits, sessionIds, sessionKeys }: CommitNote): void {
    if (sessionIds.length + sessionKeys.length === 0) return;
    for (const followed of this.#followed.values()) {
      if (followed.arriving === 0 && this.#parts.watchers.of(followed.sessionKey).size === 0) {
        this.#followed.delete(followed.sessionKey);
      } else for (const changes of commits) this.#take(followed, changes);
    }
    if (this.#followed.size > 0) return;
    this.#leave?.();
    this.#leave = undefined;
  }

  #take(followed: Followed, changes: readonly Change[]): void {
    for (const change of changes) {
      if (followed.isLost) {
        followed.hasChanged = true;
        return;
      }
      const { sessionId } = followed.place;
      if (change.kind === "session-delete" && change.key === followed.sessionKey) {
        this.#move(followed, NOWHERE);
      } else if (change.kind === "session-put" && change.key === followed.sessionKey) {
        if (change.entry.sessionId !== sessionId) this.#changeTranscript(followed, change.entry.sessionId, changes);
      } else if (change.kind === "transcript-cut" && change.sessionId === sessionId) {
        this.#lose(followed);
      } else if (change.kind === "entries-append" && change.sessionId === sessionId) {
        this.#append(followed, change.entries, changes);
      }
    }
  }

  /** The session has another transcript: a new one is empty, any other is looked up. */
  #changeTranscript(followed: Followed, sessionId: string, changes: readonly Change[]): void {
    const isNew = changes.some((change) => change.kind === "transcript-open" && change.sessionId === sessionId);
    if (isNew) this.#move(followed, { sessionId, tip: EMPTY_TIP });
    else this.#lose(followed);
  }

  #append(followed: Followed, added: readonly NewEntry[], changes: readonly Change[]): void {
    // More than a page, such as an import, is better read by pages.
    if (added.length > MAX_PAGE) return this.#lose(followed);
    const { sessionId = "" } = followed.place;
    const from = followed.place.tip.total;
    const runId = runOf(changes);
    const entries = added.map(({ line }) => JSON.parse(line) as TranscriptEntry);
    const messages: ShownMessage[] = [];
    let { tip } = followed.place;
    for (const entry of entries) {
      const step = extendTip(tip, entry, isShownKind(entry));
      if (!step) return this.#lose(followed);
      const { siblings } = step;
      const shown = showEntry({ index: tip.total, entry, ...(siblings ? { siblings } : {}) });
      messages.push(runId === undefined || shown.hidden ? shown : { ...shown, runId });
      tip = step.tip;
    }
    followed.place = { sessionId, tip };
    if (messages.length === 0) return;
    const runs = runId === undefined ? [] : this.#saidBehind(runId, entries);
    const { total, leafId } = tip;
    const event: SessionEntriesEvent = {
      sessionKey: followed.sessionKey,
      sessionId,
      from,
      total,
      leafId,
      messages,
      runs,
    };
    this.#tell(followed, "session.entries", event);
  }

  #saidBehind(runId: string, entries: readonly TranscriptEntry[]): SessionEntriesEvent["runs"] {
    const last = entries.findLast((entry) => messageOf(entry).role === "assistant");
    if (!last) return [];
    return [{ runId, ...this.#parts.liveRuns.saidBehind(runId, callsOf(messageOf(last).content)) }];
  }

  #move(followed: Followed, place: FollowedPlace): void {
    followed.place = place;
    const { total, leafId } = place.tip;
    const sessionId = place.sessionId === undefined ? {} : { sessionId: place.sessionId };
    const event: SessionMovedEvent = { sessionKey: followed.sessionKey, ...sessionId, total, leafId };
    this.#tell(followed, "session.moved", event);
  }

  /** The branch changed in a way only the ledger can tell. */
  #lose(followed: Followed): void {
    followed.isLost = true;
    this.#find(followed).catch((error: unknown) =>
      this.#parts.log.warn("a watched session could not be read", {
        session: followed.sessionKey,
        error: String(error),
      }),
    );
  }

  #find(followed: Followed): Promise<void> {
    followed.finding ??= this.#findNow(followed).finally(() => delete followed.finding);
    return followed.finding;
  }

  async #findNow(followed: Followed): Promise<void> {
    const { ledger, paths } = this.#parts;
    for (;;) {
      followed.hasChanged = false;
      const entry = await ledger.session(followed.sessionKey);
      const place = entry ? { sessionId: entry.sessionId, tip: await paths.tip(entry.sessionId) } : NOWHERE;
      if (followed.hasChanged) continue;
      followed.isLost = false;
      return this.#move(followed, place);
    }
  }

  #tell({ sessionKey }: Followed, event: "session.entries" | "session.moved", payload: object): void {
    this.#parts.hub.tell(this.#parts.watchers.of(sessionKey), event, payload);
  }
}

/** The run a commit belongs to; undefined when it is not clear. */
function runOf(changes: readonly Change[]): string | undefined {
  const begun = changes.find((change) => change.kind === "turn-begin");
  if (begun) return begun.runId;
  const called = changes.find((change) => change.kind === "tool-start" || change.kind === "tool-end");
  if (called) return called.runId;
  const ended = changes.filter((change) => change.kind === "turn-end");
  return ended.length === 1 ? ended[0]?.runId : undefined;
}

function messageOf(entry: TranscriptEntry): { readonly role?: unknown; readonly content?: unknown } {
  return (entry["message"] ?? {}) as { role?: unknown; content?: unknown };
}

function callsOf(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: { type?: unknown; id?: unknown }) =>
    block.type === "toolCall" ? [String(block.id)] : [],
  );
}
