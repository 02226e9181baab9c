// Presence: who is or was connected lately, as clients show it.
import { hostname, networkInterfaces, release } from "node:os";
import type { Clock } from "@chela/sdk";
import type { PresenceEntry } from "@chela/sdk/protocol";

const KEEP_MS = 5 * 60_000;
const MOST_ENTRIES = 200;

export class Presence {
  readonly #clock: Clock;
  readonly #version: string;
  readonly #entries = new Map<string, PresenceEntry>();
  /** Those who are here right now, however long ago they came. */
  readonly #here = new Set<string>();
  /** Counts changes, so that clients know when they are behind. */
  revision = 0;

  constructor(clock: Clock, version: string) {
    this.#clock = clock;
    this.#version = version;
  }

  put(key: string, entry: Omit<PresenceEntry, "ts">): void {
    this.#entries.delete(key);
    this.#entries.set(key, { ...entry, ts: this.#clock.now() } as PresenceEntry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST_ENTRIES) break;
      this.#entries.delete(oldest);
    }
    this.revision += 1;
  }

  /** Somebody connected; the entry stays until they leave. */
  enter(key: string, entry: Omit<PresenceEntry, "ts">): void {
    this.#here.add(key);
    this.put(key, entry);
  }

  get(key: string): PresenceEntry | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The connection behind `key` is gone; the entry stays a while. */
  leave(key: string): void {
    this.#here.delete(key);
    const entry = this.#entries.get(key);
    if (entry) this.put(key, { ...entry, reason: "disconnect" });
  }

  /** Newest first, the gateway itself before all others. */
  list(): PresenceEntry[] {
    const now = this.#clock.now();
    for (const [key, entry] of this.#entries) {
      if (now - entry.ts > KEEP_MS && !this.#here.has(key)) this.#entries.delete(key);
    }
    return [this.#self(now), ...[...this.#entries.values()].reverse()];
  }

  #self(ts: number): PresenceEntry {
    const host = hostname();
    const ip = ownAddress();
    const place = ip ? `${host} (${ip})` : host;
    return {
      host,
      ...(ip ? { ip } : {}),
      version: this.#version,
      platform: `${process.platform} ${release()}`,
      deviceFamily: process.platform === "darwin" ? "Mac" : process.platform === "win32" ? "Windows" : "Linux",
      modelIdentifier: process.arch,
      mode: "gateway",
      reason: "self",
      text: `Gateway: ${place} · app ${this.#version} · mode gateway · reason self`,
      ts,
    };
  }
}

function ownAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find((address) => address.family === "IPv4" && !address.internal)?.address;
}
