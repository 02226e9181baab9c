// Ends a terminal's sandbox that somebody else started from our command line.
import { readFileSync } from "node:fs";
import { findInnerProcesses } from "./inner-processes.ts";
import { CHANNEL_INSIDE } from "../warden-script.ts";

/** Its name is in the arguments of its bubblewrap process, which is below the gateway. */
export function endTerminal(id: string): void {
  const script = `${CHANNEL_INSIDE}/${id}`;
  for (const { pid } of findInnerProcesses(process.pid)) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (words.includes(script)) process.kill(pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }
}
