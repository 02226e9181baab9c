// Where files lie tells how they came there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { installedAs } from "./installed-as.ts";

const home = mkdtempSync(join(tmpdir(), "chela-installed-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function folder(...parts: string[]): string {
  const path = join(home, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

it("knows a clone, a worktree, and what npm installed for all or for one project", () => {
  folder("clone", ".git");
  const dist = folder("clone", "packages", "gateway", "dist");
  expect(installedAs(dist)).toEqual({ kind: "clone", root: join(home, "clone") });
  writeFileSync(join(folder("worktree"), ".git"), "gitdir: elsewhere");
  expect(installedAs(folder("worktree", "src"))).toEqual({ kind: "clone", root: join(home, "worktree") });
  expect(installedAs(folder("lib", "node_modules", "chela", "dist"))).toEqual({ kind: "global" });
  writeFileSync(join(folder("project"), "package.json"), "{}");
  folder("project", ".git");
  const local = folder("project", "node_modules", "chela", "dist");
  expect(installedAs(local)).toEqual({ kind: "local", root: join(home, "project") });
});
