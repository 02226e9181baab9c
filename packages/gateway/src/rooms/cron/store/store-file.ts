// Writes the file of all jobs, as OpenClaw keeps it.
import { copyFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CronJob, Ledger, Logger } from "@chela/sdk";
import { writeFileAtomic } from "@chela/sdk/files";
import { writeJobFile } from "../job/index.ts";
import { digestOf, KNOWN_STORE, knows, readIfThere, readKnown, type KnownStore } from "./look-at-store.ts";

export interface StoreParts {
  readonly ledger: Pick<Ledger, "value" | "commit">;
  readonly log: Logger;
  readonly now: number;
}

const AT_ONCE = 200;
const EDITED = "the file of jobs was edited at the very moment it was written; the edit was put aside";

/** The digest is known before the file has it: a crash between the two must not look like somebody's edit. */
export async function writeStore(
  path: string,
  jobs: readonly CronJob[],
  { ledger, log, now }: StoreParts,
): Promise<void> {
  const text = await render(jobs);
  const present = await readIfThere(path);
  if (present === text) return;
  if (present !== undefined && !(await isOurs(present, ledger))) {
    const kept = `${path}.edited-${now}`;
    await copyFile(path, kept);
    log.warn(EDITED, { path, kept });
  }
  const before = present === undefined ? [] : [digestOf(present)];
  const known: KnownStore = { digests: [digestOf(text), ...before], at: now };
  await ledger.commit([{ kind: "value-put", key: KNOWN_STORE, value: JSON.stringify(known) }]);
  if (present !== undefined) await copyFile(path, `${path}.bak`);
  writeFileAtomic(path, text);
}

/** Whether somebody else wrote it since we looked. */
async function isOurs(text: string, ledger: StoreParts["ledger"]): Promise<boolean> {
  return knows(await readKnown(ledger), text);
}

/** In pieces: thousands of jobs at once would hold up everybody else. */
async function render(all: readonly CronJob[]): Promise<string> {
  const { version, jobs } = writeJobFile(all);
  const pieces: string[] = [];
  for (let at = 0; at < jobs.length; at += AT_ONCE) {
    const some = jobs.slice(at, at + AT_ONCE);
    pieces.push(...some.map((job) => JSON.stringify(job, null, 2).replaceAll("\n", "\n    ")));
    await nextTurn();
  }
  const list = pieces.length === 0 ? "[]" : `[\n    ${pieces.join(",\n    ")}\n  ]`;
  return `{\n  "version": ${version},\n  "jobs": ${list}\n}\n`;
}
