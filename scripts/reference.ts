// Writes docs/reference/ from the schemas and tables the program itself uses. `--check` only tells what has drifted.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { referencePages } from "./reference-pages.ts";
import { writeSecurityPage } from "./security-page.ts";

const directory = join(dirname(fileURLToPath(import.meta.url)), "../docs/reference");

export async function driftedPages(): Promise<string[]> {
  const pages = await referencePages();
  const drifted = Object.entries(pages).flatMap(([name, text]) => (readPage(name) === text ? [] : [name]));
  return [...drifted, ...strayPages(pages)];
}

/** Pages of families that are gone. */
function strayPages(pages: Readonly<Record<string, string>>): string[] {
  return globSync("protocol/*", { cwd: directory }).filter((name) => pages[name] === undefined);
}

function readPage(name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch {
    return undefined;
  }
}

async function writePages(): Promise<void> {
  const pages = await referencePages();
  mkdirSync(join(directory, "protocol"), { recursive: true });
  for (const name of strayPages(pages)) rmSync(join(directory, name));
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(directory, name), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writePages();
  writeSecurityPage();
}
