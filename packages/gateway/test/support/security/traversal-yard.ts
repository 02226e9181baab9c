// A state directory with files around it that nobody may read or change, and a look at whether somebody did.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { traversalsTo } from "./traversal-corpus.ts";

export const CANARY = "canary21-of-a-file-outside";

export interface TraversalYard extends Disposable {
  readonly root: string;
  readonly stateDir: string;
  readonly workspace: string;
  /** Ways to write one of the files. */
  readonly traversals: readonly string[];
  /** What was read or changed of what nobody may touch, and what is there that was not. Empty is good. */
  findTraces(): string[];
}

/** Far in the past: reading a file brings it to the present. */
const LONG_AGO = 1_000_000_000;

export function openTraversalYard(config: object): TraversalYard {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-yard-")));
  const stateDir = join(root, "home", "state");
  const workspace = join(stateDir, "workspace");
  const canaries = [
    "secret.txt",
    "SOUL.md",
    "home/secret.txt",
    "home/AGENTS.md",
    "home/state/secret.txt",
    "home/state/agents/other/secret.txt",
    "home/state/secret/HOOK.md",
    "home/other/openclaw.json",
    "apart/secret.txt",
  ].map((name) => join(root, name));
  for (const path of canaries) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, CANARY);
    utimesSync(path, LONG_AGO, new Date());
  }
  mkdirSync(workspace, { recursive: true });
  const target = join(root, "home", "secret.txt");
  symlinkSync(target, join(workspace, "link.txt"));
  symlinkSync(join(root, "apart"), join(workspace, "folder"));
  symlinkSync("../../secret.txt", join(workspace, "MEMORY.md"));
  writeFileSync(join(stateDir, "openclaw.json"), JSON.stringify(config));
  const outsideBefore = namesOutside(root, stateDir);
  const links = ["link.txt", "folder/secret.txt", "folder", "MEMORY.md"];
  return {
    root,
    stateDir,
    workspace,
    traversals: traversalsTo(target, [workspace, join(stateDir, "agents"), stateDir], links),
    findTraces() {
      const touched = canaries.flatMap((path) => {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        if (!stats?.isFile()) return [`${relative(root, path)} is gone`];
        // Asked before it is read here.
        if (stats.atimeMs > LONG_AGO * 1000) return [`${relative(root, path)} was read`];
        const isWhole = readFileSync(path, "utf8") === CANARY;
        utimesSync(path, LONG_AGO, new Date());
        return isWhole ? [] : [`${relative(root, path)} was changed`];
      });
      const added = namesOutside(root, stateDir).filter((name) => !outsideBefore.includes(name));
      return [...touched, ...added.map((name) => `${name} is new`)];
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** All that lies around the state directory. */
function namesOutside(root: string, stateDir: string): string[] {
  // With types no links are followed.
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !`${path}/`.startsWith(`${stateDir}/`))
    .map((path) => relative(root, path))
    .toSorted();
}

/** Whether this machine notes when a file was read. */
export function notesReads(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "chela-yard-"));
  const path = join(folder, "file");
  writeFileSync(path, "x");
  utimesSync(path, LONG_AGO, new Date());
  readFileSync(path);
  const isNoted = statSync(path).atimeMs > LONG_AGO * 1000;
  rmSync(folder, { recursive: true });
  return isNoted;
}
