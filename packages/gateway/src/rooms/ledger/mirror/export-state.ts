// Writes the files of a whole ledger into another directory, as the mirror would.
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ledger, Logger } from "@chela/sdk";
import { writeHomeFile } from "./home-file.ts";
import { transcriptPath } from "./paths.ts";
import { ownerOf, writeSessionIndex } from "./session-index.ts";
import { rewriteTranscript } from "./transcript-file.ts";

export interface ExportOptions {
  readonly ledger: Ledger;
  /** Becomes a state directory of its own; files of the same name are replaced. */
  readonly target: string;
  readonly homeSessionKey: string;
  readonly log: Logger;
}

export interface ExportReport {
  readonly transcripts: number;
  readonly indexes: number;
}

export async function exportState(options: ExportOptions): Promise<ExportReport> {
  const { ledger, target, homeSessionKey, log } = options;
  await mkdir(target, { recursive: true, mode: 0o700 });
  let transcripts = 0;
  for (const transcript of await ledger.transcripts({})) {
    const path = transcriptPath(target, transcript.agentId, transcript.file);
    if (path === undefined) {
      log.warn("A transcript has a name that no file may have; it was left out", { sessionId: transcript.sessionId });
      continue;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rewriteTranscript(path, ledger, transcript);
    transcripts += 1;
    await nextTurn();
  }
  const agents = await findOwners(ledger);
  for (const agentId of agents) {
    await writeSessionIndex({ ledger, stateDir: target, agentId, changed: new Set() });
  }
  await writeHomeFile(ledger, target, homeSessionKey);
  return { transcripts, indexes: agents.size };
}

async function findOwners(ledger: Ledger): Promise<Set<string>> {
  const owners = new Set<string>();
  for (let offset = 0; ; offset += 500) {
    const rows = await ledger.sessions({
      includeGlobal: true,
      includeUnknown: true,
      includeHidden: true,
      limit: 500,
      offset,
    });
    for (const { key } of rows) owners.add(ownerOf(key));
    if (rows.length < 500) return owners;
  }
}
