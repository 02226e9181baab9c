// Notices when something that a command was given by name is replaced while it runs: it looks a name up long after it was
// judged, when its turn comes, and a sandbox that shares the folder can put a link there meanwhile.
import { lstatSync, mkdirSync, utimesSync, writeFileSync, type BigIntStats } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ExecProgram } from "@chela/sdk";
import { isInside } from "@chela/sdk/files";
import { piecesOf } from "./own-files.ts";
import { showEverything } from "./plan/hidden-characters.ts";
import { identityOf, look, walkPath } from "./plan/walk-path.ts";

export interface WatchPlace {
  readonly cwd: string;
  readonly home: string;
  /** Where agents write. Absolute, links resolved. */
  readonly writable: readonly string[];
  /** A folder of the gateway's own. */
  readonly ownFolder: string;
}

export type Watch =
  | {
      readonly kind: "watching";
      /** A whole sentence, once something was replaced. What was printed before it was asked may come from there. */
      replaced(): string | undefined;
    }
  /** Names change so fast that no change could be told from the one before. */
  | { readonly kind: "unsteady"; readonly path: string };

/** A name in a folder that agents write: what it is, and when the folder itself was changed last. */
interface Seen {
  readonly path: string;
  readonly own: string;
  readonly folder: bigint;
  readonly newest: bigint;
}

const MOST_LOOKS = 2_000;

/** For programs that only read what they are given. Undefined when nothing of it lies where agents write. */
export async function watchArguments(programs: readonly ExecProgram[], place: WatchPlace): Promise<Watch | undefined> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const seen = lookAtAll(programs, place);
    if (seen.length === 0) return undefined;
    const tick = tickOf(place.ownFolder);
    const fresh = seen.find(({ newest }) => newest >= tick);
    // The clock of the file system stands still for some milliseconds: within them two changes look like one.
    if (!fresh) return { kind: "watching", replaced: () => findReplaced(seen) };
    if (looks === MOST_LOOKS - 1) return { kind: "unsteady", path: fresh.path };
    await nextTurn();
  }
  return undefined;
}

function lookAtAll(programs: readonly ExecProgram[], { cwd, home, writable }: WatchPlace): Seen[] {
  const found = new Map<string, Seen>();
  const visit = (path: string, facts: BigIntStats | undefined): void => {
    const folder = dirname(path);
    // What a workspace lies in is nobody's to replace from there, even below a folder for everybody such as /tmp.
    if (found.has(path) || !writable.some((one) => isInside(one, folder))) return;
    if (writable.some((one) => isInside(path, one))) return;
    const changed = look(folder)?.ctimeNs ?? 0n;
    const newest = facts && facts.ctimeNs > changed ? facts.ctimeNs : changed;
    found.set(path, { path, own: describe(facts), folder: changed, newest });
  };
  for (const { argv } of programs) {
    for (const piece of argv.slice(1).flatMap((word) => piecesOf(word, home))) {
      // From the root, so that the folder it starts in is watched as well.
      walkPath(piece.startsWith("/") ? piece : `${cwd}/${piece}`, "/", visit);
    }
  }
  return [...found.values()];
}

/**
 * Putting something else under a name changes the folder and what is there; putting the old one back changes both again, and
 * nobody can set these times. Either alone is usual: files are written, and others are made beside them.
 */
function findReplaced(seen: readonly Seen[]): string | undefined {
  const other = seen.find(
    ({ path, own, folder }) => look(dirname(path))?.ctimeNs !== folder && describe(look(path)) !== own,
  );
  if (!other) return undefined;
  return `${showEverything(other.path)} was replaced while the command ran, so it was ended, and what it printed since is not shown. Run it again.`;
}

function describe(facts: BigIntStats | undefined): string {
  return facts ? `${identityOf(facts)}:${facts.ctimeNs}` : "";
}

/** The time that a change would have now. */
function tickOf(folder: string): bigint {
  const path = join(folder, "tick");
  try {
    utimesSync(path, 0, 0);
  } catch {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
  }
  return lstatSync(path, { bigint: true }).ctimeNs;
}
