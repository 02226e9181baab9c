import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { limitSessions } from "./limit-sessions.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;
const DAY = 24 * 3_600_000;
const stateDir = mkdtempSync(join(tmpdir(), "chela-tend-"));
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

async function tend(mode: "warn" | "enforce") {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  const old = { sessionId: "old", updatedAt: clock.now() - 31 * DAY };
  await ledger.commit([
    { kind: "session-put", key: "agent:main:main", entry: { ...old, sessionId: "main" } },
    { kind: "session-put", key: "agent:main:old", entry: old },
  ]);
  const limits = { mode, pruneAfterMs: 30 * DAY, maxEntries: 500, rotateBytes: 10_000_000 };
  const keep = (key: string) => key === "agent:main:main";
  const changed = Promise.withResolvers<void>();
  const tending = limitSessions({
    ledger,
    clock,
    log: silent,
    stateDir,
    limits: () => limits,
    keep,
    changed: changed.resolve,
  });
  tending.start();
  await clock.advance(5 * 60_000);
  return { ledger, stop: () => tending.close(), changed: changed.promise };
}

describe("limitSessions", () => {
  it("removes what is too old when told to enforce, but never a main session", async () => {
    const { ledger, stop, changed } = await tend("enforce");
    await changed;
    expect((await ledger.sessions({})).map(({ key }) => key)).toEqual(["agent:main:main"]);
    stop();
  });

  it("only looks otherwise", async () => {
    const { ledger, stop } = await tend("warn");
    expect(await ledger.countSessions()).toBe(2);
    stop();
  });
});
