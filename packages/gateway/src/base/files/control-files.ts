// Files in which a project says what programs run as soon as somebody uses it: hooks, and settings that name commands.
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whole folders: the insides of repositories, and hooks. */
const FOLDERS: ReadonlySet<string> = new Set(".git .hg .svn .bzr .jj .husky .githooks .git-hooks".split(" "));
const FILES: ReadonlySet<string> = new Set(
  ".gitmodules .gitconfig .envrc .direnvrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc .netrc .curlrc .wgetrc .ackrc .exrc .vimrc .nvimrc .gdbinit .lldbinit .inputrc".split(
    " ",
  ),
);
/** By the last two names. */
const IN_FOLDERS: ReadonlySet<string> = new Set(
  ".vscode/tasks.json .vscode/launch.json .vscode/settings.json .cargo/config .cargo/config.toml .ssh/config".split(
    " ",
  ),
);

/** By any of the names on the way, as systems that take A for a would read them. */
export function saysWhatRuns(path: string): boolean {
  const names = path
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .split(/[/\\]/)
    .map((name) => name.replace(/[. ]+$/, "") || name)
    .filter((name) => name !== "" && name !== ".");
  const last = names.at(-1) ?? "";
  return names.some((name) => FOLDERS.has(name)) || FILES.has(last) || IN_FOLDERS.has(names.slice(-2).join("/"));
}

/**
 * Those that are there, directly below a folder, as paths; links are left out, since they lead elsewhere. Of a file in a
 * folder it is the whole folder: another could be put in its place.
 */
export function controlBelow(folder: string): string[] {
  const folders = [...IN_FOLDERS].map((path) => dirname(path));
  return [...new Set([...FOLDERS, ...FILES, ...folders])]
    .map((name) => join(folder, name))
    .filter((path) => {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      return facts?.isDirectory() || facts?.isFile();
    });
}
