// Says whether a pattern of the allow-list means a program: a glob on its real path, or a bare name in a system directory.
import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";

export interface PatternPlace {
  /** What `~/` stands for. */
  readonly home: string;
  /** Directories whose programs may be named without a path. */
  readonly trustedDirectories: readonly string[];
}

const BARE_NAME = /^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$/;
const HAS_WILDCARD = /[*?]/;
const SYSTEM_DIRECTORIES = ["/bin", "/usr/bin", "/sbin", "/usr/sbin"];

export function patternMeans(written: string, program: FoundProgram, place: PatternPlace): boolean {
  const pattern = written.startsWith("~/") ? `${place.home}/${written.slice(2)}` : written;
  if (BARE_NAME.test(pattern)) return calledName(program) === pattern && isInTrustedDirectory(program, place);
  if (!pattern.startsWith("/")) return false;
  if (!HAS_WILDCARD.test(pattern)) return followLink(pattern) === program.file && isCalledAs(program, [pattern]);
  const glob = compileGlob(pattern);
  return glob.test(program.file) && (isCalledAs(program, []) || glob.test(program.foundAt));
}

/** Both where it was found and where it really lies count: a link in a system directory vouches for nothing. */
export function isInTrustedDirectory(program: FoundProgram, place: PatternPlace): boolean {
  const trusted = new Set([...SYSTEM_DIRECTORIES, ...place.trustedDirectories].map((path) => followLink(path) ?? path));
  const foundIn = dirname(program.foundAt);
  return trusted.has(dirname(program.file)) && trusted.has(followLink(foundIn) ?? foundIn);
}

/** A program with many names does something else under each. */
function isCalledAs(program: FoundProgram, paths: readonly string[]): boolean {
  return [program.file, ...paths].some((path) => basename(path) === calledName(program));
}

function followLink(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** `**` crosses directories, `*` and `?` do not. Case counts. */
function compileGlob(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*+|\*|\?|[\\^$.+()|[\]{}]/g, (sign) => {
    if (sign.startsWith("**")) return ".*";
    if (sign === "*") return "[^/]*";
    return sign === "?" ? "[^/]" : `\\${sign}`;
  });
  return new RegExp(`^${source}$`, "su");
}
