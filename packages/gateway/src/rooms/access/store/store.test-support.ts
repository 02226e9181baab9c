// A directory for the stores of this room, and a lock that several stores share as processes share a lock file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { believesAll } from "../../../base/files/believed.test-support.ts";
import { createIds } from "../../../base/ids.ts";
import { createLog } from "../../../base/log.ts";
import type { PairingParts } from "../room.ts";

export interface StoreWorld extends Disposable {
  readonly directory: string;
  readonly clock: FakeClock;
  readonly lines: readonly string[];
  readonly parts: PairingParts;
  /** How often somebody had to wait for the lock. */
  readonly waits: { count: number };
}

export function openWorld(): StoreWorld {
  const root = mkdtempSync(join(tmpdir(), "chela-access-"));
  const directory = join(root, "credentials");
  const clock = createFakeClock();
  const lines: string[] = [];
  const waits = { count: 0 };
  const log = createLog({ clock, level: "silent", consoleLevel: "warn", console: (line) => lines.push(line) });
  const parts = { directory, clock, log, ids: createIds(), lock: sharedLock(waits), believed: believesAll };
  return {
    directory,
    clock,
    lines,
    parts,
    waits,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function sharedLock(waits: { count: number }): PairingParts["lock"] {
  const held = new Map<string, Promise<void>>();
  return async (path) => {
    while (held.has(path)) {
      waits.count += 1;
      await held.get(path);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(path, promise);
    // Whoever has the lock does not get on at once, so that others really have to wait.
    await new Promise((next) => setImmediate(next));
    return () => {
      held.delete(path);
      resolve();
    };
  };
}
