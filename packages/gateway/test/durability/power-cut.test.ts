// A copy of the ledger taken at any instant, as a power cut would leave it: whole, with everything that was acknowledged.
import { copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { findLedgerFaults, findMirrorFaults } from "../support/durability/durability-evidence.ts";
import { questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createRandom } from "../support/durability/durability-random.ts";
import { createWorkshop, eventually, type StateDirectory } from "../support/durability/durability-workshop.ts";

const COPIES = 4;
const SESSIONS = ["agent:main:main", "agent:main:work", "agent:main:garden"];

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

/** Ledger and log as they were at one instant: a copy during which the log was folded into the ledger is taken again. */
function copyLedger({ ledgerPath, configPath }: StateDirectory, target: string): void {
  mkdirSync(target);
  copyFileSync(configPath, join(target, "openclaw.json"));
  const stamp = (): string =>
    `${statSync(ledgerPath).mtimeMs} ${readFileSync(`${ledgerPath}-wal`).subarray(0, 32).toString("hex")}`;
  for (let before = ""; before !== stamp();) {
    before = stamp();
    for (const ending of ["", "-wal"]) copyFileSync(ledgerPath + ending, join(target, `ledger.sqlite${ending}`));
  }
}

test("each copy opens whole, and every message acknowledged before it is answered exactly once", async () => {
  const random = createRandom();
  const state = await workshop.createState();
  const client = await workshop.start(state).connect();
  const acknowledged = new Map(SESSIONS.map((key) => [key, new Set<string>()]));
  const copies: Array<{ path: string; expected: Map<string, Set<string>> }> = [];
  for (let index = 0; copies.length < COPIES; index++) {
    const sessionKey = random.pick(SESSIONS);
    const name = `q-${index}`;
    const message = questionText(name, random.chance(0.3) ? 1 : 0);
    await client.call("chat.send", { sessionKey, message, idempotencyKey: name });
    acknowledged.get(sessionKey)?.add(name);
    if (random.chance(0.3)) await pause(random.below(30));
    if (!random.chance(0.2)) continue;
    const expected = new Map(
      [...acknowledged].filter(([, names]) => names.size > 0).map(([key, names]) => [key, new Set(names)]),
    );
    const path = join(workshop.directory, `cut-${copies.length}`);
    copyLedger(state, path);
    copies.push({ path, expected });
  }
  for (const { path, expected } of copies) {
    const copy = await workshop.adoptState(path);
    const gateway = workshop.start(copy);
    await gateway.connect();
    let faults: string[] = [];
    await eventually(
      "everything is answered",
      () => (faults = [...findLedgerFaults(copy.ledgerPath), ...findMirrorFaults(path, expected)]).length === 0,
      () => faults.join("\n"),
    );
    expect(gateway.output).not.toMatch(/damaged|ends earlier/);
    await gateway.kill();
  }
});
