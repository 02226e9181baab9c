// Watches the processes that this one starts: how they were called, and what is in their environment.
import { readdirSync, readFileSync } from "node:fs";

const LOOK_EVERY_MS = 10;

interface ChildWatch extends Disposable {
  /** Command lines, each with the environment. */
  readonly seen: ReadonlyMap<string, string>;
}

/** Short-lived children may be missed; what prints its own environment is looked at besides. */
export function watchChildren(): ChildWatch {
  const seen = new Map<string, string>();
  const look = (pid: string): void => {
    for (const child of childrenOf(pid)) {
      const called = read(`/proc/${child}/cmdline`);
      seen.set(called, read(`/proc/${child}/environ`));
      look(child);
    }
  };
  const timer = setInterval(() => look(String(process.pid)), LOOK_EVERY_MS);
  return { seen, [Symbol.dispose]: () => clearInterval(timer) };
}

function childrenOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean),
    );
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
