// The light end of plugins: while there are none, nothing of the room is loaded. Asked by whoever collects what is brought.
import { existsSync } from "node:fs";
import type { Contribution, Logger } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { lazy } from "../../base/lazy.ts";
import type { Plugins } from "./plugins.ts";

export interface PluginStarter {
  readonly room: () => Promise<Plugins>;
  /** What plugins bring now. The list is the same as long as nothing changes. */
  brought(): ReadonlyArray<Contribution<House>>;
  /** Called when that is another list; whoever changed it waits until it is in effect. */
  onChange(task: () => void | Promise<void>): () => void;
  /** Before the first turn. */
  prepare(): Promise<void>;
  /** The gateway is up. */
  start(): void;
  /** The configuration is another one. */
  configured(): void;
  close(): Promise<void>;
}

export interface StarterParts {
  readonly log: Logger;
  /** Folders and files in which plugins would lie. */
  places(): readonly string[];
  open(): Promise<Plugins>;
}

const NONE: ReadonlyArray<Contribution<House>> = [];

export function createPluginStarter({
  log,
  places,
  open,
}: StarterParts): PluginStarter & { broughtChanged(): Promise<void> } {
  const tasks = new Set<() => void | Promise<void>>();
  let opened: Plugins | undefined;
  let isUp = false;
  const room = lazy(async () => {
    const plugins = await open();
    opened = plugins;
    await plugins.open();
    if (isUp) plugins.up();
    return plugins;
  });
  const isWanted = (): boolean => room.known() !== undefined || places().some((path) => existsSync(path));
  const wake = async (): Promise<void> => {
    try {
      if (isWanted()) await (await room()).wake();
    } catch (error) {
      log.error("plugins could not be started", { error: String(error) });
    }
  };
  return {
    room,
    brought: () => opened?.brought ?? NONE,
    onChange(task) {
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    async broughtChanged() {
      const outcomes = await Promise.allSettled([...tasks].map(async (task) => task()));
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          log.error("what plugins bring could not be taken up", { error: String(outcome.reason) });
    },
    async prepare() {
      try {
        if (isWanted()) await room();
      } catch (error) {
        // The gateway runs without them, and whoever asks is told why.
        log.error("plugins could not be looked for", { error: String(error) });
      }
    },
    start() {
      isUp = true;
      opened?.up();
      void wake();
    },
    configured() {
      if (!isWanted()) return;
      void (async () => {
        try {
          await (await room()).apply();
          if (isUp) await wake();
        } catch (error) {
          log.error("plugins could not be looked for", { error: String(error) });
        }
      })();
    },
    async close() {
      await (await room.known()?.catch(() => undefined))?.close();
    },
  };
}
