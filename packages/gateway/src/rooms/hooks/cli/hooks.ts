// `chela hooks …`: handlers on events. A running gateway is asked; without one, the files are read and changed here.
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import { cleanForTerminal, count, formatTable } from "../../../base/terminal/layout.ts";

type Hook = MethodAnswer<"hooks.list">["hooks"][number];

function asking(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  return call.gateway.askOrOffline(work);
}

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return asking(call, async (ask) => {
    const { hooks: all } = await ask("hooks.list");
    const hooks = flags.has("eligible") ? all.filter(({ eligible }) => eligible) : all;
    if (flags.has("json")) return terminal.printJson({ hooks });
    for (const line of describe(hooks, call)) terminal.print(line);
  });
}

function describe(hooks: readonly Hook[], { terminal, flags }: CommandCall): string[] {
  const { style } = terminal;
  const head = ["HOOK", "STATE", "SOURCE", "EVENTS"].map((name) => style.dim(name));
  const rows = hooks.map(({ name, emoji, state, source, events, lastError }) => [
    clean([emoji, name].filter(Boolean).join(" ")),
    lastError ? `${state}, failed` : state,
    source,
    events.join(", "),
  ]);
  const [first = "", ...lines] = formatTable([head, ...rows]);
  if (!flags.has("verbose")) return [first, ...lines];
  return [first, ...lines.flatMap((line, index) => [line, ...remarks(hooks[index])])];
}

function remarks(hook: Hook | undefined): string[] {
  if (!hook) return [];
  const { why, lastError } = hook;
  return [...(why ? [`  ${clean(why)}`] : []), ...(lastError ? [`  ${failure(lastError)}`] : [])];
}

function failure({ at, event, error }: NonNullable<Hook["lastError"]>): string {
  return `Failed at ${new Date(at).toISOString()} (${event}): ${clean(error)}`;
}

export function info(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return asking(call, async (ask) => {
    const { hook } = await ask("hooks.info", { name: args[0] ?? "" });
    if (flags.has("json")) return terminal.printJson(hook);
    const { name, emoji, description, source, path, homepage, events, unknownEvents, guard, requires } = hook;
    terminal.print(clean([emoji, name].filter(Boolean).join(" ")));
    if (description) terminal.print(clean(description));
    const needs = Object.entries(requires).map(([what, names]) => `${what} ${names.join(", ")}`);
    const rows: Array<[string, string | undefined]> = [
      ["State", hook.why ? `${hook.state}. ${hook.why}` : hook.state],
      ["Source", source],
      ["Path", path],
      ["Homepage", homepage],
      ["Events", events.join(", ")],
      ["Not known here", unknownEvents.join(", ")],
      ["Guard", guard ? "yes: what it cannot decide is refused" : undefined],
      ["Needs", needs.join("; ")],
      ["Last error", hook.lastError && failure(hook.lastError)],
    ];
    const told = rows.flatMap(([what, text]) => (text ? [[what, clean(text)]] : []));
    for (const line of formatTable(told, "  ")) terminal.print(line);
  });
}

export function check(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const result = await ask("hooks.check");
    const { total, eligible, notEligible } = result;
    const lines = [
      `${eligible.length} of ${count(total, "hook")} could run.`,
      ...notEligible.map(({ name, why }) => `  ${clean(name)}: ${clean(why)}`),
    ];
    tellResult(call, result, lines.join("\n"));
  });
}

export function enable(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const { hook } = await ask("hooks.enable", { name: call.args[0] ?? "" });
    const pinned = hook.source === "workspace" ? " When its files change, it has to be enabled again." : "";
    tellResult(call, hook, `Enabled ${clean(hook.name)}: it hears ${hook.events.join(", ")}.${pinned}`);
  });
}

export function disable(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const { hook } = await ask("hooks.disable", { name: call.args[0] ?? "" });
    tellResult(call, hook, `Disabled ${clean(hook.name)}.`);
  });
}

/** Names and texts of hooks were written by whoever wrote the hook. */
function clean(text: string): string {
  return cleanForTerminal(text.replace(/\s+/g, " "));
}
