// Tells those who follow sessions what happens in them: sessions.changed, session.message. In order, and only what is committed.
import type { Change, CommitNote, SessionEntry, TranscriptEntry } from "@chela/sdk";
import type { TurnEvent } from "../../flow/turn/events.ts";
import type { House } from "../../house/house.ts";
import { historyMessages } from "../methods/chat-history.ts";
import { sessionRow } from "../../rooms/sessions/methods/row.ts";
import type { ChangeReason } from "./session-subscribers.ts";

type SessionEventsHouse = Pick<
  House,
  "usedWindow" | "ledger" | "hub" | "clock" | "log" | "models" | "liveRuns" | "sessionPaths" | "subscribers"
>;
type SessionEventRow = ReturnType<typeof sessionRow> & { readonly status?: string };

/** More at once, such as an import, is better read than told. */
const MOST_ENTRIES = 200;

export class SessionEvents {
  readonly #parts: SessionEventsHouse;
  /** What is told is read first, one thing after the other. */
  #line: Promise<void> = Promise.resolve();
  /** Runs a model answers in; a command is answered without a turn. */
  readonly #turns: Set<string>;

  constructor(parts: SessionEventsHouse) {
    this.#parts = parts;
    this.#turns = new Set(parts.liveRuns.turns());
    parts.subscribers.tellBy((sessionKey, reason, more) => this.#changed(sessionKey, reason, more));
  }

  hearTurn(event: TurnEvent): void {
    const { sessionKey, runId } = event;
    if (event.kind === "turn-started") {
      this.#turns.add(runId);
      this.#phase(sessionKey, { phase: "start", runId });
    }
    if (event.kind !== "turn-ended" || !this.#turns.delete(runId)) return;
    const hasFailed = event.outcome.status === "error" && event.outcome.stopReason !== "timeout";
    this.#phase(sessionKey, { phase: hasFailed ? "error" : "end", runId });
  }

  hearCommit({ commits }: CommitNote): void {
    const { ofAll, ofOne } = this.#parts.subscribers;
    if (ofAll.size === 0 && ofOne.isEmpty) return;
    for (const changes of commits) for (const change of changes) this.#hearChange(change);
  }

  #hearChange(change: Change): void {
    if (change.kind !== "entries-append" || change.entries.length > MOST_ENTRIES) return;
    const { sessionId, entries } = change;
    this.#soon(async () => {
      const transcript = await this.#parts.ledger.transcript(sessionId);
      for (const { id } of transcript ? entries : []) await this.#said(String(transcript?.sessionKey), sessionId, id);
    });
  }

  async #said(sessionKey: string, sessionId: string, id: string): Promise<void> {
    const { hub, clock, subscribers, sessionPaths } = this.#parts;
    const hearers = subscribers.hearing(sessionKey);
    const placed = hearers.size === 0 ? undefined : await sessionPaths.find(sessionId, id);
    if (!placed) return;
    const row = await this.#row(sessionKey);
    for (const message of shown(placed.entry, placed.index + 1)) {
      const place = { messageId: id, messageSeq: placed.index + 1 };
      const about = { ...(row ? { session: row } : {}), ...flat(row) };
      hub.tell(hearers, "session.message", { sessionKey, message, ...place, ...about });
      const ts = clock.now();
      hub.tell(subscribers.ofAll, "sessions.changed", { sessionKey, phase: "message", ts, ...place, ...about });
    }
  }

  #phase(sessionKey: string, what: { readonly phase: string; readonly runId: string }): void {
    if (this.#parts.subscribers.ofAll.size === 0) return;
    const ts = this.#parts.clock.now();
    this.#soon(async () => {
      const row = await this.#row(sessionKey, what.phase === "start");
      const about = { ...(row ? { session: row } : {}), ...flat(row) };
      this.#parts.hub.tell(this.#parts.subscribers.ofAll, "sessions.changed", { sessionKey, ...what, ts, ...about });
    });
  }

  #changed(sessionKey: string, reason: ChangeReason, more: object): void {
    const ts = this.#parts.clock.now();
    this.#soon(async () => {
      const row = await this.#row(sessionKey);
      const about = row || reason === "delete" ? flat(row) : await this.#expected();
      const payload = { sessionKey, reason, ...more, ts, ...about };
      this.#parts.hub.tell(this.#parts.subscribers.ofAll, "sessions.changed", payload);
    });
  }

  /** As it is now; `isStarting`: a turn began, whatever came of it meanwhile. */
  async #row(sessionKey: string, isStarting = false): Promise<SessionEventRow | undefined> {
    const { ledger, models, liveRuns } = this.#parts;
    const entry: SessionEntry | undefined = await ledger.session(sessionKey);
    if (!entry) return undefined;
    const { model } = await models.defaultModel();
    const shown = { ...model, contextWindow: await this.#parts.usedWindow(model) };
    const row = sessionRow(sessionKey, entry, shown, liveRuns.answering(sessionKey));
    return isStarting ? { ...row, status: "running" } : row;
  }

  /** What can be said of a session that is about to begin. */
  async #expected(): Promise<object> {
    const { model } = await this.#parts.models.defaultModel();
    const contextTokens = await this.#parts.usedWindow(model);
    return { totalTokensFresh: false, contextTokens, modelProvider: model.provider, model: model.id };
  }

  #soon(work: () => Promise<void>): void {
    this.#line = this.#line
      .then(work)
      .catch((error: unknown) =>
        this.#parts.log.warn("those who follow sessions were not told", { error: String(error) }),
      );
  }
}

/** As the history shows it; what is not for people is not told. */
function shown(entry: TranscriptEntry, seq: number): object[] {
  return historyMessages([{ entry, seq }], 2);
}

/** Older clients look beside `session`, not in it. */
function flat(row: SessionEventRow | undefined): object {
  if (!row) return {};
  const { key: _key, agentId: _agentId, ...rest } = row as SessionEventRow & { agentId?: string };
  return rest;
}
