// Lays notes out as a person's folder of memory: single notes, and daily logs with a heading for each entry.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startRandom } from "./distractors.ts";

export interface Note {
  readonly id: string;
  readonly text: string;
  /** What a person put above it. */
  readonly heading?: string;
}

/** Where a note is, as a result of a search tells it. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

const SEED = 7;
/** One of so many notes is written into a daily log. */
const LOGGED = 3;
const ENTRIES_A_DAY = 6;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Names of files are numbers, and so are headings unless they are wanted: they answer nothing by themselves. */
export function writeNotes(workspace: string, notes: readonly Note[], hasHeadings = false): Map<string, Place> {
  mkdirSync(join(workspace, "memory"), { recursive: true });
  const places = new Map<string, Place>();
  const logged: Note[] = [];
  const random = startRandom(SEED);
  for (const [order, note] of notes.entries()) {
    if (random() < 1 / LOGGED) {
      logged.push(note);
      continue;
    }
    const path = `memory/${String(order).padStart(4, "0")}.md`;
    const above = hasHeadings && note.heading !== undefined ? `# ${note.heading}\n\n` : "";
    writeFileSync(join(workspace, path), `${above}${note.text}\n`);
    places.set(note.id, { path, line: above === "" ? 1 : 3 });
  }
  for (let from = 0; from < logged.length; from += ENTRIES_A_DAY) {
    const entries = logged.slice(from, from + ENTRIES_A_DAY);
    writeLog(workspace, from / ENTRIES_A_DAY, hasHeadings ? entries : entries.map(withoutHeading), places);
  }
  return places;
}

function withoutHeading({ id, text }: Note): Note {
  return { id, text };
}

function writeLog(workspace: string, day: number, notes: readonly Note[], places: Map<string, Place>): void {
  const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, "2024-01-01".length);
  const path = `memory/${date}.md`;
  const lines = [`# ${date}`];
  for (const [entry, note] of notes.entries()) {
    lines.push("", `## ${note.heading ?? `${String(8 + entry * 2).padStart(2, "0")}:${15 + entry}`}`);
    places.set(note.id, { path, line: lines.length + 1 });
    lines.push(...asBullet(note.text));
  }
  writeFileSync(join(workspace, path), `${lines.join("\n")}\n`);
}

/** The lines of it, those after the first indented. */
function asBullet(text: string): string[] {
  const [first = "", ...rest] = (text.startsWith("- ") ? text : `- ${text}`).split("\n");
  return [first, ...rest.map((line) => `  ${line}`)];
}
