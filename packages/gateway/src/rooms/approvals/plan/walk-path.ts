// Follows a path as the kernel does: one name at a time, each link before what comes after it.
import { lstatSync, readlinkSync, type BigIntStats } from "node:fs";

/** What a path leads to from a process that is not this one. */
export type WalkedPath =
  /** `passed` are the identities of everything on the way, the end included. */
  | { readonly kind: "place"; readonly path: string; readonly passed: ReadonlySet<string>; readonly end?: BigIntStats }
  /** It goes through a door of the kernel (a process, its descriptors), which may lead anywhere. */
  | { readonly kind: "anywhere" };

const MAX_LINKS = 40;
/** Of a process; `/proc/cpuinfo` and the like are plain files. */
const PROCESS_DOOR =
  /^\/(?:proc\/(?:self|thread-self|\d+|kcore|kmem|kpage[a-z]*|vmcore)|dev\/fd|dev\/std(?:in|out|err)|sys\/(?:kernel\/debug|fs\/bpf))(?:\/|$)/;
/** What programs are given to mean their own input. */
const OWN_STREAMS = /^\/dev\/(?:stdin|stdout|stderr|null|zero|full|random|urandom|tty)$/;

export function isOwnStream(path: string): boolean {
  return OWN_STREAMS.test(path);
}

/** `visit` hears of each name on the way that is looked at, links included; its facts are undefined where there is nothing. */
export function walkPath(
  written: string,
  cwd: string,
  visit?: (path: string, facts: BigIntStats | undefined) => void,
): WalkedPath {
  if (isOwnStream(written)) return { kind: "place", path: written, passed: new Set() };
  const pending = written.split("/");
  const passed = new Set<string>();
  let at = written.startsWith("/") || cwd === "/" ? "" : cwd;
  let end = notePassed(at || "/", passed);
  for (let links = 0; pending.length > 0;) {
    const name = pending.shift() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = at.slice(0, Math.max(0, at.lastIndexOf("/")));
      end = notePassed(at || "/", passed);
      continue;
    }
    const next = `${at}/${name}`;
    if (PROCESS_DOOR.test(next)) return { kind: "anywhere" };
    const facts = look(next);
    visit?.(next, facts);
    if (facts?.isSymbolicLink()) {
      if ((links += 1) > MAX_LINKS) return { kind: "anywhere" };
      const target = readTarget(next);
      if (target === undefined) return { kind: "anywhere" };
      if (target.startsWith("/")) at = "";
      pending.unshift(...target.split("/"));
      continue;
    }
    at = next;
    end = facts;
    if (facts) passed.add(identityOf(facts));
  }
  return { kind: "place", path: at || "/", passed, ...(end ? { end } : {}) };
}

export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

export function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function notePassed(path: string, passed: Set<string>): BigIntStats | undefined {
  const facts = look(path);
  if (facts) passed.add(identityOf(facts));
  return facts;
}

function readTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
