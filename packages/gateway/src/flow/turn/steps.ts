// Writes the steps of one turn: its beginning, each message, its end. Every step is one commit.
import type { Change, Clock } from "@chela/sdk";
import type { EntryBody, Transcripts } from "../../rooms/sessions/room.ts";
import type { Commit } from "./patient-commit.ts";

/** What goes into one commit: entries of the transcript, and what is written before and after them. */
interface Step {
  readonly bodies: readonly EntryBody[];
  readonly before: readonly Change[];
  readonly after: readonly Change[];
}

const NOTHING: Step = { bodies: [], before: [], after: [] };
const LONGEST_WAIT_MS = 100;

export class TurnSteps {
  readonly #transcripts: Transcripts;
  readonly #clock: Clock;
  readonly #commit: Commit;
  readonly sessionId: string;
  /** What may wait for the next commit. */
  #pending: Step | undefined;
  #cancelWait: () => void = () => {};
  /** Settles when what waited and is being written on its own is safe. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(
    sessionId: string,
    {
      house,
      commit,
    }: { readonly house: { readonly transcripts: Transcripts; readonly clock: Clock }; readonly commit: Commit },
  ) {
    this.sessionId = sessionId;
    this.#transcripts = house.transcripts;
    this.#clock = house.clock;
    this.#commit = commit;
  }

  /** Whether something of the turn is not written yet. */
  get hasPending(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * The user's message and the start of the turn. Nobody is told of that commit, so it may wait a moment for the next
   * one; a quick answer then needs one flush of the disk less. A new session is written at once.
   */
  async open(opening: Step): Promise<void> {
    this.#pending = opening;
    if (opening.before.length > 0) await this.write([], []);
    else this.#waitAWhile();
  }

  /** A step that does no harm when it is repeated after a crash, such as a look at a file: it waits for the next one. */
  async defer(bodies: readonly EntryBody[], after: readonly Change[]): Promise<void> {
    await this.#flushed;
    const pending = this.#pending;
    this.#pending = joined(pending, bodies, after);
    if (!pending) this.#waitAWhile();
  }

  /** Appends to the transcript in one commit with `after`; what waited goes first. */
  async write(bodies: readonly EntryBody[], after: readonly Change[]): Promise<void> {
    await this.#flushed;
    await this.#writeNow(bodies, after);
  }

  /** What waits stays unwritten: the next start begins anew. */
  cancel(): void {
    this.#cancelWait();
  }

  #waitAWhile(): void {
    this.#cancelWait = this.#clock.after(LONGEST_WAIT_MS, () => {
      this.#flushed = this.#writeNow([], []);
      // Whoever writes next waits for it, and meets the failure.
      this.#flushed.catch(() => {});
    });
  }

  async #writeNow(more: readonly EntryBody[], later: readonly Change[]): Promise<void> {
    const { bodies, before, after } = joined(this.#pending, more, later);
    this.#pending = undefined;
    this.#cancelWait();
    await this.#transcripts.append(this.sessionId, bodies, { before, after, commit: this.#commit });
  }
}

function joined(step: Step | undefined, bodies: readonly EntryBody[], after: readonly Change[]): Step {
  const { before, ...first } = step ?? NOTHING;
  return { before, bodies: [...first.bodies, ...bodies], after: [...first.after, ...after] };
}
