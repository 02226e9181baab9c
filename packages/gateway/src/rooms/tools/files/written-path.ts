// Reads a path as a model writes it: which names lead to it, counted from the place where the walk begins.
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { GatewayError } from "@chela/sdk";

/** Where the file tools of an agent may go. */
export interface Confinement {
  /** Absolute path of the agent's workspace. */
  readonly workspace: string;
  /** False lets them go everywhere but into the forbidden trees. */
  readonly workspaceOnly: boolean;
  /** Trees that are never touched, such as the state directory. The own workspace may lie in one of them. */
  readonly forbidden: readonly string[];
  /** Files and trees that are not for whoever is behind the call. */
  readonly closedNotes?: readonly string[] | undefined;
  /** For those who write: files in which a project says what its programs run are closed. */
  readonly keepsOffControl?: boolean;
  /** In a sandbox the workspace has another name; paths that begin with it are meant. */
  readonly seenAs?: string;
}

const MAX_PATH_CHARACTERS = 4096;
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f\u2028\u2029]/;
const WINDOWS_PATH = /^[A-Za-z]:[\\/]|^\\|\.\.\\|\\\.\./;

export function refusePath(written: string, why: string, rules: Confinement): GatewayError {
  const allowed = rules.workspaceOnly
    ? `Use a path inside the workspace ${rules.seenAs ?? rules.workspace}, such as notes/today.md.`
    : "Use a path in the workspace or another place that belongs neither to the gateway nor to another agent.";
  return new GatewayError("TOOL_PATH", `"${printable(written)}" ${why}. ${allowed}`);
}

/** The absolute path that is meant: relative ones start in the workspace, `~` is the home directory. */
export function absolutePath(written: string, rules: Confinement, root: string): string {
  if (written.trim() === "") throw refusePath(written, "names no file", rules);
  if (written.length > MAX_PATH_CHARACTERS) throw refusePath(written, "is longer than any path can be", rules);
  if (CONTROL_CHARACTERS.test(written)) throw refusePath(written, "has a character that no file name needs", rules);
  if (sep === "/" && WINDOWS_PATH.test(written)) {
    throw refusePath(written, "is written for Windows; here names are divided by /", rules);
  }
  const below = rules.seenAs === undefined ? undefined : namesBelow(rules.seenAs, resolve(rules.seenAs, written));
  if (below) return resolve(root, ...below);
  if (written === "~" || written.startsWith("~/")) return join(homedir(), written.slice(1));
  return isAbsolute(written) ? resolve(written) : resolve(root, written);
}

/** The names that lead from `root` to `path`; undefined when it lies outside. */
export function namesBelow(root: string, path: string): string[] | undefined {
  const way = relative(root, path);
  if (way === "") return [];
  if (isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`)) return undefined;
  return way.split(sep);
}

function printable(written: string): string {
  // oxlint-disable-next-line no-control-regex -- these characters are what is replaced
  const shown = written.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, "\uFFFD");
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}
