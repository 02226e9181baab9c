// Reads further folders for a sandbox ("source:target:ro"), and refuses those that would open the machine.
import { isAbsolute, normalize } from "node:path";
import { GatewayError, type SandboxMount } from "@chela/sdk";
import { isInside } from "@chela/sdk/files";

export interface BindRules {
  /** Sources below these are fine: the workspace, the sandboxes' own folders. */
  readonly near: readonly string[];
  /** The operator said that others are fine, too. */
  readonly mayComeFromAnywhere: boolean;
  readonly mayCoverReserved: boolean;
  /** Places inside that belong to the sandbox itself. */
  readonly reserved: readonly string[];
  /** Never, whatever was said: the state directory, credentials. */
  readonly closed: readonly string[];
  /** Absolute, links resolved; undefined when there is nothing. */
  realPath(path: string): string | undefined;
}

/** Whoever has one of these has the machine. */
const CLOSED_SOURCES = ["/", "/etc", "/proc", "/sys", "/dev", "/boot", "/root", "/run", "/var/run", "/var/lib/docker"];
const SYSTEM_TARGETS = [
  "/",
  "/etc",
  "/proc",
  "/sys",
  "/dev",
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/tmp",
  "/run",
];

export function readBinds(written: readonly string[], rules: BindRules): SandboxMount[] {
  return written.map((bind) => readBind(bind, rules));
}

function readBind(bind: string, rules: BindRules): SandboxMount {
  const refuse = (why: string) =>
    new GatewayError("SANDBOX_FAILED", `the bind ${JSON.stringify(bind)} is not allowed: ${why}`);
  const [source = "", target = "", mode = "rw", ...rest] = bind.split(":");
  if (!isAbsolute(source) || !isAbsolute(target) || rest.length > 0) throw refuse('write it as "/source:/target:ro"');
  if (mode !== "ro" && mode !== "rw") throw refuse('it ends with neither "ro" nor "rw"');
  const outside = rules.realPath(source);
  if (outside === undefined) throw refuse("there is no such folder");
  if (isClosed(outside, rules)) throw refuse("it would open the machine or the gateway's own files to the sandbox");
  if (!rules.mayComeFromAnywhere && !rules.near.some((near) => isInside(near, outside))) {
    throw refuse(
      "it lies outside of the workspace (sandbox.docker.dangerouslyAllowExternalBindSources would allow it)",
    );
  }
  const inside = normalize(target).replace(/(?<=.)\/$/, "");
  const reserved = [...SYSTEM_TARGETS, ...rules.reserved];
  if (
    !rules.mayCoverReserved &&
    reserved.some((place) => (place !== "/" && isInside(place, inside)) || inside === "/")
  ) {
    throw refuse(`${inside} belongs to the sandbox itself`);
  }
  return { outside, inside, isWritable: mode === "rw" };
}

/** Also a folder that contains a closed one: it would be reachable through it. */
function isClosed(path: string, { closed, near }: BindRules): boolean {
  if (/(?:docker|podman|containerd)\.sock$/.test(path)) return true;
  const isOwn = near.some((place) => isInside(place, path));
  const isReserved = (place: string): boolean =>
    isInside(path, place) || (place !== "/" && isInside(place, path) && !isOwn);
  return CLOSED_SOURCES.some(isReserved) || closed.some(isReserved);
}
