// Runs a script with the code V8 compiled for it at an earlier start. The build puts what a start needs into one.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";
import { writeFileAtomic } from "./files.ts";

/** Keeps what is compiled by now, for the next start. Not there when that was done before, or cannot be. */
export type KeepCompiled = () => void;
type Run<Exports> = (moduleUrl: string, keepCompiled: KeepCompiled | undefined) => Exports;

/** Stands before what is kept. V8 looks at the beginning only, and what is damaged behind it could end the process. */
const DIGEST_BYTES = 32;

/**
 * Node's own cache holds a module as it was before it ran, without most of its functions: each start would compile them
 * anew. The name of a script has the digest of its text, so what was kept is of this very text; whether it is of this
 * very V8 is known to V8 and to the directory.
 */
export function runKeptScript<Exports>(moduleUrl: string, name: string): Exports {
  const path = fileURLToPath(new URL(name, moduleUrl));
  const directory = getCompileCacheDir();
  const place = directory === undefined ? undefined : join(directory, `${basename(path)}.kept`);
  const { script, wasKept } = compile(path, place);
  const keep = place === undefined || wasKept ? undefined : () => keepCompiled(script, place);
  return (script.runInThisContext() as Run<Exports>)(moduleUrl, keep);
}

function compile(path: string, place: string | undefined): { script: Script; wasKept: boolean } {
  const file = place === undefined ? undefined : readIfThere(place);
  const cachedData = file && whole(file);
  const script = new Script(readFileSync(path, "latin1"), {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData ? { cachedData } : {}),
  });
  const wasKept = cachedData !== undefined && script.cachedDataRejected !== true;
  // More than a megabyte, which would otherwise be there until the first large collection of garbage. What is small has
  // its place in memory that others use, too.
  if (file?.byteLength === file?.buffer.byteLength) file?.buffer.transfer(0);
  return { script, wasKept };
}

function readIfThere(place: string): Buffer<ArrayBuffer> | undefined {
  try {
    return readFileSync(place) as Buffer<ArrayBuffer>;
  } catch {
    return undefined;
  }
}

function whole(file: Buffer): Buffer | undefined {
  const data = file.subarray(DIGEST_BYTES);
  return file.subarray(0, DIGEST_BYTES).equals(hash("sha256", data, "buffer")) ? data : undefined;
}

function keepCompiled(script: Script, place: string): void {
  try {
    const data = script.createCachedData();
    writeFileAtomic(place, Buffer.concat([hash("sha256", data, "buffer"), data]));
  } catch {
    // The next start is slower, and that is all.
  }
}
