// How many rows each table of a gateway's ledger has: for what must have left no trace.
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What is written about refusals is no trace of what was refused. */
const OF_ITSELF = ["audit"];

export function countRows(stateDir: string): Record<string, number> {
  const [path] = globSync("**/*.sqlite", { cwd: stateDir }).filter((name) => /ledger|chela/.test(name));
  if (path === undefined) throw new Error("there is no ledger");
  const database = new DatabaseSync(join(stateDir, path), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    return Object.fromEntries(
      tables
        .filter(({ name }) => !name.startsWith("sqlite_") && !OF_ITSELF.includes(name))
        .map(({ name }) => [name, Number(database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()?.["rows"])]),
    );
  } finally {
    database.close();
  }
}
