// The lock between processes: one holder at a time, and none that is gone.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { tryLock, waitForLock } from "./lock-file.ts";

describe("a lock on a file", () => {
  let directory = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "chela-lock-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const path = (): string => join(directory, "deep", "file.lock");

  it("keeps others out until it is released, and leaves nothing behind", () => {
    const clock = createFakeClock();
    const release = tryLock(path(), clock);
    expect(tryLock(path(), clock)).toBeUndefined();
    release?.();
    const again = tryLock(path(), clock);
    expect(again).toBeDefined();
    release?.();
    expect(tryLock(path(), clock)).toBeUndefined();
    again?.();
    expect(readdirSync(join(directory, "deep"))).toEqual([]);
  });

  it("is waited for", async () => {
    const clock = createFakeClock();
    const release = tryLock(path(), clock);
    const waiting = waitForLock(path(), clock, 10_000);
    await clock.advance(1_000);
    release?.();
    await clock.advance(100);
    expect(await waiting).toBeDefined();
  });

  it("is not waited for longer than one is willing to", async () => {
    const clock = createFakeClock();
    tryLock(path(), clock);
    const waiting = waitForLock(path(), clock, 1_000);
    await clock.advance(1_100);
    expect(await waiting).toBeUndefined();
  });

  it("of a process that is gone is taken over", () => {
    const clock = createFakeClock();
    tryLock(path(), clock)?.();
    writeFileSync(path(), JSON.stringify({ pid: 2 ** 22 + 1, createdAt: new Date(clock.now()).toISOString() }));
    expect(tryLock(path(), clock)).toBeDefined();
    expect(readdirSync(join(directory, "deep"))).toEqual(["file.lock"]);
  });

  it("with our own number, left by an earlier process or by a release that failed, is taken over", () => {
    const clock = createFakeClock();
    tryLock(path(), clock)?.();
    const createdAt = new Date(clock.now()).toISOString();
    // As OpenClaw writes it: without a start time, which would tell the two processes apart.
    writeFileSync(path(), JSON.stringify({ pid: process.pid, createdAt }));
    const release = tryLock(path(), clock);
    expect(release).toBeDefined();
    expect(tryLock(path(), clock)).toBeUndefined();
    release?.();
    expect(readdirSync(join(directory, "deep"))).toEqual([]);
  });

  it("of a process in another container is believed, although its number is nobody's here", async () => {
    const clock = createFakeClock();
    tryLock(path(), clock)?.();
    const holder = { pid: 2 ** 22 + 1, createdAt: new Date(clock.now()).toISOString(), where: "elsewhere" };
    writeFileSync(path(), JSON.stringify(holder));
    expect(tryLock(path(), clock)).toBeUndefined();
    await clock.advance(91_000);
    expect(tryLock(path(), clock)).toBeDefined();
  });

  it("of a process that got stuck is taken over after a while", async () => {
    const clock = createFakeClock();
    tryLock(path(), clock);
    await clock.advance(89_000);
    expect(tryLock(path(), clock)).toBeUndefined();
    await clock.advance(2_000);
    expect(tryLock(path(), clock)).toBeDefined();
  });
});
