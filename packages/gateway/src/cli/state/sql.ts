// `chela sql`: questions to the ledger in SQL, answered beside a running gateway or without one.
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { openStateDirectory } from "../../rooms/config/room.ts";
import { queryLedger, VIEWS, type QueryAnswer, type QueryValue } from "../../rooms/ledger/room.ts";
import { alignRows, cleanForTerminal, count, formatTable } from "../../base/terminal/layout.ts";
import { ledgerPath } from "../offline/open-ledger.ts";

type Answered = Extract<QueryAnswer, { kind: "answered" }>;

const USUAL_ROWS = 1_000;
const MOST_ROWS = 1_000_000;
const USUAL_MS = 30_000;
const MOST_MS = 3_600_000;
/** Long texts are for --json and --csv. */
const CELL_CHARS = 80;

export async function run(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const [sql = ""] = args;
  if (flags.has("csv") && flags.has("json")) throw usageFailure("Say one of --json and --csv.");
  if (sql.trim() === "") return describeViews(call);
  const answer = await ask(call, sql);
  if (flags.has("json")) terminal.printJson(asObjects(answer));
  else for (const line of flags.has("csv") ? asCsv(answer) : asTable(answer, call)) terminal.print(line);
  if (answer.hasMore) terminal.note(`There is more than ${count(answer.rows.length, "row")}; --limit shows more.`);
  return 0;
}

async function ask(call: CommandCall, sql: string): Promise<Answered> {
  const { paths } = openStateDirectory(call.env, call.state);
  const path = ledgerPath(paths);
  if (!existsSync(path)) {
    throw new CommandFailure("other", `There is no ledger in ${paths.stateDir} yet.`, {
      fix: "The first start of the gateway makes it: chela gateway run",
    });
  }
  const most = between(1, call.flags.number("limit") ?? USUAL_ROWS, MOST_ROWS);
  const stopWatching = watchTime(between(100, call.flags.number("timeout") ?? USUAL_MS, MOST_MS));
  const answer = queryLedger(path, sql, most);
  await stopWatching();
  if (answer.kind === "answered") return answer;
  throw new CommandFailure("usage", `That cannot be answered: ${answer.why}.`);
}

/**
 * A question keeps this whole process busy and cannot be interrupted. So another thread ends the process, which has
 * nothing to lose: it only reads.
 */
function watchTime(ms: number): () => Promise<unknown> {
  const program = `
    const { workerData } = require("node:worker_threads");
    const { writeSync } = require("node:fs");
    setTimeout(() => {
      writeSync(2, "The question took longer than " + workerData / 1000 + " s and was ended. Ask for less, or allow more with --timeout.\\n");
      process.kill(process.pid, "SIGKILL");
    }, workerData);
  `;
  const worker = new Worker(program, { eval: true, workerData: ms });
  worker.unref();
  return () => worker.terminate();
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, value), most);
}

function describeViews({ flags, terminal }: CommandCall): number {
  if (flags.has("json")) {
    const shown = VIEWS.map(({ name, says, columns }) => ({
      name,
      says,
      columns: columns.map((column) => ({ name: column.name, type: column.type, says: column.says })),
    }));
    terminal.printJson(shown);
    return 0;
  }
  for (const { name, says, columns } of VIEWS) {
    terminal.print(`${terminal.style.bold(name)}  ${says}`);
    const rows = columns.map((column): [string, string] => [column.name, `${column.type}  ${column.says}`]);
    for (const line of alignRows(rows, terminal.columns)) terminal.print(line);
    terminal.print("");
  }
  terminal.print('For example: chela sql "select model, sum(cost) from costs group by model"');
  return 0;
}

function asObjects({ columns, rows }: Answered): Record<string, QueryValue>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
}

function asTable({ columns, rows }: Answered, { terminal: { style } }: CommandCall): string[] {
  if (rows.length === 0) return [style.dim("No rows.")];
  const cells = rows.map((row) => row.map((value) => cut(clean(value).replace(/\s+/g, " "))));
  return formatTable([columns.map((name) => style.dim(clean(name))), ...cells]);
}

function asCsv({ columns, rows }: Answered): string[] {
  return [columns, ...rows].map((row) => row.map((value) => quoteCsv(clean(value))).join(","));
}

function quoteCsv(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whatever others wrote, nothing of it steers the terminal or turns lines around. */
function clean(value: QueryValue): string {
  return value === null ? "" : cleanForTerminal(String(value)).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

function cut(text: string): string {
  return text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS - 1)}…` : text;
}
