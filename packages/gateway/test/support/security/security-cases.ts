// Counts how many cases each security suite tried, for the figures that are told about a release.
import { appendFileSync } from "node:fs";

/** Adds one line to the file that `CHELA_CASES_FILE` names; says nothing and does nothing without it. */
export function countCases(suite: string, cases: number): void {
  const file = process.env["CHELA_CASES_FILE"];
  if (file === undefined || file === "") return;
  appendFileSync(file, `${JSON.stringify({ suite, cases })}\n`);
}
