// The beats of one conversation, one after another: what asks for one within a moment becomes one.
import { OPEN_ERRANDS, type Change, type Errand } from "@chela/sdk";
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import { skippedEvent } from "./beat-event.ts";
import { composeBeat } from "./compose.ts";
import { BY_TIMER, type SkipReason } from "./decide.ts";
import { addAgain, type BeatWork } from "./beat-errands.ts";
import { lookAround, type BeatLook } from "./beat-look.ts";
import type { HeartbeatHouse, HeartbeatParts } from "./parts.ts";
import { homeOf } from "./home.ts";
import { findWay, type BeatWay } from "./place.ts";
import { putLast, putState, readState, type BeatHome } from "./state.ts";
import { isWaitingEvent } from "./waiting-events.ts";
import type { WakeList } from "./wake-list.ts";

const GATHER_MS = 250;
const AFTER_BUSY_MS = 1000;
const AFTER_FAILURE_MS = 60_000;
/** Timers stand still while a machine sleeps, so nobody relies on a long one. */
const LONGEST_WAIT_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Nothing new happened; something still waits. */
const WAITING = "waiting";

interface Again {
  readonly cause: string;
  readonly afterMs: number;
}

export class BeatQueue {
  readonly #home: BeatHome;
  readonly #house: HeartbeatHouse;
  readonly #parts: HeartbeatParts;
  readonly #wakes: WakeList;
  readonly #causes = new Set<string>();
  /** When it is looked at next. */
  #next: { readonly at: number; cancel(): void } | undefined;
  #isLooking = false;
  #isClosed = false;
  /** A skip that is only the old one looked at again is not told twice. */
  #lastSkip: SkipReason | undefined;

  constructor(home: BeatHome, house: HeartbeatHouse, parts: HeartbeatParts, wakes: WakeList) {
    this.#home = home;
    this.#house = house;
    this.#parts = parts;
    this.#wakes = wakes;
  }

  ask(cause: string, afterMs = GATHER_MS): void {
    if (this.#isClosed) return;
    this.#causes.add(cause);
    if (this.#isLooking) return;
    const { clock } = this.#house;
    const now = clock.steady();
    const waitMs = Math.min(afterMs, LONGEST_WAIT_MS);
    // Whoever asks without a pause does not put it off.
    if (this.#next && this.#next.at >= now && this.#next.at <= now + waitMs) return;
    this.#next?.cancel();
    this.#next = { at: now + waitMs, cancel: clock.after(waitMs, () => void this.#run()) };
  }

  close(): void {
    this.#isClosed = true;
    this.#next?.cancel();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const causes = [...this.#causes];
    this.#causes.clear();
    this.#next = undefined;
    this.#isLooking = true;
    let again: Again | undefined;
    try {
      again = await this.#beat(causes);
    } catch (error) {
      const { log } = this.#house;
      log.error("a heartbeat failed", {
        agent: this.#home.agentId,
        error: error instanceof Error ? error.stack : error,
      });
      // The timer comes again by itself; what waits to be told does not.
      const cause = causes.find((one) => one !== BY_TIMER);
      if (cause !== undefined) again = { cause, afterMs: AFTER_FAILURE_MS };
    } finally {
      this.#isLooking = false;
      const [next] = this.#causes;
      if (next !== undefined) this.ask(next);
      else if (again) this.ask(again.cause, again.afterMs);
    }
  }

  /** Tells when what waits is to be looked at again. */
  async #beat(causes: readonly string[]): Promise<Again | undefined> {
    await this.#finishEarlier();
    // The agent may be gone from the configuration since somebody woke it.
    if (this.#isClosed || !this.#house.agents().some(({ id }) => id === this.#home.agentId)) return undefined;
    const look = await lookAround(this.#home, causes, this.#house, this.#parts);
    const { decision, notes } = look;
    if (decision.kind === "skip") {
      await this.#skip(decision.reason, causes);
      if (notes.length === 0) await this.#wakes.tidy(this.#home);
      return this.#lookAgain(decision.again, causes);
    }
    const way = await findWay(
      this.#home,
      { settings: look.settings, hasNotes: notes.length > 0 },
      this.#house,
      this.#parts,
    );
    // What cannot be told is not worth asking for; events wait for the person's next message.
    if (way.kind === "told" && way.delivery.mode === "nowhere") {
      await this.#skip("no-target", causes);
      return undefined;
    }
    return this.#askModel(look, way, causes);
  }

  /** A beat that an earlier process began is not overtaken. */
  async #finishEarlier(): Promise<void> {
    const { ledger, errands } = this.#house;
    const whose = { kind: "heartbeat", owner: this.#home.agentId } as const;
    const open = await ledger.errands({ ...whose, states: OPEN_ERRANDS, limit: 20 });
    for (const { runId, work } of open) if (work["home"] === this.#home.sessionKey) await errands.settled(runId);
  }

  async #skip(reason: SkipReason, causes: readonly string[]): Promise<void> {
    const isRepeated = reason === this.#lastSkip && !causes.includes(BY_TIMER);
    this.#lastSkip = reason;
    if (isRepeated) return;
    const event = skippedEvent(this.#home.agentId, reason, this.#house.clock.now());
    const state = await readState(this.#house.ledger, this.#home);
    await this.#write(event, [putState(this.#home, { ...state, last: event })]);
  }

  async #write(event: HeartbeatEvent, changes: readonly Change[]): Promise<void> {
    await this.#house.ledger.commit([...changes, putLast(event)]);
    this.#parts.tell(event);
  }

  #lookAgain(
    again: { readonly afterMs: number } | "when-free" | undefined,
    causes: readonly string[],
  ): Again | undefined {
    if (again === undefined) return undefined;
    // The timer's turn is told; looking again is not another one.
    const cause = causes.find((one) => one !== BY_TIMER) ?? WAITING;
    if (again !== "when-free") return { cause, afterMs: again.afterMs };
    void this.#house.lanes.settled(this.#home.sessionKey).then(() => this.ask(cause, AFTER_BUSY_MS));
    return undefined;
  }

  async #askModel(look: BeatLook, way: BeatWay, causes: readonly string[]): Promise<Again | undefined> {
    this.#lastSkip = undefined;
    if (this.#isClosed) return undefined;
    const { clock, ledger, errands } = this.#house;
    const now = clock.now();
    const errand = this.#errandFor(look, way, causes, now);
    const state = { ...look.state, askedAt: now, seen: look.seen };
    await errands.begin(errand, [putState(this.#home, state), ...this.#claim(look, errand.runId)]);
    const end = await errands.settled(errand.runId);
    // Nothing is known of one that the gateway stopped with; the next start goes on with it.
    if (!end || end.state !== "settled") return undefined;
    const { last, restsUntil } = await readState(ledger, this.#home);
    await this.#wakes.tidy(this.#home);
    if (last?.status !== "failed") return look.hasMore ? { cause: WAITING, afterMs: GATHER_MS } : undefined;
    if (look.notes.length === 0) return undefined;
    return { cause: WAITING, afterMs: Math.max(GATHER_MS, (restsUntil ?? now) - clock.now()) };
  }

  /** The events are this beat's to tell; what people said in the conversation, and what was told before, is not, and stays. */
  #claim({ asides, notes }: BeatLook, runId: string): Change[] {
    const last = notes.at(-1);
    if (!last) return [];
    const { sessionKey } = this.#home;
    const others = asides.filter((aside) => !isWaitingEvent(aside) && aside.seq < last.seq);
    return [
      { kind: "asides-told", sessionKey, upTo: last.seq },
      ...others.map((aside) => addAgain(aside, sessionKey, runId)),
    ];
  }

  #errandFor(look: BeatLook, way: BeatWay, causes: readonly string[], now: number): Errand {
    const { agentId, sessionKey } = this.#home;
    const { settings, state, notes, tasks, exchanges, failedJobs } = look;
    const timeZone = this.#house.agentOf(agentId).userTimezone;
    const isElsewhere = [settings.session, undefined].every(
      (written) => sessionKey !== homeOf(agentId, written, this.#house),
    );
    const work: BeatWork = {
      home: sessionKey,
      text: composeBeat({ prompt: settings.prompt, now, timeZone, tasks, notes, failedJobs, exchanges }),
      notes: notes.map(({ key, at, body }) => ({ key, at, body })),
      quoted: exchanges.map(({ message }) => message.runId),
      causes: [...causes],
      ...(settings.model ? { model: settings.model } : {}),
      isLight: settings.lightContext,
      isFresh: Math.floor(now / DAY_MS) !== Math.floor((state.askedAt ?? 0) / DAY_MS),
      isElsewhere,
      ...(way.kind === "kept" ? { kept: way.reason } : {}),
      ackMaxChars: settings.ackMaxChars,
      withReasoning: settings.includeReasoning,
    };
    return {
      runId: `beat:${agentId}:${now}${isElsewhere ? `:${sessionKey}` : ""}`,
      kind: "heartbeat",
      owner: agentId,
      agentId,
      sessionKey: beatKey(this.#home),
      dueAt: now,
      createdAt: now,
      work: { ...work },
      ...(way.kind === "told" ? { delivery: way.delivery } : {}),
    };
  }
}

/** Beats have a conversation of their own beside the one they are for, so that it is not filled with them. */
function beatKey({ agentId, sessionKey }: BeatHome): string {
  const own = `agent:${agentId}:`;
  const name = sessionKey.startsWith(own) ? sessionKey.slice(own.length) : sessionKey;
  return `agent:${agentId}:heartbeat:${name}`;
}
