// What of a guarding file may be believed: what we wrote, and what was put there while no agent could have done it.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Logger } from "@chela/sdk";
import { createBelieved, type Believed } from "./believed.ts";

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chela-believed-"));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = {
  info: (text: string) => said.push(text),
  warn: (text: string) => said.push(text),
  error: (text: string) => said.push(text),
};
const open = (runsAgents = true): Believed => createBelieved({ folder, runsAgents, log: log as unknown as Logger });
const sift = (believed: Believed, ...items: string[]): string[] => [...believed.sift("list", items)];

test("the first time everything is believed, later what is known; what is taken away needs nobody's yes", () => {
  const gateway = open();
  expect(sift(gateway, "a", "b")).toEqual(["a", "b"]);
  expect(sift(gateway, "a", "b", "c")).toEqual(["a", "b"]);
  expect(said.join()).toContain("not in force");
  expect(sift(gateway, "a")).toEqual(["a"]);
  gateway.remember("list", ["a", "c"]);
  expect(sift(gateway, "a", "c")).toEqual(["a", "c"]);
  for (const name of ["guard.key", "guarded.json"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test("what was added while no gateway ran is believed, unless one refused it before", () => {
  const first = open();
  sift(first, "a");
  sift(first, "a", "evil");
  first.close();
  expect(sift(open(), "a", "by hand", "evil")).toEqual(["a", "by hand"]);
  expect(said.join()).toContain("while it did not run");
});

test("after a crash it is not: who knows what still ran", () => {
  sift(open(), "a");
  expect(sift(open(), "a", "evil")).toEqual(["a"]);
});

test("a command line beside a gateway writes what the gateway believes, and adopts nothing by itself", () => {
  const gateway = open();
  sift(gateway, "a");
  const line = open(false);
  expect(sift(line, "a", "evil")).toEqual(["a"]);
  line.remember("list", ["a", "approved"]);
  expect(sift(gateway, "a", "approved", "evil")).toEqual(["a", "approved"]);
});

test.each<[string, () => void]>([
  [
    "the record was changed",
    () => {
      const path = join(folder, "guarded.json");
      writeFileSync(path, readFileSync(path, "utf8").replace('"a"', '"evil"'));
    },
  ],
  ["the record is gone", () => rmSync(join(folder, "guarded.json"))],
  ["the key is gone", () => rmSync(join(folder, "guard.key"))],
  ["the key is another one", () => writeFileSync(join(folder, "guard.key"), "0".repeat(64))],
])("nothing is believed when %s, and that is said", (_name, spoil) => {
  const first = open();
  sift(first, "a");
  first.close();
  spoil();
  const next = open();
  expect(sift(next, "a", "evil")).toEqual([]);
  expect(said.join()).toContain("not known any more");
  next.remember("list", ["a"]);
  expect(sift(open(false), "a", "evil")).toEqual(["a"]);
});
