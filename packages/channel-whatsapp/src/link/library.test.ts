// Keys must not be printed, not even by the library that makes them.
import { createRequire } from "node:module";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { createLibraryLog } from "./library-log.ts";
import { loadLibrary } from "./library.ts";
import type { Logger } from "@chela/sdk";

it("a session of the encryption shows none of its keys when it is printed", async () => {
  await loadLibrary();
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve("baileys"));
  const { SessionRecord } = fromLibrary("libsignal") as { SessionRecord: { createEntry(): object } };
  const session = Object.assign(SessionRecord.createEntry(), { rootKey: "top-secret" });
  expect(inspect(session)).toBe("(keys not shown)");
});

it("the library's log keeps the words and drops the values", () => {
  const said: unknown[][] = [];
  const log: Logger = {
    log() {},
    trace() {},
    debug: (...values) => void said.push(values),
    info() {},
    warn() {},
    error() {},
    child: () => log,
  };
  const libraryLog = createLibraryLog(log).child({ class: "x" });
  libraryLog.error({ key: "top-secret" }, "it broke");
  libraryLog.warn("plain words");
  libraryLog.debug({ key: "top-secret" }, "details");
  expect(said).toEqual([["baileys: it broke"], ["baileys: plain words"]]);
});
