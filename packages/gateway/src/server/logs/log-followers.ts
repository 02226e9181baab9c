// Clients who watch the log: told of new lines a few times a second. While nobody does, nothing runs.
import type { Clock } from "@chela/sdk";
import type { LogEvent, Client } from "@chela/sdk/protocol";
import type { LogSink } from "../../base/log.ts";
import type { Hub } from "../live/hub.ts";

const TELL_EVERY_MS = 200;
/** A burst of more than this is cut: whoever watches cannot read it anyway. */
const MOST_LINES = 2_000;

interface Follower {
  lines: string[];
  skipped: number;
  /** What was there before has been read: from now on lines can be told. */
  isReady: boolean;
}

export class LogFollowers {
  readonly #parts: { readonly log: LogSink; readonly hub: Hub; readonly clock: Clock };
  readonly #followers = new Map<Client, Follower>();
  #leaveLog: (() => void) | undefined;
  #cancelTelling: (() => void) | undefined;

  constructor(parts: { readonly log: LogSink; readonly hub: Hub; readonly clock: Clock }) {
    this.#parts = parts;
  }

  /** Lines from this moment on are kept for the client, and told once `ready` was called. */
  add(client: Client): { ready(): void } {
    const follower: Follower = { lines: [], skipped: 0, isReady: false };
    this.#followers.set(client, follower);
    this.#leaveLog ??= this.#parts.log.onLines((lines) => this.#take(lines));
    return {
      ready: () => {
        follower.isReady = true;
        if (follower.lines.length > 0) this.#tellSoon();
      },
    };
  }

  remove(client: Client): void {
    this.#followers.delete(client);
    if (this.#followers.size > 0) return;
    this.#leaveLog?.();
    this.#leaveLog = undefined;
    this.#cancelTelling?.();
    this.#cancelTelling = undefined;
  }

  #take(lines: readonly string[]): void {
    const { clients } = this.#parts.hub;
    for (const [client, follower] of this.#followers) {
      if (!clients.has(client)) {
        this.remove(client);
        continue;
      }
      follower.lines.push(...lines);
      const tooMany = follower.lines.length - MOST_LINES;
      if (tooMany <= 0) continue;
      follower.lines.splice(0, tooMany);
      follower.skipped += tooMany;
    }
    if (this.#followers.size > 0) this.#tellSoon();
  }

  #tellSoon(): void {
    this.#cancelTelling ??= this.#parts.clock.after(TELL_EVERY_MS, () => {
      this.#cancelTelling = undefined;
      this.#tell();
    });
  }

  #tell(): void {
    for (const [client, follower] of this.#followers) {
      if (!follower.isReady || follower.lines.length === 0) continue;
      const { lines, skipped } = follower;
      Object.assign(follower, { lines: [], skipped: 0 });
      const event: LogEvent = { lines, ...(skipped > 0 ? { skipped } : {}) };
      this.#parts.hub.tell([client], "log", event);
    }
  }
}
