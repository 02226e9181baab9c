// Fills in which suites there are for each class of flaw, in the table of docs/SECURITY.md.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PAGE = join(root, "docs/SECURITY.md");
const ROW = /^\| (S-\d\d) +\| (.*?) *\|[^|]*\|$/gm;

export function writeSecurityPage(): void {
  const suites = globSync("packages/*/{src,test}/**/s-[0-9][0-9]-*.test.ts", { cwd: root }).sort();
  const page = readFileSync(PAGE, "utf8");
  const rows = [...page.matchAll(ROW)].map(([, id = "", words = ""]) => {
    const own = suites.filter((path) => basename(path).startsWith(`${id.toLowerCase()}-`));
    return {
      id,
      words,
      named: own.map((path) => `[${basename(path, ".test.ts")}](../${path})`).join(", ") || "none yet",
    };
  });
  const width = Math.max(...rows.map(({ words }) => words.length));
  const line = (id: string, words: string, named: string): string =>
    `| ${id.padEnd(5)} | ${words.padEnd(width)} | ${named} |`;
  const table = [
    line("class", "what must not happen", "suites"),
    `| ----- | ${"-".repeat(width)} | ------ |`,
    ...rows.map(({ id, words, named }) => line(id, words, named)),
  ].join("\n");
  writeFileSync(PAGE, page.replace(/^\| class \|[^]*$/m, `${table}\n`));
}
