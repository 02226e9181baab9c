// Stops the gateway of a state directory: the process that holds its lock is asked to end, and waited for.
import { CommandFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import { stateLockPath } from "../../base/locks/gateway-lock.ts";
import { isAlive } from "../../base/processes.ts";
import { inspectLock, type LockState } from "../../base/locks/holder.ts";

export type StopOutcome =
  | { readonly kind: "stopped"; readonly pid: number; readonly tookMs: number }
  | { readonly kind: "not-running" };

/** Longer than the gateway gives running answers to finish. */
const STOP_MS = 40_000;
const LOOK_EVERY_MS = 25;

export async function stopGateway(stateDir: string): Promise<StopOutcome> {
  const path = stateLockPath(stateDir);
  const found = inspectLock(path, systemClock);
  if (found.kind !== "held" || found.pid === undefined) return { kind: "not-running" };
  if (found.isElsewhere) {
    const why = `The gateway of ${stateDir} runs in another container or on another machine, as process ${found.pid} there.`;
    throw new CommandFailure("other", why, { fix: "Stop it there: nothing here can reach it." });
  }
  const started = performance.now();
  signal(found.pid);
  while (isSameHolder(inspectLock(path, systemClock), found)) {
    if (performance.now() - started > STOP_MS) {
      throw new CommandFailure("timeout", `The gateway (process ${found.pid}) still runs after ${STOP_MS / 1000} s.`, {
        fix: `It may be finishing a long answer. \`chela logs\` tells more; \`kill -9 ${found.pid}\` ends it at once, and nothing that was accepted is lost.`,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return { kind: "stopped", pid: found.pid, tookMs: Math.round(performance.now() - started) };
}

/** The lock goes before the process does: both must be gone before another gateway can count on the port. */
function isSameHolder(now: LockState, before: Extract<LockState, { kind: "held" }>): boolean {
  if (now.kind === "held" && now.pid === before.pid && now.since === before.since) return true;
  return before.pid !== undefined && isAlive(before.pid) && now.kind === "free";
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return;
    throw new CommandFailure(
      "other",
      `The gateway is process ${pid}, which this user may not stop (${errnoOf(error) ?? "unknown reason"}).`,
    );
  }
}
