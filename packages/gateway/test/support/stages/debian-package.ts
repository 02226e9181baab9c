// Brings servers from Debian that nobody here wrote, so that channels are tried against real ones.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ON_DISK } from "../durability/on-disk.ts";

/** One at a time on this machine: test files run side by side, and apt does not. */
const LOCK = join(ON_DISK, "chela-test-apt.lock");
const PATIENCE_MS = 240_000;

/** Where a program is; those for administrators are often not on the path. */
export function findProgram(binary: string): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return places.map((place) => join(place, binary)).find((path) => existsSync(path));
}

/** Whether the program is there, after installing its package where that is possible: as root, with apt-get. */
export function ensureDebianPackage(name: string, binary: string): boolean {
  if (findProgram(binary)) return true;
  if (process.getuid?.() !== 0 || !findProgram("apt-get") || !findProgram("flock")) return false;
  const install = "apt-get install -y -qq --no-install-recommends";
  runLocked(`command -v ${binary} >/dev/null || { apt-get update -qq; ${install} ${name}; }`);
  return findProgram(binary) !== undefined;
}

export interface DebianFile {
  /** In the archive the machine itself takes its packages from. */
  readonly path: string;
  readonly sha256: string;
}

/** A program out of a package of another Debian release, unpacked but not installed; undefined when it cannot be had. */
export function unpackDebianFile(file: DebianFile, binary: string): string | undefined {
  const home = join(ON_DISK, `chela-test-${file.sha256.slice(0, 16)}`);
  const program = join(home, binary);
  if (existsSync(program)) return program;
  if (!["dpkg-deb", "curl", "flock"].every(findProgram)) return undefined;
  const fetched = `${home}.${process.pid}.deb`;
  const unpacked = `${home}.${process.pid}`;
  try {
    mkdirSync(dirname(fetched), { recursive: true });
    const isFetched = archives().some((archive) => {
      runLocked(`curl -fsS -m 120 -o '${fetched}' '${archive}/${file.path}'`);
      return existsSync(fetched) && digestOf(fetched) === file.sha256;
    });
    if (!isFetched) return undefined;
    runLocked(`dpkg-deb -x '${fetched}' '${unpacked}'`);
    if (!existsSync(home)) renameSync(unpacked, home);
    return existsSync(program) ? program : undefined;
  } finally {
    rmSync(fetched, { force: true });
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Where this machine's packages come from. */
function archives(): string[] {
  const { stdout } = spawnSync("apt-get", ["indextargets", "--format", "$(SITE)"], { encoding: "utf8" });
  const sites = (stdout ?? "").split("\n").map((site) => site.trim().replace(/\/$/, ""));
  return [...new Set(sites)].filter((site) => /^https?:\/\/[\w./:-]+$/.test(site));
}

/** Says in a place nobody overlooks that a suite did not run, and why. */
export function warnNotTested(what: string, why: string): void {
  process.stderr.write(`\nNOT TESTED HERE: ${what} (${why})\n`);
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function runLocked(script: string): void {
  spawnSync("sh", ["-c", `exec flock "$0" sh -c "$1"`, LOCK, script], {
    stdio: "ignore",
    timeout: PATIENCE_MS,
    // Installed is enough: the tests start their own servers, on ports of their own.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
  });
}
