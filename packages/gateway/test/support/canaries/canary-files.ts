// The files that a stage full of canaries leaves behind: which may hold secrets, and which others could read.
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Where people wrote secrets down, and what the gateway needs to know its devices again. */
const ALLOWED: ReadonlyArray<readonly [RegExp, string]> = [
  [/^state\/openclaw\.json(\.bak(\.\d)?|\.last-good)?$/, "the configuration, and its last versions"],
  [/^state\/\.env$/, "variables somebody wrote down"],
  [/^state\/agents\/main\/agent\/auth-profiles\.json$/, "profiles that were not moved into the vault"],
  [/^state\/credentials\/oauth\.json$/, "sign-ins that were not moved into the vault"],
  [/^state\/(devices|nodes)\/paired\.json$/, "tokens of devices and nodes, in the form other programs know"],
  [/^outside\//, "what pointers point to"],
  [/^written\/credentials\//, "what was exported for programs that know no vault"],
];

export function mayHoldSecrets(file: string): boolean {
  return ALLOWED.some(([pattern]) => pattern.test(file));
}

/** The page is no secret. */
const isPage = (path: string): boolean => path.startsWith("state/page");

export function filesBelow(root: string): string[] {
  return entriesBelow(root).filter((path) => statSync(join(root, path)).isFile());
}

/** What somebody else on this machine could read or change. */
export function openFiles(root: string): string[] {
  return entriesBelow(root).filter((path) => (statSync(join(root, path)).mode & 0o077) !== 0);
}

function entriesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !isPage(path));
}
