// One gateway at a time, however the last one ended.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import { acquireGatewayLock, type LockOptions } from "./gateway-lock.ts";
import { inspectLock, type Processes } from "./holder.ts";
import { whereWeAre } from "../where.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chela-lock-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function options(more: Partial<LockOptions> = {}): LockOptions {
  return {
    stateDir: join(root, "state"),
    configPath: join(root, "state", "openclaw.json"),
    temporaryDirectory: root,
    clock: systemClock,
    ...more,
  };
}

function processes(ownPid: number, alive: Record<number, number | undefined>, where = "here"): Processes {
  return {
    ownPid,
    where,
    isAlive: (pid) => pid in alive,
    startTimeOf: (pid) => alive[pid],
  };
}

function failureOf(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (GatewayError.is(error)) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

const locksIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(".lock"));

describe("the gateway lock", () => {
  it("writes private files that name the process, and removes them on release", () => {
    const lock = acquireGatewayLock(options());
    const [shared = "", own = ""] = lock.paths;
    expect(shared).toMatch(/openclaw-\d+\/gateway\.[0-9a-f]{8}\.lock$/);
    expect(own).toBe(join(root, "state", "gateway.lock"));
    for (const path of lock.paths) {
      expect(lstatSync(path).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
        pid: process.pid,
        configPath: join(root, "state", "openclaw.json"),
      });
    }
    lock.release();
    lock.release();
    expect(locksIn(root)).toEqual([]);
  });

  it("refuses a second gateway and says who holds the lock and since when", () => {
    const at = { ...systemClock, now: () => Date.UTC(2026, 0, 2) };
    const lock = acquireGatewayLock(options({ clock: at }));
    const failure = failureOf(() => acquireGatewayLock(options()));
    expect(failure.code).toBe("START_LOCKED");
    expect(failure.message).toContain(`process ${process.pid}, since 2026-01-02T00:00:00.000Z`);
    lock.release();
    acquireGatewayLock(options()).release();
  });

  it.each([
    ["the same state directory by another configuration file", { configPath: "/elsewhere/openclaw.json" }],
    ["the same configuration file with another state directory", { stateDir: "other" }],
  ])("refuses %s", (_name, more) => {
    const lock = acquireGatewayLock(options());
    const second = { ...more, ...("stateDir" in more ? { stateDir: join(root, "other") } : {}) };
    expect(failureOf(() => acquireGatewayLock(options(second))).code).toBe("START_LOCKED");
    // A refused start leaves nothing behind that could block the next one.
    lock.release();
    expect(locksIn(root)).toEqual([]);
  });

  it.each([
    ["whose process is gone", processes(7, { 7: 70 })],
    ["whose number was given to another process", processes(7, { 7: 70, 42: 999 })],
  ])("takes over at once from a lock %s", (_name, now) => {
    acquireGatewayLock(options({ processes: processes(42, { 42: 420 }) }));
    const lock = acquireGatewayLock(options({ processes: now }));
    for (const path of lock.paths)
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: 7, startTime: 70 });
    expect(locksIn(root)).toHaveLength(2);
  });

  it("takes over from its own number in an earlier life, as pid 1 has in a container", () => {
    acquireGatewayLock(options({ processes: processes(1, { 1: 100 }) }));
    expect(() => acquireGatewayLock(options({ processes: processes(1, { 1: 200 }) }))).not.toThrow();
  });

  it("is not taken from a gateway in another container or on another machine until that one is gone", async () => {
    const program = join(root, "starter.mjs");
    writeFileSync(program, starterProgram());
    const other = fork(program, { execArgv: ["--conditions=chela-source"] });
    await nextMessage(other);
    const answer = nextMessage(other);
    other.send("go");
    expect(await answer).toBe("won");
    // From here its number is nobody's.
    const elsewhere = options({ processes: processes(7, { 7: 70 }, "elsewhere") });
    const failure = failureOf(() => acquireGatewayLock(elsewhere));
    expect(failure).toMatchObject({ code: "START_LOCKED", detail: expect.stringContaining("in another container") });
    const [path = ""] = locksIn(join(root, "state"));
    const lock = join(root, "state", path);
    expect(inspectLock(lock, systemClock, elsewhere.processes)).toMatchObject({ kind: "held", isElsewhere: true });
    const gone = new Promise((resolve) => other.once("exit", resolve));
    other.kill("SIGKILL");
    await gone;
    expect(inspectLock(lock, systemClock, elsewhere.processes)).toMatchObject({ kind: "stale" });
    acquireGatewayLock(elsewhere).release();
    expect(locksIn(root)).toEqual([]);
  });

  it("believes a live process where start times cannot be known", () => {
    acquireGatewayLock(options({ processes: processes(42, { 42: undefined }) }));
    const other = processes(7, { 7: undefined, 42: undefined });
    expect(failureOf(() => acquireGatewayLock(options({ processes: other }))).code).toBe("START_LOCKED");
  });

  it("does not remove a lock that somebody else has taken over", () => {
    const lost = acquireGatewayLock(options({ processes: processes(42, { 42: 420 }) }));
    acquireGatewayLock(options({ processes: processes(7, { 7: 70 }) }));
    lost.release();
    expect(locksIn(root)).toHaveLength(2);
  });

  it("takes over a damaged lock, but not one that may be half written this moment", () => {
    const lock = acquireGatewayLock(options());
    const [path = ""] = lock.paths;
    lock.release();
    writeFileSync(path, "{");
    expect(failureOf(() => acquireGatewayLock(options())).message).toContain("starting right now");
    utimesSync(path, 1, 1);
    acquireGatewayLock(options()).release();
  });

  it("gets past the claim of a starter that died while taking over", () => {
    const dead = processes(42, { 42: 420 });
    const [shared = ""] = acquireGatewayLock(options({ processes: dead })).paths;
    const stale = readFileSync(shared);
    const again = acquireGatewayLock(options({ processes: processes(7, { 7: 70 }) }));
    again.release();
    writeFileSync(shared, stale);
    writeFileSync(`${shared}.${createHash("sha256").update(stale).digest("hex").slice(0, 16)}`, stale);
    acquireGatewayLock(options({ processes: processes(8, { 8: 80 }) })).release();
    expect(locksIn(root)).toEqual([]);
  });

  it("uses another directory than one that somebody else put there, and is one lock all the same", () => {
    mkdirSync(join(root, "elsewhere"));
    const own = `openclaw-${process.getuid?.()}`;
    symlinkSync(join(root, "elsewhere"), join(root, own));
    const runtimeDirectory = join(root, "runtime");
    const lock = acquireGatewayLock(options({ runtimeDirectory }));
    expect(lock.paths[0]).toContain(join(runtimeDirectory, own));
    expect(failureOf(() => acquireGatewayLock(options({ runtimeDirectory }))).code).toBe("START_LOCKED");
    lock.release();
    writeFileSync(join(runtimeDirectory, "file"), "");
    const last = acquireGatewayLock(options({ runtimeDirectory: join(runtimeDirectory, "file") }));
    expect(last.paths[0]).toContain(join(root, "state", "locks", own));
    last.release();
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
  });

  it("closes a lock directory that others could read", () => {
    const directory = join(root, `openclaw-${process.getuid?.()}`);
    mkdirSync(directory, { mode: 0o755 });
    acquireGatewayLock(options()).release();
    expect(lstatSync(directory).mode & 0o777).toBe(0o700);
  });

  it("lets exactly one of several programs win that start over the same stale lock", async () => {
    acquireGatewayLock(options({ processes: processes(2 ** 30, { [2 ** 30]: 1 }, whereWeAre()) }));
    const program = join(root, "starter.mjs");
    writeFileSync(program, starterProgram());
    const starters = Array.from({ length: 5 }, () => fork(program, { execArgv: ["--conditions=chela-source"] }));
    try {
      await Promise.all(starters.map((starter) => nextMessage(starter)));
      const answers = starters.map((starter) => nextMessage(starter));
      for (const starter of starters) starter.send("go");
      expect((await Promise.all(answers)).toSorted()).toEqual([
        "START_LOCKED",
        "START_LOCKED",
        "START_LOCKED",
        "START_LOCKED",
        "won",
      ]);
    } finally {
      for (const starter of starters) starter.kill("SIGKILL");
    }
  });
});

function nextMessage(child: ReturnType<typeof fork>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error("the starter ended early")));
  });
}

function starterProgram(): string {
  const { stateDir, configPath } = options();
  const input = JSON.stringify({ stateDir, configPath, temporaryDirectory: root });
  return `
    import { acquireGatewayLock } from ${JSON.stringify(new URL("./gateway-lock.ts", import.meta.url).href)};
    const clock = { now: () => Date.now() };
    process.on("message", () => {
      try { acquireGatewayLock({ ...${input}, clock }); process.send("won"); }
      catch (error) { process.send(error.code); }
    });
    process.send("ready");
  `;
}
