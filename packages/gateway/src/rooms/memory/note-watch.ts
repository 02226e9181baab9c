// Watches the folders in which notes lie, so that what a person writes there is found soon. A missed change is no harm:
// the next search looks at every file's time.
import { watch, type FSWatcher } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock, Logger } from "@chela/sdk";
import type { IndexSettings } from "@chela/memory";

export interface NoteWatchParts {
  readonly clock: Clock;
  readonly log: Logger;
  debounceMs(agentId: string): number;
  changed(agentId: string): void;
}

interface Followed {
  readonly places: string;
  readonly watchers: readonly FSWatcher[];
  cancel?: () => void;
}

/** In the workspace itself, where everything else of an agent lies, too. */
const OWN_NOTES = new Set(["MEMORY.md", "memory.md", "memory"]);

export class NoteWatch {
  readonly #parts: NoteWatchParts;
  readonly #followed = new Map<string, Followed>();

  constructor(parts: NoteWatchParts) {
    this.#parts = parts;
  }

  follow(agentId: string, settings: IndexSettings): void {
    const places = JSON.stringify([settings.workspace, settings.extraPaths]);
    if (this.#followed.get(agentId)?.places === places) return;
    this.#leave(agentId);
    const hear = (): void => this.#hear(agentId);
    const { workspace, extraPaths } = settings;
    const watchers = [
      this.#open(workspace, (name) => OWN_NOTES.has(name) && hear()),
      this.#open(join(workspace, "memory"), (name) => isNote(name) && hear()),
      ...extraPaths.map((path) =>
        this.#open(/\.\w+$/.test(path) ? dirname(path) : path, (name) => isNote(name) && hear()),
      ),
    ];
    this.#followed.set(agentId, { places, watchers: watchers.filter((one) => one !== undefined) });
  }

  refresh(settingsOf: (agentId: string) => IndexSettings | undefined): void {
    for (const agentId of this.#followed.keys()) {
      const settings = settingsOf(agentId);
      if (settings) this.follow(agentId, settings);
      else this.#leave(agentId);
    }
  }

  close(): void {
    for (const agentId of this.#followed.keys()) this.#leave(agentId);
  }

  #open(folder: string, changed: (name: string) => void): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false, recursive: false }, (_event, name) => changed(String(name)));
      watcher.on("error", (error) => this.#parts.log.debug("notes are not watched", { folder, error: String(error) }));
      return watcher;
    } catch {
      // Not there yet: the search looks by itself.
      return undefined;
    }
  }

  #hear(agentId: string): void {
    const followed = this.#followed.get(agentId);
    if (!followed) return;
    followed.cancel?.();
    followed.cancel = this.#parts.clock.after(this.#parts.debounceMs(agentId), () => this.#parts.changed(agentId));
  }

  #leave(agentId: string): void {
    const followed = this.#followed.get(agentId);
    followed?.cancel?.();
    for (const watcher of followed?.watchers ?? []) watcher.close();
    this.#followed.delete(agentId);
  }
}

function isNote(name: string): boolean {
  return /\.(?:md|txt)$/i.test(name) || !name.includes(".");
}
