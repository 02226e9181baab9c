// The last config that was fine, kept beside the state, for the day the file is not.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@chela/sdk";
import { writeFileAtomic } from "@chela/sdk/files";
import { readLeniently, type Reading, type ConfigSources } from "./load.ts";

function lastGoodPath(stateDir: string): string {
  return join(stateDir, "openclaw.json.last-good");
}

/** The text as typed; with included files, everything in one, so that it can be read by itself. */
function selfContained(reading: Reading): string {
  if (reading.includedFiles.length === 0) return reading.raw ?? "";
  return `${JSON.stringify(reading.source, null, 2)}\n`;
}

export function rememberLastGood(stateDir: string, reading: Reading, log: Logger): void {
  const path = lastGoodPath(stateDir);
  const text = selfContained(reading);
  try {
    if (readIfPresent(path) !== text) writeFileAtomic(path, text);
  } catch (error) {
    log.warn("The copy of the last good configuration could not be written.", { path, error: String(error) });
  }
}

/** Undefined when there is none, or when even that one cannot be used. */
export function recallLastGood(stateDir: string, surroundings: ConfigSources): Reading | undefined {
  const text = readIfPresent(lastGoodPath(stateDir));
  if (text === undefined) return undefined;
  const reading = readLeniently(text, surroundings);
  return reading.kind === "loaded" ? reading : undefined;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
