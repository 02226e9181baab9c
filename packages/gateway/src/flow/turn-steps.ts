// Writes the steps of one turn: its beginning, each message, its end. Every step is one commit.
import type { Change, Clock } from "@chela/sdk";
import type { EntryBody, Transcripts } from "../sessions/room.ts";
import type { Commit } from "./patient-commit.ts";

interface Opening {
  readonly bodies: readonly EntryBody[];
  readonly before: readonly Change[];
  readonly after: readonly Change[];
}

const NOTHING: Opening = { bodies: [], before: [], after: [] };
const OPENING_WAIT_MS = 100;

export class TurnSteps {
  readonly #transcripts: Transcripts;
  readonly #clock: Clock;
  readonly #commit: Commit;
  readonly sessionId: string;
  /** The beginning of the turn, as long as it is not written. */
  #opening: Opening | undefined;
  #cancelOpening: () => void = () => {};
  /** Settles when an opening that is being written on its own is safe. */
  #begun: Promise<void> = Promise.resolve();

  constructor(
    sessionId: string,
    parts: { readonly transcripts: Transcripts; readonly clock: Clock; readonly commit: Commit },
  ) {
    this.sessionId = sessionId;
    this.#transcripts = parts.transcripts;
    this.#clock = parts.clock;
    this.#commit = parts.commit;
  }

  get isOpening(): boolean {
    return this.#opening !== undefined;
  }

  /**
   * The user's message and the start of the turn. Nobody is told of that commit, so it may wait a moment for the next
   * one; a quick answer then needs one flush of the disk less. A new session is written at once.
   */
  async open(opening: Opening): Promise<void> {
    this.#opening = opening;
    if (opening.before.length > 0) return this.write([], []);
    this.#cancelOpening = this.#clock.after(OPENING_WAIT_MS, () => {
      this.#begun = this.#writeNow([], []);
      // Whoever writes next waits for it, and meets the failure.
      this.#begun.catch(() => {});
    });
  }

  /** Appends to the transcript in one commit with `after`; what is left of the opening goes first. */
  async write(bodies: readonly EntryBody[], after: readonly Change[]): Promise<void> {
    await this.#begun;
    await this.#writeNow(bodies, after);
  }

  /** The beginning stays unwritten: the next start begins anew. */
  cancel(): void {
    this.#cancelOpening();
  }

  async #writeNow(bodies: readonly EntryBody[], after: readonly Change[]): Promise<void> {
    const opening = this.#opening ?? NOTHING;
    this.#opening = undefined;
    this.#cancelOpening();
    await this.#transcripts.append(this.sessionId, [...opening.bodies, ...bodies], {
      before: opening.before,
      after: [...opening.after, ...after],
      commit: this.#commit,
    });
  }
}
