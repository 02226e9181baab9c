// Notes of the mirror beside the ledger: how far its files are, which a ledger that lost its end does not know, and its
// indexes, so that after a kill it does not take its own for another program's.
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";
import { isObject, parseJson } from "@chela/sdk/base";

const MARK_FILE = "ledger.mirrored";
const INDEXES_FILE = "ledger.indexes";

/** An index as we left it. */
export const KnownIndex = once(() =>
  z.object({
    digest: z.string(),
    stamp: z.string(),
    /** What changed in the ledger before this time is in it. */
    at: z.number(),
  }),
);
export type KnownIndex = Readonly<Parsed<typeof KnownIndex>>;

/** 0 when there is no mark that can be read. */
export async function readMark(stateDir: string): Promise<number> {
  try {
    const mark = parseJson(await readFile(join(stateDir, MARK_FILE), "utf8"));
    return isObject(mark) && typeof mark["seq"] === "number" ? mark["seq"] : 0;
  } catch {
    // Missing or torn: it only ever makes a loss easier to notice.
    return 0;
  }
}

export function writeMark(stateDir: string, seq: number): void {
  overwrite(join(stateDir, MARK_FILE), JSON.stringify({ seq }));
}

/** By name of the index, those that may be on the disk: the last we wrote, and the one before it. */
const IndexMarks = once(() => z.record(z.string(), z.array(KnownIndex())));
type IndexMarks = Parsed<typeof IndexMarks>;

export function readIndexMarks(stateDir: string): IndexMarks {
  try {
    return IndexMarks().safeParse(parseJson(readFileSync(join(stateDir, INDEXES_FILE), "utf8"))).data ?? {};
  } catch {
    // Missing: what the ledger has of the indexes counts.
    return {};
  }
}

export function writeIndexMark(stateDir: string, name: string, marks: readonly KnownIndex[]): void {
  overwrite(join(stateDir, INDEXES_FILE), JSON.stringify({ ...readIndexMarks(stateDir), [name]: marks }));
}

/**
 * Where it stands, and never shorter: with every turn a new file, or one that is emptied first, is sent to the disk each
 * time. Filled up with spaces, which a reader of JSON passes over.
 */
function overwrite(path: string, text: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const missing = fstatSync(file).size - Buffer.byteLength(text);
    writeSync(file, `${text}${" ".repeat(Math.max(0, missing))}`, 0);
  } finally {
    closeSync(file);
  }
}
