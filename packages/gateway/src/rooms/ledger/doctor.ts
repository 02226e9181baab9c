// Checks by `chela doctor` of the ledger: whether it is whole, and whether the mirrored files are current.
import { existsSync, statSync } from "node:fs";
import { GatewayError, type DoctorCall, type DoctorCheck, type DoctorLine, type Transcript } from "@chela/sdk";
import { count, formatBytes } from "../../base/terminal/layout.ts";
import type { House } from "../../house/house.ts";
import { transcriptPath } from "./mirror/paths.ts";
import { idOf } from "./mirror/stored-entries.ts";
import { readEnds } from "./mirror/transcript-file.ts";
import { suspectLedger } from "./recover/open-or-recover.ts";
import { findDamagedRows, type DamagedRows } from "./sqlite/check-rows.ts";
import { checkIntegrity, ledgerPath, openDatabase } from "./sqlite/open.ts";
import { SqliteLedger } from "./sqlite/sqlite-ledger.ts";

const MOST_COUNTED = 1000;

type CheckedServices = Pick<House, "paths">;

export const checks: ReadonlyArray<DoctorCheck<House>> = [
  { name: "Ledger", look: async (house, doctor) => [await checkLedger(house, doctor)] },
  { name: "Mirror", look: async (house, doctor) => [await checkMirror(house, doctor)] },
];

async function checkLedger({ paths }: CheckedServices, doctor: DoctorCall): Promise<DoctorLine> {
  const path = ledgerPath(paths);
  if (!existsSync(path)) return { state: "ok", says: "none yet; the first start makes it" };
  try {
    using database = openDatabase(path, { readOnly: true });
    checkIntegrity(database);
    const damaged = findDamagedRows(database);
    if (damaged.count > 0) return await rebuildWithout(damaged, path, doctor);
    // What was written last stands in the log beside it.
    const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    return { state: "ok", says: `whole, ${formatBytes(sizes.reduce((sum, size) => sum + size, 0))}` };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return repair(doctor, error);
  }
}

async function repair({ repairs, isRunning, rebuildLedger }: DoctorCall, damage: GatewayError): Promise<DoctorLine> {
  const fail = (fix: string): DoctorLine => ({ state: "fail", says: damage.message, fix });
  if (damage.code !== "STORE_CORRUPT") return fail(damage.row.fix);
  if (!repairs) return fail("chela gateway stop, then chela doctor --fix");
  if (isRunning) return fail("a gateway uses it: chela gateway stop, then chela doctor --fix");
  await rebuildLedger();
  return { state: "ok", says: "was damaged, and is rebuilt; the damaged file was kept beside it" };
}

/** Everything else works, so this waits for somebody who wants to go on without them. */
async function rebuildWithout(
  { count: rows, examples }: DamagedRows,
  path: string,
  doctor: DoctorCall,
): Promise<DoctorLine> {
  const more = rows > examples.length ? `; and ${rows - examples.length} more` : "";
  const says = `${count(rows, "row")} cannot be read and left out: ${examples.join("; ")}${more}`;
  if (!doctor.repairs || doctor.isRunning) {
    const fix = "the rest works. To go on without: chela gateway stop, then chela doctor --fix; the old file is kept";
    return { state: "warn", says, fix };
  }
  suspectLedger(path);
  await doctor.rebuildLedger();
  return { state: "ok", says: `${says}. The ledger is rebuilt without; the old file was kept beside it` };
}

async function checkMirror(
  { paths }: CheckedServices,
  { isRunning }: Pick<DoctorCall, "isRunning">,
): Promise<DoctorLine> {
  const path = ledgerPath(paths);
  if (!existsSync(path)) return { state: "ok", says: "nothing to write yet" };
  try {
    const behind = await countBehind(path, paths.stateDir);
    if (behind === 0) return { state: "ok", says: "the transcript files are current" };
    const says = `${count(behind, "transcript file")} behind the ledger`;
    if (isRunning) return { state: "ok", says: `${says}, and being written` };
    return { state: "warn", says, fix: "chela gateway run writes them" };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { state: "warn", says: "cannot be looked at while the ledger is damaged" };
  }
}

/** A gateway notes how far a file is only now and then: whether it is behind is told by its last line. */
async function countBehind(path: string, stateDir: string): Promise<number> {
  const ledger = new SqliteLedger(openDatabase(path, { readOnly: true }));
  try {
    let behind = 0;
    for (const transcript of await ledger.unmirrored(MOST_COUNTED)) {
      if (!(await isWritten(ledger, transcript, stateDir))) behind += 1;
    }
    return behind;
  } finally {
    await ledger.close();
  }
}

async function isWritten(ledger: SqliteLedger, transcript: Transcript, stateDir: string): Promise<boolean> {
  const file = transcriptPath(stateDir, transcript.agentId, transcript.file);
  const [last] = await ledger.entries(transcript.sessionId, { newest: 1 });
  const ends = file === undefined ? undefined : await readEnds(file);
  return ends !== undefined && ends.lastId === (last && idOf(last.line));
}
