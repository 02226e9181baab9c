// Writes docs/reference/ from the schemas and tables the program itself uses. `--check` only tells what has drifted.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { referencePages } from "./reference-pages.ts";
import { writeSecurityPage } from "./security-page.ts";

const directory = join(dirname(fileURLToPath(import.meta.url)), "../docs/reference");

export async function driftedPages(): Promise<string[]> {
  const pages = await referencePages();
  return Object.entries(pages).flatMap(([name, text]) => (readPage(name) === text ? [] : [name]));
}

function readPage(name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch {
    return undefined;
  }
}

async function writePages(): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(await referencePages())) writeFileSync(join(directory, name), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writePages();
  writeSecurityPage();
}
