// Landlock, the kernel's own rules for files: a second wall inside the first. A small launcher takes them on and becomes the shell.
import type { SandboxMount, SandboxProfile } from "@chela/sdk";
import { askProgram } from "./bubblewrap-program.ts";
import { PIPES_INSIDE, CHANNEL_INSIDE } from "./warden-script.ts";

export type Landlock =
  | { readonly kind: "used"; readonly launcher: string; readonly isPartial: boolean }
  /** One sentence for people. */
  | { readonly kind: "unused"; readonly why: string };

/** What a sandbox is started through; its words are ours alone, and none has a space. */
export interface Guard {
  readonly words: readonly string[];
  /** It is started through QUIET_FILE: errors go nowhere until the script brings them back. */
  readonly isQuiet: boolean;
  /** Seen inside, read-only. */
  readonly mount: SandboxMount;
}

const LAUNCHER_INSIDE = "/run/chela-landlock";
/** Settings of the kernel, and of other processes, are not among them. */
const WRITABLE = ["/tmp", "/var/tmp", "/home", "/dev", PIPES_INSIDE];
/** In the channel of a terminal. */
export const QUIET_FILE = "quiet";
/** An older kernel makes the launcher say so, which nobody at a terminal asked for. */
export const QUIET_TEXT = 'exec "$@" 2>/dev/null\n';

/** Tries it: a kernel may have it and not enforce it. */
export async function findLandlock(): Promise<Landlock> {
  const launcher = await findLauncher();
  if (launcher === undefined) {
    const name = "@deepseek-ai/node-addon-landlock-run";
    return { kind: "unused", why: `Landlock is not used as a second wall: the optional package ${name} is missing.` };
  }
  const said = await askProgram(launcher, "--probe");
  if (!said.includes("enforced"))
    return { kind: "unused", why: "Landlock is not used as a second wall: this kernel does not offer it." };
  return { kind: "used", launcher, isPartial: said.includes("partially") };
}

async function findLauncher(): Promise<string | undefined> {
  try {
    return (await import("@deepseek-ai/node-addon-landlock-run")).launcherPath();
  } catch {
    return undefined;
  }
}

/** Everything that is seen may be read. Where the profile's own folders may be written is said later. */
export function guardOf(landlock: Landlock, isForTerminal: boolean): Guard | undefined {
  if (landlock.kind === "unused") return undefined;
  const isQuiet = isForTerminal && landlock.isPartial;
  const quiet = isQuiet ? ["/bin/sh", `${CHANNEL_INSIDE}/${QUIET_FILE}`] : [];
  const rules = ["--ro", "/", ...WRITABLE.flatMap((path) => ["--rw", path])];
  return {
    isQuiet,
    words: [...quiet, LAUNCHER_INSIDE, ...rules],
    mount: { outside: landlock.launcher, inside: LAUNCHER_INSIDE, isWritable: false },
  };
}

/** As the inside calls them. */
export function writableFolders({ mounts }: Pick<SandboxProfile, "mounts">): string[] {
  return mounts.filter(({ isWritable }) => isWritable).map(({ inside }) => inside);
}
