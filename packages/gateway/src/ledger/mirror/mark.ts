// How far the newest mirrored file is, noted beside the ledger: a ledger that knows less has lost its end.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const MARK_FILE = "ledger.mirrored";

/** 0 when there is no mark that can be read. */
export async function readMark(stateDir: string): Promise<number> {
  try {
    const seq: unknown = JSON.parse(await readFile(join(stateDir, MARK_FILE), "utf8")).seq;
    return typeof seq === "number" ? seq : 0;
  } catch {
    // Missing or torn: it only ever makes a loss easier to notice.
    return 0;
  }
}

export async function writeMark(stateDir: string, seq: number): Promise<void> {
  await writeFile(join(stateDir, MARK_FILE), JSON.stringify({ seq }), { mode: 0o600 });
}
