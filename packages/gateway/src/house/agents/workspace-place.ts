// Checks where a workspace may lie: not where the gateway keeps its secrets, as an agent may read and write all of it.
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { GatewayError } from "@chela/sdk";
import { isInside } from "@chela/sdk/files";

export interface Places {
  readonly home: string;
  readonly stateDir: string;
}

/** The absolute path of a wanted workspace. Throws AGENT_REQUEST when an agent must not have it. */
export function placeWorkspace(written: string, places: Places): string {
  const free = "inside the state directory only workspace, workspace-<name> and workspaces/<name> are free";
  return place(written, places, { what: "a workspace", free, isFree: (path) => isWorkspaceName(path, places) });
}

/** The same for the directory of an agent's own settings, which may hold its keys. */
export function placeAgentDir(written: string, agentId: string, places: Places): string {
  const own = join("agents", agentId);
  const isFree = (path: string): boolean => isInside(own, wayInState(path, places));
  return place(written, places, {
    what: "an agent's directory",
    free: `inside the state directory only ${own} is its own`,
    isFree,
  });
}

interface PlaceRule {
  readonly what: string;
  readonly free: string;
  isFree(path: string): boolean;
}

function place(written: string, places: Places, { what, free, isFree }: PlaceRule): string {
  const refused = (why: string): GatewayError =>
    new GatewayError("AGENT_REQUEST", `${JSON.stringify(written)} cannot be ${what}: ${why}`);
  const path = toAbsolute(written, places, refused);
  for (const real of [path, realPath(path)]) {
    if (isInside(real, realPath(places.stateDir)) || isInside(real, places.stateDir)) {
      throw refused("the gateway's own files lie in it. Choose a directory of its own");
    }
    if (liesIn(real, places) && !isFree(real)) throw refused(free);
  }
  return path;
}

/** The absolute path of what was written, `~` for the home directory. */
function toAbsolute(written: string, { home }: Places, refused: (why: string) => GatewayError): string {
  const text = written.trim();
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  if (/[\u0000-\u001f\u007f]/.test(text)) throw refused("it contains control characters");
  const path = text === "~" ? home : /^~[/\\]/.test(text) ? join(home, text.slice(2)) : text;
  if (!isAbsolute(path)) throw refused("write the whole path, or begin with ~/");
  const whole = normalize(path);
  return whole.length > 1 && whole.endsWith(sep) ? whole.slice(0, -1) : whole;
}

/** Whether it is a workspace that the state directory holds, links followed. */
export function isHeldWorkspace(path: string, places: Places): boolean {
  const real = realPath(path);
  return liesIn(real, places) && isWorkspaceName(real, places);
}

/** Links on the way are followed as far as the way exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

function liesIn(path: string, { stateDir }: Places): boolean {
  return isInside(stateDir, path) || isInside(realPath(stateDir), path);
}

function isWorkspaceName(path: string, places: Places): boolean {
  const [first = "", second] = wayInState(path, places).split(sep);
  return first === "workspaces" ? second !== undefined : /^workspace(-[^/\\]+)?$/.test(first);
}

function wayInState(path: string, { stateDir }: Places): string {
  return relative(isInside(stateDir, path) ? stateDir : realPath(stateDir), path);
}
