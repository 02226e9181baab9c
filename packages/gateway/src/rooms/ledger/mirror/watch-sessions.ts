// Tells when a file in an agent's sessions directory may have changed, whoever did it.
import { mkdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@chela/sdk";
import { isAgentId, sessionsDirectory } from "./paths.ts";

export interface SessionsWatch extends Disposable {
  /** Watches the directory of this agent, too. */
  follow(agentId: string): void;
}

export interface WatchParts {
  readonly stateDir: string;
  readonly log: Logger;
  /** `file` is undefined when the system does not say which. */
  readonly changed: (agentId: string, file: string | undefined) => void;
}

export function watchSessions({ stateDir, log, changed }: WatchParts): SessionsWatch {
  const watchers = new Map<string, FSWatcher>();
  const open = (directory: string, noticed: (name: string | null) => void): void => {
    if (watchers.has(directory)) return;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const watcher = watch(directory, { persistent: false }, (_event, name) => noticed(name));
      watcher.on("error", () => {
        watcher.close();
        watchers.delete(directory);
      });
      watchers.set(directory, watcher);
    } catch (error) {
      // Changes of others are still seen before each write, before each turn and at the next start.
      log.debug("a directory of sessions cannot be watched", { directory, error: String(error) });
    }
  };
  const follow = (agentId: string): void => {
    const directory = sessionsDirectory(stateDir, agentId);
    if (directory !== undefined) open(directory, (name) => changed(agentId, name ?? undefined));
  };
  open(join(stateDir, "agents"), (name) => {
    if (name === null || !isAgentId(name)) return;
    follow(name);
    changed(name, undefined);
  });
  return {
    follow,
    [Symbol.dispose]() {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
