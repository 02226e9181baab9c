// Keeps allowed programs away from the files that say what is allowed.
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";

const WRITERS: ReadonlySet<string> = new Set(
  "chattr chgrp chmod chown cp curl dd install link ln mkfifo mknod mv rm rmdir shred tee touch truncate unlink".split(
    " ",
  ),
);

/** Parts of the state directory that are for the agents themselves. */
const FOR_AGENTS = /^(?:workspace|media|sandboxes)/;

/** The argument that names the gateway's own files, or for a program that writes, a directory above them. */
export function findOwnFileArgument(program: FoundProgram, cwd: string, stateDirectory: string): string | undefined {
  const own = follow(stateDirectory);
  const writes = WRITERS.has(calledName(program)) || WRITERS.has(basename(program.file));
  return program.argv.slice(1).find((word) =>
    // `--target=/x`, `of=/x` and `-t/x` hold a path too.
    [word, word.slice(word.indexOf("=") + 1), word.replace(/^-[A-Za-z]/, "")].some((text) => {
      const path = follow(resolve(cwd, text));
      return isInside(path, own) || (writes && text !== "" && `${own}/`.startsWith(path === "/" ? path : `${path}/`));
    }),
  );
}

function isInside(path: string, own: string): boolean {
  const way = relative(own, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way) && !FOR_AGENTS.test(way);
}

/** Follows links as far as the path exists. */
function follow(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(follow(parent), basename(path));
  }
}
