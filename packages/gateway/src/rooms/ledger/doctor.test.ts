// What `chela doctor` says of the mirrored files: what is on the disk, not what was noted of it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DoctorCall } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { createIds } from "../../base/ids.ts";
import type { House } from "../../house/house.ts";
import { checks } from "./doctor.ts";
import { createMirror, openDatabase, SqliteLedger } from "./room.ts";

const SESSION = "agent:main:main";
const quiet = (): void => {};
const log = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };

it("a file is behind until its last line is the ledger's, and not until that was noted", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-doctor-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  onTestFinished(() => ledger.close());
  const clock = createFakeClock(1_000_000);
  const mirror = createMirror({ ledger, stateDir, clock, log, ids: createIds(), homeSessionKey: () => SESSION });
  mirror.start();
  onTestFinished(() => mirror.stop());
  const says = async (isRunning: boolean): Promise<unknown> => {
    const check = checks.find(({ name }) => name === "Mirror");
    const house = { paths: { stateDir, configPath: "", envPath: "" } } as unknown as House;
    const lines = await check?.look(house, { isRunning } as DoctorCall);
    return lines?.map(({ state, says: words }) => `${state} ${words}`);
  };
  const timestamp = new Date(clock.now()).toISOString();
  const line = JSON.stringify({ type: "message", id: "a1", parentId: null, timestamp, message: { role: "user" } });
  await ledger.commit([
    {
      kind: "transcript-open",
      sessionId: "s1",
      sessionKey: SESSION,
      agentId: "main",
      header: { type: "session", version: 3, id: "s1", timestamp },
      file: "s1.jsonl",
    },
    { kind: "entries-append", sessionId: "s1", entries: [{ id: "a1", line }] },
  ]);
  expect(await says(true)).toEqual(["ok 1 transcript file behind the ledger, and being written"]);
  expect(await says(false)).toEqual(["warn 1 transcript file behind the ledger"]);
  // Written after a tenth of a second, and noted after half a minute.
  await clock.advance(500);
  await expect.poll(() => says(true)).toEqual(["ok the transcript files are current"]);
  expect(await ledger.unmirrored(9)).toHaveLength(1);
});
