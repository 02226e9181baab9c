// Who is kept in a sandbox.
import { expect, it } from "vitest";
import { whoIsKept } from "./kept.ts";

const ready = { kind: "ready" as const, version: "1", notes: [] };
const unusable = { kind: "unusable" as const, why: "", fix: "" };
const status = (isKeptByDefault: boolean, isReady: boolean) => ({
  isKeptByDefault,
  backends: [
    { id: "bubblewrap" as const, check: isReady ? ready : unusable },
    { id: "docker" as const, check: unusable },
  ],
  standing: [],
});
const group = (mode: string, agents: string[], isBroken = false) => ({ mode, agents, isBroken });

it("says one thing where all agents are alike", () => {
  expect(whoIsKept({}, status(true, true))).toEqual([group("non-main", ["main"])]);
  expect(whoIsKept({}, status(false, false))).toEqual([group("off", ["main"])]);
  const list = [{ id: "a" }, { id: "b", sandbox: { mode: "all" } }];
  const config = { agents: { defaults: { sandbox: { mode: "all" } }, list } };
  expect(whoIsKept(config, status(true, true))).toEqual([group("all", ["a", "b"])]);
});

it("tells agents apart that have settings of their own", () => {
  const list = [{ id: "a" }, { id: "b", sandbox: { mode: "all" } }, { id: "c", sandbox: { backend: "host" } }];
  expect(whoIsKept({ agents: { list } }, status(true, true))).toEqual([
    group("non-main", ["a"]),
    group("all", ["b"]),
    group("off", ["c"]),
  ]);
});

it("notices a sandbox that cannot be set up", () => {
  expect(whoIsKept({}, status(true, false))).toEqual([group("non-main", ["main"], true)]);
  const config = { agents: { defaults: { sandbox: { mode: "all", backend: "docker" } } } };
  expect(whoIsKept(config, status(true, true))).toEqual([group("all", ["main"], true)]);
});
