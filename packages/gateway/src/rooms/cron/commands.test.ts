// Commands of jobs run without a model, within their time, and take everything they started with them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrandRecord } from "@chela/sdk";
import { openWorld, type World, type WorldOptions } from "./world.test-support.ts";

async function runOnce(payload: object, options: WorldOptions = {}): Promise<ErrandRecord & { world: World }> {
  await using world = await openWorld(options);
  const { job } = await world.cron.add({ name: "c", schedule: "every 1h", payload: { kind: "exec", ...payload } });
  const result = await world.cron.run(job.id, "force");
  const runId = result.ran ? (result.runId ?? "") : "";
  for (;;) {
    const run = await world.ledger.errand(runId);
    if (run?.state === "settled") return { ...run, world };
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

describe("A command", () => {
  it.each<[string, object, object]>([
    [
      "as a list needs no shell",
      { command: ["printf", "%s", "a  b"] },
      { status: "ok", texts: ["a  b"], details: { exitCode: 0 } },
    ],
    ["as a text is given to the shell", { command: "echo one && echo two >&2" }, { status: "ok" }],
    ["that prints nothing has nothing to tell", { command: ["true"] }, { status: "ok", texts: [] }],
    [
      "that fails is an error, with the last thing it said",
      { command: "echo first; echo broken >&2; exit 3" },
      { status: "error", reason: "exit", error: "The command ended with 3: broken" },
    ],
    [
      "that does not exist says so",
      { command: ["no-such-program-here"] },
      { status: "error", reason: "start", error: "The command could not be started: there is no such program." },
    ],
    [
      "that no system could start says so",
      { command: ["echo", "a\0b"] },
      { status: "error", reason: "start", error: expect.stringContaining("The command could not be started") },
    ],
    [
      "in a folder that does not exist says so",
      { command: ["true"], cwd: "/no/such" },
      { status: "error", error: "The command could not be started: there is no folder /no/such." },
    ],
  ])("%s", async (_what, payload, outcome) => {
    expect((await runOnce(payload)).outcome).toMatchObject(outcome);
  });

  it("runs in the workspace, with an environment that holds none of the gateway's secrets", async () => {
    const { outcome, world } = await runOnce({ command: "pwd; env" });
    expect(outcome?.texts[0]).toContain(world.directory);
    expect(outcome?.texts[0]).not.toContain("VITEST");
  });

  it("reads a path without a beginning from the workspace on", async () => {
    const { outcome, world } = await runOnce({ command: "pwd", cwd: "." });
    expect(outcome?.texts).toEqual([world.directory]);
  });

  it("keeps the two ends of a flood", async () => {
    const { outcome } = await runOnce({ command: "echo begin; head -c 200000 /dev/zero | tr '\\0' x; echo end" });
    const text = outcome?.texts[0] ?? "";
    expect(text.length).toBeLessThan(70_000);
    expect(text).toMatch(/^begin/);
    expect(text).toMatch(/bytes were cut here/);
    expect(text).toMatch(/end$/);
  });

  it("that may not run on this machine is refused with the reason", async () => {
    const { outcome } = await runOnce(
      { command: ["true"] },
      { parts: { commandTerms: () => ({ kind: "refused", why: "in a box only" }) } },
    );
    expect(outcome).toMatchObject({ status: "error", reason: "sandbox", error: "in a box only" });
  });

  it("that takes too long is ended with everything it started", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add({
      name: "slow",
      schedule: "every 1h",
      payload: { kind: "exec", command: "sleep 600 & echo $! > child; echo started; wait", timeoutSeconds: 5 },
    });
    await world.cron.run(job.id, "force");
    const pidFile = join(world.directory, "child");
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "")
      await new Promise<void>((resolve) => setImmediate(resolve));
    await world.clock.advance(5000);
    for (;;) {
      const [run] = await world.runs(job.id);
      if (run?.state === "settled") {
        expect(run.outcome).toMatchObject({
          status: "error",
          reason: "timeout",
          error: "The command took longer than 5 s and was ended.",
        });
        break;
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const pid = Number(readFileSync(pidFile, "utf8"));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("that a crash broke off is reported, not begun again", async () => {
    await using world = await openWorld({
      parts: {
        commandTerms: () => {
          throw new Error("not reached twice");
        },
      },
    });
    const { job } = await world.cron.add({
      name: "x",
      schedule: "every 1h",
      payload: { kind: "exec", command: ["true"] },
    });
    const errand = {
      runId: `cron:${job.id}:1`,
      kind: "cron" as const,
      owner: job.id,
      agentId: "main",
      sessionKey: "s",
      dueAt: 1,
      createdAt: 1,
    };
    const work = { kind: "run", name: "x", payload: job.payload, trigger: "due", wakeMode: "now", onCrash: "report" };
    await world.ledger.commit([
      { kind: "errand-add", errand: { ...errand, work } },
      { kind: "errand-state", runId: errand.runId, state: "running", at: 1 },
    ]);
    await using later = await world.crash();
    await later.settle();
    expect(await later.ledger.errand(errand.runId)).toMatchObject({
      state: "settled",
      outcome: { status: "error", reason: "crash" },
    });
  });
});

/** A zombie that nobody has waited for is dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
