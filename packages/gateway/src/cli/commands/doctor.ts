// `chela doctor`: every check in one list, each with what to type next.
import type { CommandCall } from "@chela/sdk/command-line";
import type { NamedLine } from "../doctor/run-checks.ts";
import { formatTable } from "../../base/terminal/layout.ts";

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const isFixing = flags.has("fix") || flags.has("repair");
  const { runChecks } = await (await import("../run/gateway-entry.ts")).loadDoctor();
  const checks = await runChecks(call, isFixing);
  const ok = checks.every(({ state }) => state !== "fail");
  if (flags.has("json")) terminal.printJson({ ok, checks });
  else {
    for (const line of describe(checks, call)) terminal.print(line);
    terminal.print(summaryOf(checks));
  }
  return ok ? 0 : 1;
}

function describe(checks: readonly NamedLine[], { terminal: { style } }: CommandCall): string[] {
  const marks = { ok: style.green("ok"), warn: style.yellow("warn"), fail: style.red("fail") };
  return formatTable(
    checks.flatMap(({ name, state, says, fix }) => [
      [marks[state], name, says],
      ...(fix && state !== "ok" ? [["", "", `to fix: ${fix}`]] : []),
    ]),
  );
}

function summaryOf(checks: readonly NamedLine[]): string {
  const failed = checks.filter(({ state }) => state === "fail").length;
  const warned = checks.filter(({ state }) => state === "warn").length;
  if (failed > 0) return `${failed} of ${checks.length} checks failed.`;
  return warned > 0 ? `Nothing is broken; ${warned} to look at.` : "All is well.";
}
