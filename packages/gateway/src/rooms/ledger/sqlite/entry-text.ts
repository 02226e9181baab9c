// Encodes a session entry: what its prompt was made of is most of it, seldom new, and alike in many sessions.
import type { SessionEntry } from "@chela/sdk";
import type { Get, Write } from "./apply-change.ts";
import { isKept, keepOnce, readKept } from "./kept-once.ts";
import { isObject } from "@chela/sdk/base";

/** The long parts of the report: each tool, each file. */
const PARTS: ReadonlySet<string> = new Set(["tools", "injectedWorkspaceFiles"]);

/** The text of an entry, with keys in the places of these parts. */
export function writeEntry(write: Write, entry: SessionEntry): string {
  const report = entry.systemPromptReport;
  if (!isObject(report)) return JSON.stringify(entry);
  const fields = Object.entries(report).map(([name, value]) => {
    const isPart = PARTS.has(name) && typeof value === "object" && value !== null;
    return [name, isPart ? keepOnce(write, "prompt-part", value) : value];
  });
  return JSON.stringify({ ...entry, systemPromptReport: Object.fromEntries(fields) });
}

/** The entry with these parts in their places again. */
export function wholeEntry(entry: SessionEntry, get: Get): SessionEntry {
  const report = entry.systemPromptReport;
  if (!isObject(report)) return entry;
  const whole: Record<string, unknown> = { ...report };
  for (const name of PARTS) {
    const key = report[name];
    if (!isKept("prompt-part", key)) continue;
    const part = readKept(get, key);
    // Lost with a damaged page: the next turn makes a new report.
    if (part === undefined) return withoutReport(entry);
    whole[name] = part;
  }
  return { ...entry, systemPromptReport: whole };
}

function withoutReport({ systemPromptReport: _lost, ...entry }: SessionEntry): SessionEntry {
  return entry as SessionEntry;
}
