// A state directory that lives as long as one test.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Logger } from "@chela/sdk";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { createConfigStore, resolveStatePaths, type ConfigStore, type StatePaths } from "./room.ts";

export interface TemporaryState extends Disposable {
  readonly home: string;
  readonly paths: StatePaths;
  readonly clock: FakeClock;
  /** Everything that was logged, as text. */
  readonly logged: string[];
  write(name: string, content: unknown): void;
  read(name: string): string;
  open(env?: Record<string, string>): ConfigStore;
}

/** `files` by name, relative to the state directory; values that are not texts are written as JSON. */
export function temporaryState(files: Record<string, unknown> = {}): TemporaryState {
  const home = mkdtempSync(join(tmpdir(), "chela-config-"));
  const paths = resolveStatePaths({ HOME: home });
  const clock = createFakeClock();
  const logged: string[] = [];
  const stores: ConfigStore[] = [];
  mkdirSync(paths.stateDir);
  const state: TemporaryState = {
    home,
    paths,
    clock,
    logged,
    write(name, content) {
      const path = join(paths.stateDir, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    },
    read: (name) => readFileSync(join(paths.stateDir, name), "utf8"),
    open(env = {}) {
      const store = createConfigStore({ paths, env, clock, log: collectingLog(logged), version: "1.2.3" });
      stores.push(store);
      return store;
    },
    [Symbol.dispose]() {
      for (const store of stores) store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  for (const [name, content] of Object.entries(files)) state.write(name, content);
  return state;
}

function collectingLog(lines: string[]): Logger {
  const log = (level: string, text: string, fields?: Record<string, unknown>): void => {
    lines.push(`${level} ${text} ${fields ? JSON.stringify(fields) : ""}`);
  };
  return {
    log,
    trace: (text, fields) => log("trace", text, fields),
    debug: (text, fields) => log("debug", text, fields),
    info: (text, fields) => log("info", text, fields),
    warn: (text, fields) => log("warn", text, fields),
    error: (text, fields) => log("error", text, fields),
    child: () => collectingLog(lines),
  };
}
