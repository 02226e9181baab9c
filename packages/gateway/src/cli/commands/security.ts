// `chela security audit`: what is weak here, the worst first, each with its risk and what to type.
import { existsSync } from "node:fs";
import { GatewayError, type CronJob } from "@chela/sdk";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { gatewayPort, openStateDirectory, type StatePaths } from "../../rooms/config/room.ts";
import { openSecurityAudit } from "../../house/security/open-security-audit.ts";
import type { AuditReport, Finding, FixOutcome } from "../../rooms/security-audit/room.ts";
import { alignRows, cleanForTerminal, count } from "../../base/terminal/layout.ts";
import { openConfig } from "../offline/open-config.ts";
import { ledgerPath, readLedger } from "../offline/open-ledger.ts";
import { readRunningNote } from "../connect/running-file.ts";

export async function audit(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const deep = flags.has("deep");
  if (flags.has("yes") && !flags.has("fix")) throw usageFailure("--yes only means something together with --fix.");
  const security = openHere(call);
  const { fixes, report } = flags.has("fix")
    ? await security.fix({ yes: flags.has("yes"), deep })
    : { fixes: undefined, report: await security.audit({ deep }) };
  if (flags.has("json")) terminal.printJson({ ...report, ...(fixes ? { fixes } : {}) });
  else for (const line of [...describeFixes(fixes), ...describeReport(report, call)]) terminal.print(line);
  return report.ok ? 0 : 1;
}

function openHere(call: CommandCall) {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const config = openConfig(paths, call.env);
  return openSecurityAudit({
    config,
    paths,
    clock: systemClock,
    port: () => readRunningNote(paths.stateDir)?.port ?? gatewayPort(config.current(), config.effectiveEnv(), paths),
    jobs: async () => (await ifReadable(() => jobsIn(paths))) ?? [],
    sandbox: () => ifReadable(() => call.gateway.offline("sandbox.status")),
  });
}

async function jobsIn(paths: StatePaths): Promise<readonly CronJob[]> {
  return existsSync(ledgerPath(paths)) ? readLedger(paths, (ledger) => ledger.jobs()) : [];
}

/** Undefined when the ledger cannot be read, which is told by `chela doctor`. */
async function ifReadable<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return undefined;
  }
}

function describeFixes(fixes: readonly FixOutcome[] | undefined): string[] {
  if (!fixes) return [];
  if (fixes.length === 0) return ["Nothing that can be fixed by itself.", ""];
  return [...fixes.map(({ done, id, says }) => cleanForTerminal(`${done ? "done  " : "left  "} ${id}: ${says}`)), ""];
}

function describeReport({ findings, summary, notChecked }: AuditReport, call: CommandCall): string[] {
  const { critical, warning, info } = summary;
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(warning > 0 ? [count(warning, "warning")] : []),
    ...(info > 0 ? [`${info} to know`] : []),
  ];
  const fixable = findings.filter((finding) => finding.fixable).length;
  return [
    ...findings.flatMap((finding) => describeFinding(finding, call)),
    parts.length > 0 ? `${parts.join(", ")}.` : "Nothing weak was found.",
    ...(fixable > 0 && !call.flags.has("fix")
      ? [`${fixable} of them can be fixed with: chela security audit --fix`]
      : []),
    "",
    "Not checked:",
    ...notChecked.map((sentence) => `  ${sentence}`),
  ];
}

function describeFinding({ severity, title, risk, where, fix }: Finding, { terminal }: CommandCall): string[] {
  const { style, columns } = terminal;
  const mark = { critical: style.red("critical"), warning: style.yellow("warning"), info: style.dim("info") }[severity];
  const rows = [
    ["where", cleanForTerminal(where)],
    ["risk", cleanForTerminal(risk)],
  ] as const;
  // Whole, so that it can be copied.
  const remedy = `  fix    ${cleanForTerminal(fix)}`;
  return [`${mark}  ${cleanForTerminal(title)}`, ...alignRows(rows, columns), remedy, ""];
}
