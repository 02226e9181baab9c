// Tells when one of some files may have changed. Directories are watched, because editors replace files instead of writing into them.
import { mkdirSync, realpathSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";
import type { Clock, Logger } from "@chela/sdk";

export interface FileWatch extends Disposable {
  /** Watches these files from now on. */
  follow(files: readonly string[]): void;
}

export interface FileWatchOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly debounceMs: () => number;
  readonly changed: () => void;
}

export function watchFiles(options: FileWatchOptions): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let names = new Set<string>();
  let cancel: (() => void) | undefined;

  const noticed = (name: string | null): void => {
    if (name !== null && !names.has(name)) return;
    cancel?.();
    cancel = options.clock.after(options.debounceMs(), () => {
      cancel = undefined;
      options.changed();
    });
  };

  const start = (directory: string): void => {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const watcher = watch(directory, { persistent: false }, (_event, name) => noticed(name));
      watcher.on("error", (error) =>
        options.log.warn("A directory can no longer be watched.", { directory, error: String(error) }),
      );
      watchers.set(directory, watcher);
    } catch (error) {
      options.log.warn("A directory cannot be watched; changes there need a restart.", {
        directory,
        error: String(error),
      });
    }
  };

  return {
    follow(files) {
      const all = files.flatMap(withTarget);
      names = new Set(all.map((file) => basename(file)));
      const wanted = new Set(all.map((file) => dirname(file)));
      for (const [directory, watcher] of watchers) {
        if (wanted.has(directory)) continue;
        watcher.close();
        watchers.delete(directory);
      }
      for (const directory of wanted) if (!watchers.has(directory)) start(directory);
    },
    [Symbol.dispose]() {
      cancel?.();
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

/** A link and what it points to: either may change. */
function withTarget(file: string): string[] {
  try {
    return [...new Set([file, realpathSync(file)])];
  } catch {
    return [file];
  }
}
