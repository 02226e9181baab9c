// Refuses mounts that would open the machine, whatever the configuration says. What is allowed is decided elsewhere; this is the wall behind it.
import { realpathSync, statSync } from "node:fs";
import { GatewayError, type SandboxMount, type SandboxProfile } from "@chela/sdk";
import { isInside } from "@chela/sdk/files";

/** Neither these nor anything below them. */
const RESERVED_OUTSIDE = [
  "/boot",
  "/dev",
  "/etc",
  "/proc",
  "/run",
  "/sys",
  "/var/lib/containerd",
  "/var/lib/containers",
  "/var/lib/docker",
  "/var/log",
  "/var/run",
  "/var/spool",
];
/** Programs of the machine: to be read at most. */
const SYSTEM = ["/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin", "/usr"];
/** The home of the machine's owner: not as a whole, and nothing hidden in it but what belongs to an agent. */
const OWNERS_HOME = "/root";
const RESERVED_INSIDE = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys", "/var/run"];

export interface GuardedPlaces {
  /** Holds the gateway's own files: never mounted as a whole, nor a folder around it. */
  readonly stateDir: string;
  readonly socketPath: string;
}

/** Throws SANDBOX_FAILED for the first mount that must not be. */
export function checkMounts(profile: SandboxProfile, places: GuardedPlaces): void {
  for (const mount of profile.mounts) {
    const why = whyNotMounted(mount, profile, places);
    if (why) throw refuse(`${mount.outside} cannot be mounted at ${mount.inside}: ${why}`);
  }
}

function whyNotMounted(mount: SandboxMount, profile: SandboxProfile, places: GuardedPlaces): string | undefined {
  const { outside, inside } = mount;
  if (!isPlain(outside) || !isPlain(inside)) return "both paths must be absolute and without detours";
  if (inside === "/" || SYSTEM.includes(inside) || RESERVED_INSIDE.some((path) => isInside(path, inside))) {
    return "that place belongs to the container's own system";
  }
  if (outside === "/" || RESERVED_OUTSIDE.some((path) => isInside(path, outside))) {
    return "it belongs to this machine's system";
  }
  if (mount.isWritable && SYSTEM.some((path) => isInside(path, outside))) {
    return "this machine's programs can be read at most";
  }
  const stateDir = resolved(places.stateDir);
  if (isInside(outside, stateDir)) return "the gateway's own files are in there";
  if (isInside(outside, resolved(places.socketPath))) {
    return "whoever reaches the container engine in there owns this machine";
  }
  const belongsToAgent = inside === profile.workdir || isInside(stateDir, outside);
  const isHidden = outside.startsWith(`${OWNERS_HOME}/.`) && !belongsToAgent;
  if (outside === OWNERS_HOME || isHidden) return "it is the owner's own";
  return whyNotThere(outside);
}

/** A link could lead anywhere by the time the engine follows it, and a socket speaks for whoever listens behind it. */
function whyNotThere(outside: string): string | undefined {
  try {
    if (realpathSync(outside) !== outside) return "a link leads to another place";
    const found = statSync(outside);
    return found.isDirectory() || found.isFile() ? undefined : "it is neither a folder nor a file";
  } catch {
    return "it does not exist";
  }
}

/** Mounts come with their links resolved; what they are compared with has to be, too. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isPlain(path: string): boolean {
  return path.startsWith("/") && (path === "/" || path.split("/").slice(1).every(isPlainName));
}

function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("\0");
}

function refuse(detail: string): GatewayError {
  return new GatewayError("SANDBOX_FAILED", detail);
}
