// Counts processes, memory and temporary files of a sandbox where no control group does: the one that takes too much is ended.
import { statfsSync } from "node:fs";
import type { Clock, SandboxProfile } from "@chela/sdk";
import type { Warden } from "../warden.ts";
import { OWN_PROCESSES } from "./control-group.ts";
import { findInnerProcesses, ownMemoryOf } from "./inner-processes.ts";

const BUSY_MS = 200;
/** What a command left running is looked at, too, only less often. */
const QUIET_MS = 2_000;

/** In memory, and each empty file costs the kernel some. */
const TEMPORARY = ["/tmp", "/var/tmp", "/home", "/dev/shm"];
const MOST_TEMPORARY = 100_000;

/** Ends by itself with the warden. */
export function watchLimits(warden: Warden, profile: Pick<SandboxProfile, "limits" | "disk">, clock: Clock): void {
  const { limits, disk } = profile;
  const mostFiles = disk?.files ?? MOST_TEMPORARY;
  const look = (): void => {
    if (warden.isGone) return;
    const processes = findInnerProcesses(warden.root).filter(({ isZombie }) => !isZombie);
    const memory = processes.reduce((sum, { pid }) => sum + ownMemoryOf(pid), 0);
    if (processes.length > limits.processes + OWN_PROCESSES)
      void warden.end(`it had more than ${limits.processes} processes`);
    else if (memory > limits.memoryBytes) void warden.end("its memory was used up");
    else if (countTemporary(processes.at(-1)?.pid) > mostFiles)
      void warden.end(`its temporary folders held more than ${mostFiles} files`);
    else clock.after(warden.isBusy ? BUSY_MS : QUIET_MS, look);
  };
  clock.after(BUSY_MS, look);
}

/** As one of those inside sees them; what cannot be looked at has ended. */
function countTemporary(pid: number | undefined): number {
  if (pid === undefined) return 0;
  return TEMPORARY.reduce((sum, folder) => sum + entriesOf(`/proc/${pid}/root${folder}`), 0);
}

function entriesOf(folder: string): number {
  try {
    const { files, ffree } = statfsSync(folder);
    return files - ffree;
  } catch {
    return 0;
  }
}
