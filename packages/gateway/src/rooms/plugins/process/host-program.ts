// The program that plugins run in: beside this file when the gateway is built, else the sources of its package.
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface HostProgram {
  readonly file: string;
  readonly nodeArguments: readonly string[];
  /** What it has to read of its own. */
  readonly readable: readonly string[];
}

export function findHostProgram(): HostProgram {
  const built = fileURLToPath(new URL("./plugin-host.js", import.meta.url));
  if (existsSync(built))
    return { file: realpathSync(built), nodeArguments: [], readable: [dirname(realpathSync(built))] };
  const require = createRequire(import.meta.url);
  const source = realpathSync(require.resolve("@chela/plugin-host/program"));
  const commander = dirname(realpathSync(createRequire(source).resolve("commander")));
  const packageRoot = join(dirname(source), "..");
  return { file: source, nodeArguments: ["--conditions=chela-source"], readable: [packageRoot, commander] };
}
