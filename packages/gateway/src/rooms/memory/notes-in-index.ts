// Keeps the index up with the notes: reads them in when somebody looks, and after they changed in a folder that is watched.
import type { Clock, Logger } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import type { KeeperProcess } from "./keeper-process.ts";
import type { IndexSettings } from "@chela/memory";
import { NoteWatch } from "./note-watch.ts";
import type { MemorySettings } from "./settings.ts";

export interface NotesInIndexParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly keeper: Pick<KeeperProcess, "ask">;
  settings(agentId: string): MemorySettings;
  isThere(agentId: string): boolean;
  changed(): void;
}

/** As long as a person waits for an answer that might be better. */
const WAIT_MS = 5_000;

export class NotesInIndex {
  readonly #parts: NotesInIndexParts;
  readonly #watch: NoteWatch;
  /** Agents whose notes were read in since the start, or are just being. */
  readonly #looked = new Map<string, Promise<void>>();

  constructor(parts: NotesInIndexParts) {
    this.#parts = parts;
    this.#watch = new NoteWatch({
      clock: parts.clock,
      log: parts.log,
      debounceMs: (agentId) => parts.settings(agentId).watchDebounceMs,
      changed: (agentId) => void this.readIn(agentId),
    });
  }

  /** Its notes are watched from now on. */
  follow(agentId: string): void {
    const settings = this.#watched(agentId);
    if (settings) this.#watch.follow(agentId, settings);
  }

  /** The configuration is another one. */
  followAnew(): void {
    this.#watch.refresh((agentId) => (this.#parts.isThere(agentId) ? this.#watched(agentId) : undefined));
  }

  /** The keeper does one at a time: those who come while one runs share the next, which sees what they wrote. */
  async readIn(agentId: string): Promise<void> {
    const { keeper, log } = this.#parts;
    // To ask for an agent that was removed would make its index again.
    if (!this.#parts.isThere(agentId)) return;
    try {
      const { changed, removed } = await keeper.ask("sync", { agentId, isForced: false });
      if (changed + removed > 0) this.#parts.changed();
    } catch (error) {
      log.warn("notes could not be read into the index", { agentId, error: String(error) });
    }
  }

  /** Many new notes take a while: until then the answer comes from those that were read, and says so. */
  async readInSoon(agentId: string): Promise<void> {
    await waitAtMost(WAIT_MS, this.readIn(agentId), this.#parts.clock);
  }

  /** Whoever looks at an index nobody has filled yet would think that there are no notes. */
  async readInFirst(agentId: string): Promise<void> {
    const looking = this.#looked.get(agentId) ?? this.readIn(agentId);
    this.#looked.set(agentId, looking);
    await looking;
  }

  /** The same, as long as a person waits. */
  async readInFirstSoon(agentId: string): Promise<void> {
    await waitAtMost(WAIT_MS, this.readInFirst(agentId), this.#parts.clock);
  }

  removed(agentId: string): void {
    this.followAnew();
    this.#looked.delete(agentId);
  }

  close(): void {
    this.#watch.close();
  }

  #watched(agentId: string): IndexSettings | undefined {
    const { isOn, watches, index } = this.#parts.settings(agentId);
    return isOn && watches ? index : undefined;
  }
}
