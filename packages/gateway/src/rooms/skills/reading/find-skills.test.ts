// Where skills are found, and what is not taken for one.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findSkills, isUnchanged, type SkillSource } from "./find-skills.ts";

const LIMITS = { maxCandidatesPerRoot: 300, maxSkillsLoadedPerSource: 200, maxSkillFileBytes: 1000 };
let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "skills-"))));
afterEach(() => rmSync(home, { recursive: true }));

function put(path: string, text = "---\ndescription: x\n---\n"): string {
  const file = join(home, path, "SKILL.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return dirname(file);
}

const find = (source: SkillSource = "openclaw-managed", limits = LIMITS) =>
  findSkills({ path: join(home, "skills"), source }, limits);
const namesOf = (all: ReadonlyArray<{ readonly name: string }>) => all.map(({ name }) => name);

test("grouped ones are found, six folders deep, and none inside another", () => {
  put("skills/one");
  put("skills/one/inside");
  put("skills/a/b/c/d/e/six");
  put("skills/a/b/c/d/e/f/seven");
  put("skills/.hidden/x");
  put("skills/node_modules/x");
  expect(namesOf(find().found)).toEqual(["six", "one"]);
});

test("a place that is not there holds nothing, and is looked at again when it appears", () => {
  const { found, stamps } = find();
  expect(found).toEqual([]);
  expect(isUnchanged(stamps)).toBe(true);
  put("skills/one");
  expect(isUnchanged(stamps)).toBe(false);
});

test("a new one, a changed one and one that is gone are noticed", () => {
  const folder = put("skills/group/one");
  const before = find();
  put("skills/group/two");
  expect(isUnchanged(before.stamps)).toBe(false);
  const after = find();
  put("skills/group/one", "---\ndescription: another\n---\n");
  expect(isUnchanged(after.stamps)).toBe(false);
  const third = find();
  expect(third.found[0]?.digest).not.toBe(after.found[0]?.digest);
  rmSync(folder, { recursive: true });
  expect(isUnchanged(third.stamps)).toBe(false);
});

describe("links", () => {
  test("of the owner's lead wherever they like; in a workspace they stay inside", () => {
    const elsewhere = put("elsewhere/linked");
    put("skills/here");
    symlinkSync(elsewhere, join(home, "skills", "linked"));
    symlinkSync(join(home, "skills", "here"), join(home, "skills", "again"));
    expect(namesOf(find("agents-skills-personal").found)).toContain("linked");
    const { found, blocked } = find("openclaw-workspace");
    expect(namesOf(found)).toHaveLength(1);
    expect(blocked).toMatchObject([{ name: "linked", reason: "escapes-root" }]);
  });

  test("in a circle end", () => {
    put("skills/one");
    symlinkSync(join(home, "skills"), join(home, "skills", "round"));
    expect(namesOf(find().found)).toEqual(["one"]);
  });

  test("a SKILL.md that is a link out of its folder is not read, wherever it lies", () => {
    writeFileSync(join(home, "secret"), "---\ndescription: a secret\n---\n");
    mkdirSync(join(home, "skills", "evil"), { recursive: true });
    symlinkSync(join(home, "secret"), join(home, "skills", "evil", "SKILL.md"));
    for (const source of ["openclaw-managed", "openclaw-workspace"] as const) {
      expect(find(source)).toMatchObject({ found: [], blocked: [{ reason: "escapes-root" }] });
    }
  });
});

test("what every user may write is not used", () => {
  chmodSync(put("skills/open"), 0o777);
  expect(find()).toMatchObject({ found: [], blocked: [{ name: "open", reason: "world-writable" }] });
});

test("limits", () => {
  for (let at = 0; at < 5; at += 1) put(`skills/s${at}`);
  put("skills/big", `---\ndescription: x\n---\n${"x".repeat(2000)}`);
  expect(find().blocked).toMatchObject([{ name: "big", reason: "too-large" }]);
  const few = find("openclaw-managed", { ...LIMITS, maxSkillsLoadedPerSource: 2 });
  expect(few.found).toHaveLength(2);
  expect(few.blocked.filter(({ reason }) => reason === "limit")).toHaveLength(3);
  expect(find("openclaw-managed", { ...LIMITS, maxCandidatesPerRoot: 3 }).found).toHaveLength(2);
});
