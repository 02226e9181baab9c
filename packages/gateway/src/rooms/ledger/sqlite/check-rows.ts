// Reads every row as the gateway would, and names those it could not use.
import type { DatabaseSync } from "node:sqlite";
import type { GatewayError } from "@chela/sdk";
import { readRows } from "@chela/sdk/rows";
import { ROW_CHECKS } from "./rows.ts";

export interface DamagedRows {
  readonly count: number;
  /** What is wrong with the first few. */
  readonly examples: readonly string[];
}

const MOST_EXAMPLES = 3;

export function findDamagedRows(database: DatabaseSync): DamagedRows {
  const examples: string[] = [];
  let count = 0;
  const note = ({ detail }: GatewayError): void => {
    count += 1;
    if (examples.length < MOST_EXAMPLES) examples.push(detail);
  };
  for (const [table, check] of Object.entries(ROW_CHECKS)) {
    for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) readRows([row], check, note);
  }
  return { count, examples };
}
