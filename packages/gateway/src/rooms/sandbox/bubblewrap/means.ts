// Checks what bubblewrap needs of this machine, and says what is missing.
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { SandboxCheck } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { findBubblewrap, type BubblewrapProgram } from "./bubblewrap-program.ts";
import { findProgram } from "./find-program.ts";
import { makeOwnDevices } from "./own-devices.ts";
import { findParent, removeLeftOvers } from "./private-folders.ts";
import type { Landlock } from "./landlock.ts";
import { buildFilter } from "./seccomp/build-filter.ts";
import { hasStrayFiles } from "./processes/stray-files.ts";
import { makeSystemView, type SystemView } from "./system-view.ts";
import type { InnerShell } from "./warden-script.ts";

/** The machine, as far as it matters here. */
export interface BubblewrapEnvironment {
  readonly platform: NodeJS.Platform;
  readonly processor: string;
  /** Where bubblewrap may lie; only root can write there. */
  readonly places: readonly string[] | undefined;
  /** Where private folders are made; looked for each time unless it is said. */
  readonly folder: string | undefined;
  readonly mayUseControlGroups: boolean;
  findLandlock(): Promise<Landlock>;
}

export interface Means {
  readonly program: BubblewrapProgram;
  readonly system: SystemView;
  /** Where private folders are made. */
  readonly folder: string;
  readonly shell: InnerShell;
  readonly landlock: Landlock;
  /** The gateway was started with open files that its children would have, too. */
  readonly hasStrayFiles: boolean;
  readonly filter: Buffer;
  /** The program that makes pipes. */
  readonly mkfifo: string;
  readonly mayUseControlGroups: boolean;
}

export type Unusable = Extract<SandboxCheck, { kind: "unusable" }>;

const INSTALL =
  "Install it with `apt install bubblewrap` (Debian, Ubuntu), `dnf install bubblewrap` or `apk add bubblewrap`.";

const TRY_BY_HAND =
  "Run `bwrap --unshare-all --ro-bind / / --proc /proc true` by hand to see what this machine does not allow.";

/** Whether what is always looked at is there. It can be taken away under a running gateway: then nothing is set up. */
export function whyNoProc(): Unusable | undefined {
  if (existsSync("/proc/self/fd")) return undefined;
  const why = "The folder /proc is missing or empty, so nobody could say what runs in a sandbox.";
  return { kind: "unusable", why, fix: "Mount it again: `mount -t proc proc /proc`.", mayPass: true };
}

/** Undefined when it cannot be made safe. */
async function viewOfSystem(folder: string, copy: string): Promise<SystemView | undefined> {
  const isRoot = process.getuid?.() === 0;
  const folders = isRoot ? [folder, "/dev"] : [folder];
  [...folders, tmpdir()].forEach(removeLeftOvers);
  const devices = isRoot ? makeOwnDevices(folders, copy) : undefined;
  return isRoot && !devices ? undefined : makeSystemView({ folder, devices, copy });
}

async function tryToView(folder: string): Promise<SystemView | Unusable> {
  const copy = findProgram("cp");
  if (copy === undefined) return { kind: "unusable", why: "The program cp is missing.", fix: "Install coreutils." };
  const rootless = "Run the gateway as an ordinary user.";
  const noDevices =
    "The gateway runs as root, and cannot make device files for sandboxes, neither in its folder for temporary files nor in /dev.";
  try {
    return (await viewOfSystem(folder, copy)) ?? { kind: "unusable", why: noDevices, fix: rootless };
  } catch (error) {
    const why = `Nothing can be made in ${folder} (${errnoOf(error) ?? "unknown reason"}).`;
    const fix = "Make that folder writable for the gateway's user, with space in it.";
    return { kind: "unusable", why, fix, mayPass: true };
  }
}

/** What is in memory is preferred, and may be full: containers have little of it. */
async function findFolder(given: string | undefined): Promise<Pick<Means, "system" | "folder"> | Unusable> {
  const [first, ...others] = given === undefined ? [...new Set([findParent(), tmpdir()])] : [given];
  const folder = first ?? tmpdir();
  const view = await tryToView(folder);
  if (!("kind" in view)) return { system: view, folder };
  for (const other of others) {
    const system = await tryToView(other);
    if (!("kind" in system)) return { system, folder: other };
  }
  return view;
}

export async function findMeans(machine: BubblewrapEnvironment): Promise<Means | Unusable> {
  const { platform, processor, places, mayUseControlGroups } = machine;
  const unusable = (why: string, fix: string) => ({ kind: "unusable", why, fix }) as const;
  if (platform !== "linux") return unusable("bubblewrap only exists for Linux.", "Use Docker or Podman here.");
  const filter = buildFilter(processor);
  if (!filter)
    return unusable(`There is no filter for processors of the kind ${processor}.`, "Use Docker or Podman here.");
  const noProc = whyNoProc();
  if (noProc) return noProc;
  const found = await findBubblewrap(places);
  if (found.kind === "missing") return unusable("bubblewrap is not installed.", INSTALL);
  if (found.kind === "silent") {
    return {
      ...unusable("bubblewrap is installed, and could not be asked for its version.", TRY_BY_HAND),
      mayPass: true,
    };
  }
  if (found.kind === "too old") {
    return unusable(`bubblewrap ${found.version} is too old.`, "Install version 0.5 or newer.");
  }
  const [mkfifo, bash, setsid] = [findProgram("mkfifo"), findProgram("bash"), findProgram("setsid")];
  if (mkfifo === undefined) return unusable("The program mkfifo is missing.", "Install coreutils.");
  const shell = bash
    ? { commandLine: "/bin/bash --norc", hasJobControl: true }
    : { commandLine: "/bin/sh", hasJobControl: false, ...(setsid ? { setsid } : {}) };
  const [ground, landlock] = await Promise.all([findFolder(machine.folder), machine.findLandlock()]);
  if ("kind" in ground) return ground;
  return {
    program: found.program,
    filter,
    ...ground,
    shell,
    mkfifo,
    landlock,
    hasStrayFiles: hasStrayFiles(),
    mayUseControlGroups,
  };
}

/** What bubblewrap says is for those who know it; the usual causes are few. */
export function explainFailure(said: string): Unusable {
  const isForbidden = /user namespace|uid map|No permissions to create|Operation not permitted|Permission denied/i.test(
    said,
  );
  const isAppArmor = readOr("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").trim() === "1";
  if (isForbidden && isAppArmor) {
    return {
      kind: "unusable",
      why: `AppArmor forbids user namespaces on this machine (${said.trim()}).`,
      fix: "Allow them for bubblewrap with an AppArmor profile for /usr/bin/bwrap, or set the sysctl kernel.apparmor_restrict_unprivileged_userns to 0.",
    };
  }
  if (isForbidden) {
    return {
      kind: "unusable",
      why: `This machine forbids user namespaces (${said.trim()}).`,
      fix: "Set the sysctl kernel.unprivileged_userns_clone to 1 and user.max_user_namespaces above 0. In a container, run the gateway with Docker's sandbox backend instead.",
    };
  }
  // What is not known to be a rule of this machine is taken for what may be over in a moment.
  return { kind: "unusable", why: `A sandbox could not be set up: ${said.trim()}`, fix: TRY_BY_HAND, mayPass: true };
}

/** What is weaker here than it could be, or not used. */
export function notesOn({ program, shell, landlock }: Means, hasControlGroup: boolean): string[] {
  return [
    ...(program.hasDisableUserns
      ? []
      : ["This version of bubblewrap cannot forbid further user namespaces; the filter does."]),
    ...(shell.hasJobControl ? [] : ["bash is missing: the standing shell is sh."]),
    ...(hasControlGroup
      ? []
      : [
          "Control groups cannot be used: memory and processes are counted by the gateway. A service needs Delegate=yes.",
        ]),
    ...noteOnLandlock(landlock),
  ];
}

function noteOnLandlock(landlock: Landlock): string[] {
  if (landlock.kind === "unused") return [landlock.why];
  return landlock.isPartial ? ["Landlock is a second wall here, with gaps that kernels since 6.10 do not have."] : [];
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
