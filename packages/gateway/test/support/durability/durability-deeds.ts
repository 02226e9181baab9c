// Tool calls whose effects can be counted afterwards: each writes a file, or a line, that no other call writes.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCalls, type FinishedCall, type TranscriptFile } from "./durability-evidence.ts";
import type { PlannedCall } from "./durability-model.ts";
import type { Random } from "./durability-random.ts";

const KINDS = ["write", "write", "append", "append-slowly", "look"] as const;
/** Long enough for a torn file to be torn. */
const FILE_LINES = 2000;
const LINES_FILE = "lines.txt";

/** The steps of one turn, each with one or more calls. */
export function planDeeds(random: Random, question: string): PlannedCall[][] {
  return Array.from({ length: 1 + random.below(3) }, (_, step) =>
    Array.from({ length: 1 + random.below(3) }, (__, index) => {
      const mark = `${question}.${step}.${index}`;
      const kind = random.pick(KINDS);
      if (kind === "write") return writeDeed(mark);
      if (kind === "look") return { name: "session_status", arguments: {} };
      return appendDeed(mark, kind === "append" ? 0 : (20 + random.below(60)) / 1000);
    }),
  );
}

export function writeDeed(mark: string): PlannedCall {
  return { name: "write", arguments: { path: `${mark}.txt`, content: contentOf(mark) } };
}

export function appendDeed(mark: string, sleepSeconds = 0): PlannedCall {
  const sleep = sleepSeconds > 0 ? `sleep ${sleepSeconds}; ` : "";
  return { name: "exec", arguments: { command: `${sleep}echo ${mark} >> ${LINES_FILE}; echo appended` } };
}

export function wasInterrupted({ isError, result }: FinishedCall): boolean {
  return isError && result.includes("restarted while this tool ran");
}

export function linesIn(workspace: string): string[] {
  const path = join(workspace, LINES_FILE);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

/** Files that a write left behind before they got their name. */
export function leftoversIn(workspace: string): string[] {
  return readdirSync(workspace).filter((name) => name.endsWith(".tmp"));
}

/** Every planned call was made once, took effect once, or was interrupted and took effect at most once. */
export function findDeedFaults(
  workspace: string,
  planned: readonly PlannedCall[],
  transcripts: Iterable<TranscriptFile>,
): string[] {
  const lines = linesIn(workspace);
  const calls = Array.from(transcripts).flatMap(({ messages }) => readCalls(messages));
  const faults: string[] = [];
  const made = new Map<string, number>();
  for (const call of calls) {
    const sameAs = JSON.stringify([call.name, call.arguments]);
    made.set(sameAs, (made.get(sameAs) ?? 0) + 1);
    const fault = call.name === "write" ? writeFault(call, workspace) : call.name === "exec" && lineFault(call, lines);
    if (fault) faults.push(`${fault}: ${JSON.stringify(call.arguments).slice(0, 80)} → ${call.result.slice(0, 200)}`);
  }
  for (const { name, arguments: args } of planned.filter((call) => call.name !== "session_status")) {
    const times = made.get(JSON.stringify([name, args])) ?? 0;
    if (times !== 1) faults.push(`called ${times} times: ${JSON.stringify(args).slice(0, 80)}`);
  }
  return faults;
}

function contentOf(mark: string): string {
  return `${mark}\n`.repeat(FILE_LINES);
}

function writeFault(call: FinishedCall, workspace: string): string | undefined {
  const path = join(workspace, String(call.arguments["path"]));
  const content = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (content !== undefined && content !== call.arguments["content"]) return "the file is torn";
  if (wasInterrupted(call)) return undefined;
  if (content === undefined) return "the file is missing";
  return call.result.includes("was created") ? undefined : "the file was there before";
}

function lineFault(call: FinishedCall, lines: readonly string[]): string | undefined {
  const mark = /echo (\S+) >>/.exec(String(call.arguments["command"]))?.[1];
  const times = lines.filter((line) => line === mark).length;
  if (wasInterrupted(call)) return times > 1 ? `${times} lines of an interrupted command` : undefined;
  if (call.isError) return "the command failed";
  return times === 1 ? undefined : `${times} lines of one command`;
}
