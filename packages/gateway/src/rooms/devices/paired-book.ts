// The book of paired devices on the disk: read as it is there, written whole, with the last use of each token.
import { GatewayError, type Clock, type Ids, type Logger } from "@chela/sdk";
import type { RecordFile } from "../../base/files/record-file.ts";
import { changesBetween, widenedBetween, type DeviceChange } from "./changes.ts";
import type { DeviceToken, PairedDevice } from "./records.ts";
import { withToken } from "./tokens.ts";

export interface BookParts {
  readonly paired: RecordFile<PairedDevice>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly emit: (change: DeviceChange) => void;
}

type Devices = ReadonlyMap<string, PairedDevice>;

const REMEMBER_USE_EVERY_MS = 60_000;
const LOOK_OUTSIDE_EVERY_MS = 1_000;

export class PairedBook {
  readonly #parts: BookParts;
  readonly #used = new Map<DeviceToken, number>();
  #seen: Devices | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancelRemember: (() => void) | undefined;

  constructor(parts: BookParts) {
    this.#parts = parts;
  }

  /** As it is on disk. What another program changed in the file is told like a change of our own. */
  read(): Devices {
    const { paired, clock, ids, emit } = this.#parts;
    const before = this.#seen;
    const now = paired.load();
    this.#seen = now;
    this.#lookedAt = clock.steady();
    if (before && before !== now) {
      for (const change of changesBetween(before, now)) emit(change);
      for (const { deviceId } of widenedBetween(before, now))
        emit(approval({ deviceId, requestId: ids.uuid(), at: clock.now(), unasked: { why: "file" } }));
    }
    return now;
  }

  /** As it was a moment ago, for those who ask with every request. */
  recent(): Devices {
    const isFresh = this.#parts.clock.steady() - this.#lookedAt < LOOK_OUTSIDE_EVERY_MS;
    return isFresh && this.#seen ? this.#seen : this.read();
  }

  save(devices: Devices): void {
    const next = new Map([...devices].map(([id, device]) => [id, withUses(device, this.#used)]));
    this.#parts.paired.save(next);
    this.#seen = next;
    this.#used.clear();
  }

  put(device: PairedDevice): void {
    this.save(new Map(this.read()).set(device.deviceId, device));
  }

  noteUse(token: DeviceToken): void {
    const { clock } = this.#parts;
    this.#used.set(token, clock.now());
    this.#cancelRemember ??= clock.after(REMEMBER_USE_EVERY_MS, () => this.rememberUses());
  }

  rememberUses(): void {
    this.#cancelRemember?.();
    this.#cancelRemember = undefined;
    if (this.#used.size === 0) return;
    try {
      this.save(this.read());
    } catch (error) {
      // When a token was last used is a convenience; a full disk must not end the process for it.
      if (!GatewayError.is(error)) throw error;
      this.#parts.log.warn("The time of last use of device tokens could not be written", { reason: error.message });
    }
  }
}

type Resolved = Extract<DeviceChange, { kind: "resolved" }>;

/** Told when a device was approved; `unasked` when nobody was asked. */
export function approval({
  deviceId,
  requestId,
  at,
  unasked,
}: Pick<Resolved, "deviceId" | "requestId" | "at"> & {
  readonly unasked?: Resolved["unasked"] | undefined;
}): DeviceChange {
  return { kind: "resolved", requestId, deviceId, decision: "approved", at, ...(unasked ? { unasked } : {}) };
}

function withUses(device: PairedDevice, used: ReadonlyMap<DeviceToken, number>): PairedDevice {
  let result = device;
  for (const token of Object.values(device.tokens ?? {})) {
    const lastUsedAtMs = used.get(token);
    if (lastUsedAtMs !== undefined) result = withToken(result, { ...token, lastUsedAtMs });
  }
  return result;
}
