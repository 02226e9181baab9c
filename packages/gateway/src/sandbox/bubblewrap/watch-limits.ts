// Counts processes and memory of a sandbox where no control group does: the one that takes too much is ended.
import type { Clock, SandboxLimits } from "@chela/sdk";
import type { Warden } from "./warden.ts";
import { OWN_PROCESSES } from "./control-group.ts";
import { findInnerProcesses, ownMemoryOf } from "./inner-processes.ts";

const BUSY_MS = 200;
/** What a command left running is looked at, too, only less often. */
const QUIET_MS = 2_000;

/** Ends by itself with the warden. */
export function watchLimits(warden: Warden, limits: SandboxLimits, clock: Clock): void {
  const look = (): void => {
    if (warden.isGone) return;
    const processes = findInnerProcesses(warden.root).filter(({ isZombie }) => !isZombie);
    const memory = processes.reduce((sum, { pid }) => sum + ownMemoryOf(pid), 0);
    if (processes.length > limits.processes + OWN_PROCESSES)
      void warden.end(`it had more than ${limits.processes} processes`);
    else if (memory > limits.memoryBytes) void warden.end("its memory was used up");
    else clock.after(warden.isBusy ? BUSY_MS : QUIET_MS, look);
  };
  clock.after(BUSY_MS, look);
}
