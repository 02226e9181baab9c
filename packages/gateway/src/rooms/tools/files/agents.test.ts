// What a file tool may reach beyond its workspace when it is let out, and what stays closed even then.
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callsOn, createYard, SECRET, type Yard } from "./files.test-support.ts";
import type { FileSettings } from "./file-tools.ts";

/** A state directory with the workspaces of two agents in it, as it is by default. */
let yard: Yard;
let state: string;
let mine: string;
let theirs: string;
let settings: FileSettings;

beforeEach(() => {
  yard = createYard();
  state = join(yard.root, "state");
  [mine, theirs] = [join(state, "workspace"), join(state, "workspace-other")];
  for (const directory of [mine, theirs, join(state, "credentials")]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(mine, "own.txt"), "mine\n");
  writeFileSync(join(theirs, "secret.txt"), SECRET);
  writeFileSync(join(state, "openclaw.json"), SECRET);
  writeFileSync(join(state, "credentials", "key.json"), SECRET);
  writeFileSync(join(yard.outside, "free.txt"), "free\n");
  symlinkSync(theirs, join(mine, "their-link"));
  symlinkSync(join(state, "openclaw.json"), join(yard.outside, "config-link"));
  symlinkSync(state, join(yard.outside, "state-link"));
  settings = { workspaceOnly: false, forbidden: [state, theirs], applyPatch: { workspaceOnly: false } };
});
afterEach(() => yard[Symbol.dispose]());

const closed: readonly [string, () => string][] = [
  ["the configuration", () => join(state, "openclaw.json")],
  ["a credential", () => join(state, "credentials/key.json")],
  ["a new file in the state directory", () => join(state, "new.json")],
  ["new directories in the state directory", () => join(state, "new/er/file.json")],
  ["the state directory", () => state],
  ["another agent's file", () => join(theirs, "secret.txt")],
  ["another agent's file, relative", () => "../workspace-other/secret.txt"],
  ["another agent's file through a link", () => "their-link/secret.txt"],
  ["a new file of another agent through a link", () => "their-link/new.txt"],
  ["the configuration through a link", () => join(yard.outside, "config-link")],
  ["the state directory through a link", () => join(yard.outside, "state-link/credentials/key.json")],
  ["the way through the own workspace", () => `${mine}/../openclaw.json`],
  ["a file as a directory in the state directory", () => join(state, "openclaw.json/x")],
  ["own environment", () => "/proc/self/environ"],
  ["the root through /proc", () => `/proc/self/root${join(state, "openclaw.json")}`],
  ["a device", () => "/dev/null"],
  ["the kernel", () => "/sys/kernel/notes"],
];

test.each(closed)("%s stays closed to an agent that is let out", async (_name, path) => {
  const before = yard.picture(yard.root);
  for (const [tool, args] of callsOn(path())) {
    const result = await yard.call(tool, args, { settings, workspace: mine });
    expect(result, `${tool} ${JSON.stringify(args)}`).toMatchObject({ kind: "failed" });
    expect(result.text).not.toContain(SECRET.trim());
    if (tool !== "apply_patch") expect(result.text).toMatch(/belongs to (the gateway|the operating system)/);
  }
  expect(yard.picture(yard.root)).toEqual(before);
});

test.each(closed)("%s stays closed to an agent that is confined", async (_name, path) => {
  const before = yard.picture(yard.root);
  for (const [tool, args] of callsOn(path())) {
    const result = await yard.call(tool, args, { settings: { forbidden: [state, theirs] }, workspace: mine });
    expect(result).toMatchObject({ kind: "failed" });
  }
  expect(yard.picture(yard.root)).toEqual(before);
});

test("the own workspace is open although the state directory around it is closed", async () => {
  for (const path of ["own.txt", join(mine, "own.txt"), join(yard.outside, "state-link/workspace/own.txt")]) {
    expect(await yard.call("read", { path }, { settings, workspace: mine }), path).toMatchObject({ text: "mine" });
  }
  await yard.call("write", { path: "new/file.txt", content: "new" }, { settings, workspace: mine });
  expect(readFileSync(join(mine, "new/file.txt"), "utf8")).toBe("new");
});

test("other places are open to an agent that is let out, and closed to one that is not", async () => {
  const path = join(yard.outside, "free.txt");
  expect(await yard.call("read", { path }, { settings, workspace: mine })).toMatchObject({ text: "free" });
  const edit = { path, oldText: "free", newText: "freed" };
  expect(await yard.call("edit", edit, { settings, workspace: mine })).toMatchObject({ kind: "done" });
  expect(readFileSync(path, "utf8")).toBe("freed\n");
  expect(await yard.call("read", { path }, { workspace: mine })).toMatchObject({ kind: "failed" });
});

test("patches stay in the workspace unless they are let out themselves", async () => {
  const free: FileSettings = { workspaceOnly: false, forbidden: [] };
  const [, add] = callsOn(join(yard.outside, "patched.txt")).at(-1) ?? [];
  expect(await yard.call("apply_patch", add, { settings: free, workspace: mine })).toMatchObject({ kind: "failed" });
  expect(await yard.call("apply_patch", add, { settings, workspace: mine })).toMatchObject({ kind: "done" });
});

test("a forbidden tree inside the workspace is closed, also under another name", async () => {
  const inner = join(mine, "inner");
  mkdirSync(inner);
  writeFileSync(join(inner, "secret.txt"), SECRET);
  symlinkSync("inner", join(mine, "alias"));
  for (const path of ["inner/secret.txt", "alias/secret.txt", "inner/new.txt"]) {
    for (const [tool, args] of callsOn(path)) {
      const result = await yard.call(tool, args, { settings: { forbidden: [inner] }, workspace: mine });
      expect(result, `${tool} ${path}`).toMatchObject({ kind: "failed" });
    }
  }
});

test("a forbidden tree that does not exist yet is closed", async () => {
  const later = join(mine, "later");
  const result = await yard.call(
    "write",
    { path: "later/a/b.txt", content: "x" },
    { settings: { forbidden: [later] }, workspace: mine },
  );
  expect(result.text).toContain("belongs to the gateway");
});

test("a forbidden tree is known after it was moved aside and linked back", async () => {
  renameSync(theirs, join(yard.outside, "moved"));
  symlinkSync(join(yard.outside, "moved"), theirs);
  const result = await yard.call(
    "read",
    { path: join(yard.outside, "moved/secret.txt") },
    { settings, workspace: mine },
  );
  expect(result).toMatchObject({ kind: "failed" });
});
