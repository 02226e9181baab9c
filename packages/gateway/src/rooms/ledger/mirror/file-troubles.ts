// Retries of files that could not be written. A person hears of each cause once.
import type { Clock, Logger } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

const CAUSES: Record<string, string> = {
  ENOSPC: "The disk is full, so the session files are not current; free some space",
  EDQUOT: "The disk quota is used up, so the session files are not current; free some space",
  EACCES: "The session files may not be written by this user; correct the permissions of the state directory",
  EPERM: "The session files may not be written by this user; correct the permissions of the state directory",
  EROFS: "The file system is read-only, so the session files are not current; make it writable",
};

export class FileTroubles {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #waiting = new Map<string, { readonly tryAt: number; readonly pause: number }>();
  readonly #told = new Set<string>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Infinity when nothing waits. */
  get nextTry(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#waiting.values()].map(({ tryAt }) => tryAt));
  }

  isWaiting(what: string): boolean {
    const found = this.#waiting.get(what);
    return found !== undefined && found.tryAt > this.#clock.steady();
  }

  failed(what: string, error: unknown): void {
    const pause = Math.min(LONGEST_PAUSE_MS, (this.#waiting.get(what)?.pause ?? FIRST_PAUSE_MS / 2) * 2);
    this.#waiting.set(what, { tryAt: this.#clock.steady() + pause, pause });
    this.report(what, error);
  }

  succeeded(what: string): void {
    this.#waiting.delete(what);
    if (this.#waiting.size > 0 || this.#told.size === 0) return;
    this.#told.clear();
    this.#log.info("The session files can be written again and are being brought up to date");
  }

  /** Everything whose pause is over; it stays known until it succeeds, so that the next pause is longer. */
  due(): string[] {
    return [...this.#waiting].filter(([, { tryAt }]) => tryAt <= this.#clock.steady()).map(([what]) => what);
  }

  /** The next try is now: somebody asked for it. */
  forgiveAll(): void {
    for (const [what, { pause }] of this.#waiting) this.#waiting.set(what, { tryAt: 0, pause });
  }

  report(what: string, error: unknown): void {
    const cause = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
    if (this.#told.has(cause)) return;
    this.#told.add(cause);
    const says = CAUSES[cause] ?? "A session file could not be written; it is tried again";
    this.#log.error(`${says}. Nothing is lost: the ledger has everything.`, { what, cause: String(error) });
  }
}
