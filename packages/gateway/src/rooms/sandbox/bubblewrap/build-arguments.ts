// The arguments of bubblewrap for a profile: namespaces, what is seen, and nothing else.
import { normalize } from "node:path";
import { GatewayError, type SandboxMount, type SandboxProfile } from "@chela/sdk";
import type { BubblewrapProgram } from "./bubblewrap-program.ts";
import type { SystemView } from "./system-view.ts";
import { CHANNEL_INSIDE } from "./warden-script.ts";

export interface ArgumentParts {
  readonly profile: SandboxProfile;
  readonly program: BubblewrapProgram;
  /** What all sandboxes see of the machine. */
  readonly system: Pick<SystemView, "arguments" | "devices">;
  /** Folder of the host. */
  readonly channel: string;
  /** Further things to see, read-only, such as the proxy's socket. */
  readonly extras: readonly SandboxMount[];
  readonly env: Readonly<Record<string, string>>;
  /** A terminal brings its own session. */
  readonly isForTerminal: boolean;
}

const NOBODY = "65534";
const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
const SMALL = 16 * 1024 * 1024;

export function buildArguments(parts: ArgumentParts): string[] {
  const { profile, program, system, channel, extras, isForTerminal } = parts;
  for (const mount of profile.mounts) refuseMount(mount);
  const { memoryBytes } = profile.limits;
  // Their contents count as memory where a control group watches it; elsewhere this is the only limit.
  const temporary = (path: string, bytes: number, perms: string): string[] => {
    const size = program.hasSize ? ["--size", String(Math.max(SMALL, Math.floor(bytes)))] : [];
    return ["--perms", perms, ...size, "--tmpfs", path];
  };
  const identity = [
    "--uid",
    NOBODY,
    "--gid",
    NOBODY,
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--hostname",
    "sandbox",
  ];
  const mounts = profile.mounts.map(({ outside, inside, isWritable }) => {
    return [isWritable ? "--bind" : "--ro-bind", outside, inside];
  });
  return [
    ["--unshare-all", "--unshare-user"],
    program.hasDisableUserns ? ["--disable-userns"] : [],
    identity,
    isForTerminal ? [] : ["--new-session"],
    ["--clearenv", ...environmentArguments(parts.env)],
    system.arguments,
    ["--dev", "/dev", ...system.devices, ...temporary("/dev/shm", memoryBytes / 4, "1777"), "--remount-ro", "/dev"],
    temporary("/tmp", memoryBytes / 2, "1777"),
    temporary("/var/tmp", memoryBytes / 4, "1777"),
    temporary("/home", memoryBytes / 4, "0755"),
    ["--perms", "0755", "--dir", "/run"],
    ...mounts,
    ["--ro-bind", channel, CHANNEL_INSIDE],
    ...extras.map(({ outside, inside }) => ["--ro-bind", outside, inside]),
    ["--remount-ro", "/", "--chdir", "/"],
  ].flat();
}

function environmentArguments(env: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries({ PATH: USUAL_PATH, ...env });
  const bad = entries.find(([name, value]) => name === "" || name.includes("=") || `${name}${value}`.includes("\0"));
  if (bad) {
    throw new GatewayError("SANDBOX_FAILED", `the environment variable ${JSON.stringify(bad[0])} cannot be set.`);
  }
  return entries.flatMap(([name, value]) => ["--setenv", name, value]);
}

/** Whatever the configuration says: with one of these the wall would be a door. */
const CLOSED_OUTSIDE = ["/etc", "/proc", "/sys", "/dev", "/boot", "/run", "/var/run"];
const CLOSED_INSIDE = ["/etc", "/proc", "/sys", "/dev", "/usr", "/bin", "/sbin", "/lib", "/lib64", CHANNEL_INSIDE];

function refuseMount({ outside, inside }: SandboxMount): void {
  const closed =
    whyClosed(outside, CLOSED_OUTSIDE) ?? (outside.endsWith(".sock") ? outside : whyClosed(inside, CLOSED_INSIDE));
  if (closed === undefined) return;
  throw new GatewayError(
    "SANDBOX_FAILED",
    `The folder ${outside} cannot be shown inside as ${inside}: ${closed} stays closed. Take it out of the binds.`,
  );
}

function whyClosed(path: string, closed: readonly string[]): string | undefined {
  const isPlain = path.startsWith("/") && normalize(path).replace(/(?<=.)\/$/, "") === path && !/[\0\n]/.test(path);
  if (!isPlain || path === "/") return JSON.stringify(path);
  // Also a folder that contains a closed one would cover it, or open it.
  return closed.find((place) => path === place || path.startsWith(`${place}/`) || place.startsWith(`${path}/`));
}
