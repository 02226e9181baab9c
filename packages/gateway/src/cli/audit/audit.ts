// `chela audit …`: shows, checks and copies the audit trail. A running gateway is asked; without one, the ledger is.
import { defined } from "@chela/sdk/base";
import { closeSync, createReadStream, existsSync, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { AuditQuery, AuditRecord } from "@chela/sdk";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { loadAuditCheck, readAuditKey, type AuditSource, type ExportReport } from "../../rooms/audit/room.ts";
import type { Ask } from "@chela/sdk/protocol";
import { auditFilter } from "./audit-filter.ts";
import { cleanForTerminal, count, formatTable } from "../../base/terminal/layout.ts";

type Page = MethodAnswer<"audit.list">;

const USUAL_LIMIT = 50;
const SHOWN_ACTOR = 36;
const SHOWN_TARGET = 60;

function asking(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  return call.gateway.askOrOffline(work);
}

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const filter = auditFilter(flags, Date.now());
  return asking(call, async (ask) => {
    const page = await ask("audit.list", { ...filter, limit: flags.number("limit") ?? USUAL_LIMIT });
    if (flags.has("json")) return terminal.printJson(page);
    for (const line of describe(page, call)) terminal.print(line);
  });
}

function describe({ records, hasMore, total }: Page, { terminal: { style } }: CommandCall): string[] {
  if (records.length === 0) return ["There are no such events."];
  const paint = { ok: style.green, denied: style.yellow, failed: style.red };
  const rows = records.map(({ at, actor, action, target, outcome }) => [
    new Date(at).toISOString().slice(0, 19).replace("T", " "),
    cut(actor, SHOWN_ACTOR),
    action,
    cut(target, SHOWN_TARGET),
    paint[outcome](outcome),
  ]);
  const head = ["TIME (UTC)", "ACTOR", "ACTION", "TARGET", "OUTCOME"].map((word) => style.dim(word));
  const more = hasMore ? [`${records.length} of ${total}. See more with --limit, everything with --json.`] : [];
  return [...formatTable([head, ...rows]), ...more];
}

/** Chosen by strangers now and then. */
function cut(text: string, most: number): string {
  const clean = cleanForTerminal(text).replaceAll(/\s+/g, " ");
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean;
}

export async function verify(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const against = flags.text("against");
  if (against !== undefined && !existsSync(against)) throw usageFailure(`There is no file ${against}.`);
  let isSound = false;
  const asked = await asking(call, async (ask) => {
    const report = await ask("audit.verify", {});
    const compared = against === undefined ? undefined : await compare(ask, against, call);
    isSound = report.ok && compared?.ok !== false;
    if (flags.has("json")) return terminal.printJson({ ...report, ...(compared ? { against: compared } : {}) });
    for (const line of [...describeCheck(report, call), ...(compared ? describeComparison(compared, call) : [])])
      terminal.print(line);
  });
  return asked === 0 && !isSound ? 1 : asked;
}

async function compare(ask: Ask, file: string, call: CommandCall): Promise<ExportReport> {
  const { compareExport } = await loadAuditCheck();
  const { openStateDirectory } = await import("../../rooms/config/state/legacy-state.ts");
  const key = readAuditKey(openStateDirectory(call.env, call.state).paths.stateDir);
  return compareExport(linesOf(file), sourceOf(ask), key);
}

/** Opened with the first line that is asked for: what is read before somebody listens would be lost. */
async function* linesOf(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });
}

/** The trail through its methods. */
function sourceOf(ask: Ask): AuditSource {
  const page = async ({ beforeSeq, afterSeq, ...query }: AuditQuery): Promise<Page> => {
    const params = { ...query, ...defined({ before: beforeSeq }) };
    return await ask("audit.list", { ...params, ...defined({ after: afterSeq }) });
  };
  return {
    audit: async (query) => (await page(query)).records as AuditRecord[],
    auditBase: async () => (await page({ limit: 1 })).base,
  };
}

function describeCheck(report: MethodAnswer<"audit.verify">, { terminal: { style } }: CommandCall): string[] {
  const { ok, checked, from, to, head, problems } = report;
  if (checked === 0 && ok) return ["The audit trail is empty."];
  const which = `${count(checked, "event")} (${from} to ${to})`;
  if (ok) return [style.green(`The audit trail is whole: ${which}.`), `Its last hash is ${head}`];
  return [
    style.red(`The audit trail is not as it was written: ${count(problems.length, "problem")} in ${which}.`),
    ...problems.map(({ says }) => `  ${cleanForTerminal(says)}`),
  ];
}

function describeComparison(
  { ok, same, gone, problems }: ExportReport,
  { terminal: { style } }: CommandCall,
): string[] {
  const left = gone > 0 ? ` ${count(gone, "event")} of it went since, as audit.retentionDays says.` : "";
  if (ok) return [style.green(`The file agrees with it: ${count(same, "event")} are the same.${left}`)];
  return [style.red("The file does not agree with it:"), ...problems.map(({ says }) => `  ${cleanForTerminal(says)}`)];
}

export async function exportTrail(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const filter = auditFilter(flags, Date.now());
  const to = flags.text("to");
  if (to !== undefined && existsSync(to)) throw usageFailure(`${to} exists already; choose another name.`);
  return asking(call, async (ask) => {
    const { readTrail } = await loadAuditCheck();
    const [last] = (await ask("audit.list", { limit: 1 })).records;
    const file = to === undefined ? undefined : openSync(to, "wx", 0o600);
    const write = (value: object): void => {
      const line = `${JSON.stringify(value)}\n`;
      if (file === undefined) terminal.write(line);
      else writeSync(file, line);
    };
    let written = 0;
    // Up to what is there now: the file ends with the hash of that.
    const until = { ...filter, ...(last ? { beforeSeq: last.seq + 1 } : {}) };
    for await (const page of readTrail(sourceOf(ask), until)) {
      for (const record of page) write(record);
      written += page.length;
    }
    const head = { seq: last?.seq ?? 0, hash: last?.hash ?? "0".repeat(64) };
    write({ head, count: written, exportedAt: Date.now() });
    if (file === undefined) return;
    closeSync(file);
    if (flags.has("json")) terminal.printJson({ path: to, count: written, head });
    else terminal.print(`Wrote ${count(written, "event")} to ${to}. Keep its last line: the hash is ${head.hash}`);
  });
}
