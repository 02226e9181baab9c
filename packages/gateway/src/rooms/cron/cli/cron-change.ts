// `chela cron add`, `edit`, `enable`, `disable`, `remove` and `run`: each says what it means, and when the job runs next.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { findJob, wishesOf, type ToldJob } from "./cron-job.ts";
import { cleanForTerminal } from "../../../base/terminal/layout.ts";

export function add(call: CommandCall): Promise<number> {
  const wishes = wishesOf(call.flags);
  if (!isRecord(wishes["schedule"])) {
    throw usageFailure('When? Write --at "tomorrow 9:00", --every 15m or --cron "30 7 * * 1-5".');
  }
  if (!isRecord(wishes["payload"])) throw usageFailure("What? Write --message, --system-event or --exec.");
  if (call.flags.has("disabled")) wishes["enabled"] = false;
  return call.gateway.ask(async (ask) => tellJob(call, "Added", await ask("cron.add", wishes)));
}

export function edit(call: CommandCall): Promise<number> {
  const patch = wishesOf(call.flags);
  if (call.flags.has("enable")) patch["enabled"] = true;
  if (call.flags.has("disable")) patch["enabled"] = false;
  if (Object.keys(patch).length === 0)
    throw usageFailure("What shall change? `chela cron edit --help` shows the flags.");
  return update(call, "Changed", patch);
}

export const enable = (call: CommandCall): Promise<number> => update(call, "Enabled", { enabled: true });
export const disable = (call: CommandCall): Promise<number> => update(call, "Disabled", { enabled: false });

function update(call: CommandCall, deed: string, patch: Readonly<Record<string, unknown>>): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { id } = await findJob(ask, call.args[0] ?? "");
    tellJob(call, deed, await ask("cron.update", { id, patch }));
  });
}

export function remove(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { id, name } = await findJob(ask, call.args[0] ?? "");
    tellResult(call, await ask("cron.remove", { id }), `Removed: ${cleanForTerminal(name)}.`);
  });
}

export function run(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { id, name } = await findJob(ask, call.args[0] ?? "");
    const mode = call.flags.has("due") ? "due" : "force";
    const result = await ask("cron.run", { id, mode });
    const why = result.reason === "not-due" ? "it is not due" : "it is running already";
    const began = `Begun: ${cleanForTerminal(name)}. \`chela cron runs ${id.slice(0, 8)}\` shows what comes of it.`;
    tellResult(call, result, result.ran ? began : `Not begun: ${why}.`);
  });
}

function tellJob(call: CommandCall, deed: string, job: ToldJob): void {
  const { flags, terminal } = call;
  if (flags.has("json")) return terminal.printJson(job);
  const { style } = terminal;
  terminal.print(`${deed}: ${cleanForTerminal(job.name)} (${job.id}), ${cleanForTerminal(job.says.schedule)}`);
  terminal.print(job.says.next ? `next: ${job.says.next}` : "It does not run by itself: it is disabled.");
  for (const note of job.notes ?? []) terminal.print(style.dim(cleanForTerminal(note)));
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
