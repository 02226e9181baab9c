// The life of a worker's process by the clock: let go when idle, and ended when it does not speak.
import { afterAll, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { isAlive } from "../../../base/processes.ts";
import { createWorkers, type WorkerTurn } from "./workers.ts";

const WORKER = new URL("../../../../test/fixtures/acp-worker.mjs", import.meta.url).pathname;

const workspace = mkdtempSync(join(tmpdir(), "chela-workers-"));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function openWorkers() {
  const clock = createFakeClock();
  const values = new Map<string, string>();
  const workers = createWorkers({
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {}, redact: (text: string) => text } as unknown as Logger & {
      redact(text: string): string;
    },
    ledger: {
      value: async (key) => values.get(key),
      commit: async (changes) => {
        for (const change of changes) if (change.kind === "value-put") values.set(change.key, change.value);
      },
    },
    config: {
      current: () => ({
        acp: {
          agents: {
            helper: { command: process.execPath, args: [WORKER] },
            mute: { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
          },
        },
      }),
    },
    version: "1.0.0",
    home: workspace,
    workspaceOf: () => workspace,
    enterSandbox: async () => undefined,
    ask: async () => null,
  });
  const said: string[] = [];
  const ask = (text: string, worker = "helper") =>
    workers.answer(
      {
        agentId: "main",
        sessionKey: "agent:main:main",
        sessionId: "s1",
        runId: "r1",
        requester: { standing: "owner" } as WorkerTurn["requester"],
        choice: { worker, isAsked: false },
        text,
        images: [],
        hear: (update) => void said.push(JSON.stringify(update)),
        notice: (sentence) => void said.push(sentence),
      },
      new AbortController().signal,
    );
  const gone = async (pid: number) => {
    while (isAlive(pid) || workers.list().length > 0) await new Promise(setImmediate);
  };
  return { workers, clock, ask, said, gone, values };
}

test("is let go after its time without work, and comes back for the next question, which is told", async () => {
  const { workers, clock, ask, said, gone, values } = openWorkers();
  expect(await ask("one")).toEqual({ kind: "ended", stopReason: "end_turn" });
  const [first] = workers.list();
  expect(values.get("acp.processes")).toContain(String(first?.pid));
  await clock.advance(14 * 60_000);
  expect(workers.list()).toHaveLength(1);
  expect(await ask("two")).toMatchObject({ kind: "ended" });
  await clock.advance(14 * 60_000);
  expect(workers.list()).toHaveLength(1);
  await clock.advance(60_000);
  await gone(first?.pid ?? 0);
  expect(values.get("acp.processes")).toBe("[]");
  expect(await ask("three")).toMatchObject({ kind: "ended" });
  expect(said.join()).toContain("helper was started anew and does not remember what was said before.");
  await workers.close();
  expect(workers.list()).toEqual([]);
});

test("what says nothing at all is ended, and said so", async () => {
  const { workers, clock, ask } = openWorkers();
  const answer = ask("hello", "mute");
  while (workers.list().length === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  await clock.advance(60_000);
  expect(await answer).toMatchObject({
    kind: "failed",
    why: expect.stringMatching(/mute does not answer: it was ended/),
  });
  await workers.close();
});

test("after the gateway began to stop nothing is started", async () => {
  const { workers, ask } = openWorkers();
  await workers.close();
  expect(await ask("hello")).toMatchObject({ kind: "failed", why: expect.stringContaining("the gateway is stopping") });
});
