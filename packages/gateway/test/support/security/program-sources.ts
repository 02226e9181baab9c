// The sources of the program itself, for suites that hold it to what only a look at all of them can tell.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Of the repository. */
export const REPOSITORY = join(import.meta.dirname, "../../../../..");

export interface ProgramSource {
  /** From the root of the repository. */
  readonly path: string;
  /** Without comments. */
  readonly text: string;
}

/** All that runs on the gateway's machine; not tests, and not the control page, which runs in a browser. */
export function listProgramSources(): ProgramSource[] {
  return globSync(["packages/*/src/**/*.ts", "packages/gateway/bin/*"], { cwd: REPOSITORY })
    .filter((path) => !/\.test\.ts$|\.test-support\.ts$|\.d\.ts$|\/testing\/|^packages\/ui\//.test(path))
    .toSorted()
    .map((path) => ({ path, text: withoutComments(readFileSync(join(REPOSITORY, path), "utf8")) }));
}

/** Good enough for our own style: whole lines, and blocks that begin a line. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\/.*$/gm, "").replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, "");
}
