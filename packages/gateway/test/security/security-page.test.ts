// docs/SECURITY.md names every class of flaw once, and exactly the suites there are for it.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const CLASSES = Array.from({ length: 38 }, (_, index) => `S-${String(index + 1).padStart(2, "0")}`);

interface Row {
  readonly id: string;
  readonly words: string;
  /** Paths from the root of the repository. */
  readonly suites: readonly string[];
}

function readTable(): Row[] {
  const page = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| S-"));
  return rows.map((line) => {
    const [, id = "", words = "", suites = ""] = line.split("|").map((cell) => cell.trim());
    return { id, words, suites: [...suites.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path) };
  });
}

const SUITES = globSync("packages/*/{src,test}/**/s-[0-9][0-9]-*.test.ts", { cwd: ROOT }).sort();

function suitesOf(id: string): string[] {
  return SUITES.filter((path) => basename(path).startsWith(`${id.toLowerCase()}-`));
}

test("every class is there once, in order, and says what must not happen", () => {
  const rows = readTable();
  expect(rows.map(({ id }) => id)).toEqual(CLASSES);
  expect(rows.filter(({ words }) => words.length < 20)).toEqual([]);
});

test.each(CLASSES)("the suites of %s are those in the table; `npm run docs` writes it anew", (id) => {
  expect(readTable().find((row) => row.id === id)?.suites).toEqual(suitesOf(id));
});

test("each border is where the page says", () => {
  const page = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const [, borders = ""] = page.split("## The borders");
  const list = borders.split("## ")[0] ?? "";
  const places = [...list.matchAll(/^\d\. \*\*[^*]+\*\* \(([^)]+)\)/gm)].map(([, written = ""]) =>
    [...written.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
  );
  expect(places).toHaveLength(8);
  expect(places.flat().filter((path) => !existsSync(join(ROOT, "packages/gateway/src", path)))).toEqual([]);
});
