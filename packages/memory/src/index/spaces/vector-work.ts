// Fills the vector spaces: the instant one by itself, so that it never waits for a model; the fallback while the main one fails.
import type { Progress } from "../../messages.ts";
import type { AgentSpaces } from "./agent-spaces.ts";
import { SpaceFiller, type FillerParts } from "./space-filler.ts";

const INSTANT_AT_ONCE = 200;
const MODEL_AT_ONCE = 32;

export class VectorWork {
  readonly #instant: SpaceFiller;
  readonly #model: SpaceFiller;

  constructor(shelf: AgentSpaces, parts: Omit<FillerParts, "spaces" | "atOnce">) {
    const { main, fallback, instant } = shelf;
    this.#instant = new SpaceFiller({ ...parts, atOnce: INSTANT_AT_ONCE, spaces: () => (instant ? [instant] : []) });
    this.#model = new SpaceFiller({
      ...parts,
      atOnce: MODEL_AT_ONCE,
      spaces: () =>
        [main, main && main.health.restMs > 0 ? fallback : undefined].filter((space) => space !== undefined),
      rested: (hasWorked) => {
        if (main?.gap(parts.chunks.count) === 0) shelf.completeMain();
        parts.rested(hasWorked);
      },
    });
  }

  get isRunning(): boolean {
    return this.#model.isRunning || this.#instant.isRunning;
  }

  get progress(): Progress | undefined {
    return this.#model.progress ?? this.#instant.progress;
  }

  wake(): void {
    this.#instant.wake();
    this.#model.wake();
  }

  /** A space was emptied or lost some of its vectors. */
  lookAgain(): void {
    this.#instant.lookAgain();
    this.#model.lookAgain();
  }

  /** Once the model made what it can for now. */
  settled(): Promise<void> {
    return this.#model.settled();
  }

  async close(): Promise<void> {
    await Promise.all([this.#instant.close(), this.#model.close()]);
  }
}
