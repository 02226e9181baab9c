// What `chela doctor` says of the mirrored files: what is on the disk, not what was noted of it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DoctorCall } from "@chela/sdk";
import { expect, it, onTestFinished } from "vitest";
import type { House } from "../../house/house.ts";
import { checks } from "./doctor.ts";
import { openDatabase, SqliteLedger } from "./room.ts";

const SESSION = "agent:main:main";

it("a file is behind until its last line is the ledger's, and not until that was noted", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-doctor-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  onTestFinished(() => ledger.close());
  const says = async (isRunning: boolean): Promise<unknown> => {
    const check = checks.find(({ name }) => name === "Mirror");
    const house = { paths: { stateDir, configPath: "", envPath: "" } } as unknown as House;
    const lines = await check?.look(house, { isRunning } as DoctorCall);
    return lines?.map(({ state, says: words }) => `${state} ${words}`);
  };
  const timestamp = new Date(1_000_000).toISOString();
  const header = { type: "session" as const, version: 3, id: "s1", timestamp };
  const line = JSON.stringify({ type: "message", id: "a1", parentId: null, timestamp, message: { role: "user" } });
  await ledger.commit([
    {
      kind: "transcript-open",
      sessionId: "s1",
      sessionKey: SESSION,
      agentId: "main",
      header,
      file: "s1.jsonl",
    },
    { kind: "entries-append", sessionId: "s1", entries: [{ id: "a1", line }] },
  ]);
  expect(await says(true)).toEqual(["ok 1 transcript file behind the ledger, and being written"]);
  expect(await says(false)).toEqual(["warn 1 transcript file behind the ledger"]);
  // Written, and not noted: a mirror notes how far it is only now and then.
  const folder = join(stateDir, "agents/main/sessions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "s1.jsonl"), `${JSON.stringify(header)}\n${line}\n`);
  expect(await says(true)).toEqual(["ok the transcript files are current"]);
  expect(await ledger.unmirrored(9)).toHaveLength(1);
});
