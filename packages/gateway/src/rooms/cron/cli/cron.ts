// `chela cron list`, `status`, `next` and `runs`: what there is, what comes, and what came of it.
import { defined } from "@chela/sdk/base";
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { findJobId, type ToldJob } from "./cron-job.ts";
import { cleanForTerminal, count, formatAge, formatDuration, formatTable } from "../../../base/terminal/layout.ts";

type Style = CommandCall["terminal"]["style"];
type Run = MethodAnswer<"cron.runs">["entries"][number];

const NOTHING_RUNS = "No job runs by itself: cron.enabled is false, or OPENCLAW_SKIP_CRON is set.";
const SHOWN_ID = 8;
const USUAL_RUNS = 20;
const USUAL_NEXT = 5;

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const enabled = flags.has("all") ? "all" : "enabled";
    const listed = await ask("cron.list", { enabled, limit: 200 });
    if (flags.has("json")) return terminal.printJson(listed);
    if (listed.jobs.length === 0) {
      const all = await ask("cron.list", { enabled: "all", limit: 1 });
      const none = "There are no jobs. `chela cron add --help` shows how to make one.";
      return terminal.print(all.total === 0 ? none : "No job is enabled; --all shows the others.");
    }
    const { style } = terminal;
    const head = ["ID", "NAME", "SCHEDULE", "NEXT", "LAST", "DELIVERED"].map((word) => style.dim(word));
    for (const line of formatTable([head, ...listed.jobs.map((job) => rowOf(job, style))])) terminal.print(line);
    for (const job of listed.jobs) {
      const { lastError, lastRunStatus } = job.state;
      if (lastRunStatus === "error" && lastError) terminal.print(style.red(`${clean(job.name)}: ${clean(lastError)}`));
    }
    const { enabled: isOn } = await ask("cron.status");
    if (!isOn) terminal.print(style.red(NOTHING_RUNS));
    if (listed.hasMore) terminal.print(style.dim(`${listed.jobs.length} of ${listed.total}.`));
  });
}

function rowOf({ id, name, enabled, says, state }: ToldJob, style: Style): string[] {
  const status = state.lastRunStatus ?? state.lastStatus;
  const last = status === undefined ? "–" : `${status}, ${formatAge(Date.now() - (state.lastRunAtMs ?? 0))}`;
  const next = state.runningAtMs === undefined ? (says.next ?? "–") : "running";
  return [
    id.slice(0, SHOWN_ID),
    clean(name),
    clean(says.schedule),
    enabled ? next : "disabled",
    status === "error" ? style.red(last) : last,
    { delivered: "yes", "not-delivered": style.red("no"), unknown: "unknown", "not-requested": "–" }[
      state.lastDeliveryStatus ?? "not-requested"
    ],
  ];
}

export function status(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const found = await ask("cron.status");
    if (flags.has("json")) return terminal.printJson(found);
    terminal.print(found.enabled ? "Jobs run by themselves." : NOTHING_RUNS);
    const running = found.running > 0 ? `, ${found.running} running` : "";
    const next =
      found.nextWakeAtMs === null ? "" : `; the next is due in ${formatDuration(found.nextWakeAtMs - Date.now())}`;
    terminal.print(`${count(found.jobs, "job")}${running}${next}. Mirrored in ${found.storePath}`);
  });
}

export function next(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const limit = flags.number("count") ?? USUAL_NEXT;
    const found = await ask("cron.next", { limit });
    if (flags.has("json")) return terminal.printJson(found);
    if (found.runs.length === 0) return terminal.print("Nothing is planned.");
    for (const line of formatTable(found.runs.map(({ text, name }) => [text, clean(name)]))) terminal.print(line);
  });
}

export function runs(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const written = args[0] ?? flags.text("id");
    const wanted = flags.text("status");
    const found = await ask("cron.runs", {
      limit: flags.number("limit") ?? USUAL_RUNS,
      includeRunning: true,
      ...(written === undefined ? {} : { id: await findJobId(ask, written) }),
      ...defined({ status: wanted }),
    });
    if (flags.has("json")) return terminal.printJson(found);
    if (found.entries.length === 0) return terminal.print("Nothing has run.");
    const { style } = terminal;
    const head = ["WHEN", "JOB", "EXECUTED", "DELIVERED", "TOOK", "RESULT"].map((word) => style.dim(word));
    for (const line of formatTable([head, ...found.entries.map((run) => runRow(run, style))])) terminal.print(line);
  });
}

function runRow(run: Run, style: Style): string[] {
  const executed = run.executed ?? run.state;
  const result = (run.error ?? run.deliveryError ?? run.summary ?? "").replace(/\s+/g, " ");
  return [
    formatAge(Date.now() - (run.runAtMs ?? run.dueAtMs)),
    clean(`${run.jobName ?? run.jobId}${run.isAlert ? " (alert)" : ""}`),
    executed === "error" ? style.red(executed) : executed,
    run.deliveryStatus === "not-delivered"
      ? style.red("no")
      : run.delivered
        ? "yes"
        : run.deliveryStatus === undefined
          ? "…"
          : "–",
    run.durationMs === undefined ? "" : formatDuration(run.durationMs),
    clean(result).slice(0, 80),
  ];
}

function clean(text: string): string {
  return cleanForTerminal(text);
}
