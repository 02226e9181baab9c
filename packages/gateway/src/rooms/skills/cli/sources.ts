// `chela skills search | install | update | remove | verify | accept | new`: where skills come from, and what is in them.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { CommandFailure, type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { Ask, MethodAnswer } from "@chela/sdk/protocol";
import { confirm } from "../../../base/terminal/confirm.ts";
import { count, formatTable } from "../../../base/terminal/layout.ts";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { clean } from "./skills.ts";

type Placed = MethodAnswer<"skills.add">;
type Finding = Placed["offer"]["findings"][number];

export function search(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const found = await ask("skills.search", { query: args.join(" "), limit: flags.number("limit") ?? 20 });
    if (flags.has("json")) return terminal.printJson(found);
    if (found.results.length === 0) return terminal.print("Nothing was found.");
    const rows = found.results.map(({ slug, version, summary }) => [
      clean(slug),
      clean(version ?? ""),
      clean(summary ?? "").slice(0, 80),
    ]);
    for (const line of formatTable(rows)) terminal.print(line);
  });
}

export function install(call: CommandCall): Promise<number> {
  const { flags, args } = call;
  const program = flags.text("program");
  if (program !== undefined) return installProgram(call, program);
  const wanted = { spec: whole(args[0] ?? ""), version: flags.text("version"), as: flags.text("as") };
  return call.gateway.askOrOffline(async (ask) => {
    await place(call, (accept) => ask("skills.add", { ...wanted, accept }));
  });
}

/** What looks like a path is one of this machine's, seen from here. */
function whole(spec: string): string {
  const [place = "", inside] = spec.split(/#(?=[^#]*$)/);
  const isPath = /^\.{0,2}[/\\]|^\.\.?$/.test(place) || isAbsolute(place);
  return isPath ? `path:${resolve(place)}${inside ? `#${inside}` : ""}` : spec;
}

/** Shows what was found, asks, and goes on with exactly what was shown. */
async function place(call: CommandCall, send: (accept?: string) => Promise<Placed>): Promise<boolean> {
  const { flags, terminal } = call;
  let placed = await send();
  if (placed.outcome === "asks") {
    const { offer } = placed;
    // What programs read stays one piece of JSON.
    const say = (line: string): void => (flags.has("json") ? terminal.note(line) : terminal.print(line));
    say(`${clean(offer.name)}: ${clean(offer.description)}`);
    if (offer.changed.length > 0) say(`Files that differ: ${clean(offer.changed.join(", "))}`);
    for (const line of findingLines(offer.findings)) say(line);
    if (!flags.has("yes")) {
      if (!terminal.isInteractive) {
        if (flags.has("json")) terminal.printJson(placed);
        throw new CommandFailure("other", "It was not installed: somebody has to look at this first.", {
          fix: "Repeat it with --yes when you have.",
        });
      }
      if (!(await confirm(call, "Install it?", "Add --yes.")))
        throw new CommandFailure("other", "It was not installed.");
    }
    placed = await send(offer.digest);
  }
  const { outcome, offer, folder = "" } = placed;
  if (outcome === "asks")
    throw new CommandFailure("other", `${offer.name} is another one by now.`, {
      fix: "Try again, and look at it anew.",
    });
  const done =
    outcome === "current"
      ? `${clean(offer.name)} is as new as there is.`
      : `Installed ${clean(offer.name)} in ${folder}.`;
  const programs =
    offer.installers.length > 0 && outcome === "installed"
      ? ` It may need programs: chela skills info ${clean(offer.name)}`
      : "";
  tellResult(call, placed, `${done}${programs}`);
  return outcome === "installed";
}

function findingLines(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const lines = findings.map(({ severity, rule, says, file, line, text }) => {
    return `  ${severity}: ${says} (${rule})\n    ${clean(file)}:${line}  ${clean(text)}`;
  });
  return [`${count(findings.length, "place")} worth a look:`, ...lines];
}

/** The command is shown first, and run only on a yes. */
async function installProgram(call: CommandCall, installId: string): Promise<number> {
  const { flags, args, terminal } = call;
  const [name = ""] = args;
  const agentId = flags.text("agent");
  return call.gateway.askOrOffline(async (ask) => {
    const { skills } = await ask("skills.status", { agentId });
    const skill = skills.find((one) => one.name === name || one.skillKey === name);
    const option = skill?.install.find(({ id }) => id === installId);
    if (!option)
      throw usageFailure(`${name} has no installer ${installId} for this system.`, `chela skills info ${name}`);
    terminal.note(`This would be run: ${clean(option.command ?? option.label)}`);
    if (!flags.has("yes") && !(await confirm(call, "Run it?", "Add --yes.")))
      throw new CommandFailure("other", "Nothing was run.");
    const run = await ask("skills.install", { name, installId, agentId });
    if (!run.ok) throw new CommandFailure("other", clean(run.message), { fix: clean(run.stderr).slice(-500) });
    tellResult(call, run, clean(run.message));
  });
}

export function update(call: CommandCall): Promise<number> {
  const { flags, args } = call;
  const [name] = args;
  if (name === undefined && !flags.has("all")) throw usageFailure("Which skill?", "Name it, or add --all.");
  return call.gateway.askOrOffline(async (ask) => {
    const names = name === undefined ? await installedNames(ask) : [name];
    if (names.length === 0) return tellResult(call, { updated: [] }, "No skill was installed.");
    for (const one of names) await place(call, (accept) => ask("skills.upgrade", { name: one, accept }));
  });
}

async function installedNames(ask: Ask): Promise<string[]> {
  return (await ask("skills.verify", {})).skills.map(({ name }) => name);
}

export function remove(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const result = await ask("skills.remove", { name: call.args[0] ?? "" });
    tellResult(call, result, `Removed ${clean(result.removed)}.`);
  });
}

export function verify(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const result = await ask("skills.verify", args[0] === undefined ? {} : { name: args[0] });
    const changed = result.skills.filter(({ state }) => state === "changed");
    if (flags.has("json")) terminal.printJson(result);
    else if (result.skills.length === 0) terminal.print("No skill was installed.");
    else
      for (const { name, state, changed: files, findings } of result.skills) {
        terminal.print(`${clean(name)}: ${state}${files.length > 0 ? ` (${clean(files.join(", "))})` : ""}`);
        for (const line of findingLines(findings)) terminal.print(line);
      }
    if (changed.length > 0)
      throw new CommandFailure("other", `${count(changed.length, "skill")} not as installed.`, {
        fix: "chela skills accept <name> takes them as they are.",
      });
  });
}

export function accept(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const { skill } = await ask("skills.accept", { name: call.args[0] ?? "", agentId: call.flags.text("agent") });
    tellResult(
      call,
      skill,
      `${clean(skill.name)} is taken as it is. When its files change, it has to be accepted again.`,
    );
  });
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function create(call: CommandCall): Promise<number> {
  const [name = ""] = call.args;
  if (!NAME.test(name) || name.length > 64) {
    throw usageFailure(
      `${JSON.stringify(name)} cannot be its name.`,
      "Use small letters, digits and single hyphens, 64 at most.",
    );
  }
  return call.gateway.askOrOffline(async (ask) => {
    const { workspaceDir } = await ask("skills.status", { agentId: call.flags.text("agent") });
    const folder = join(workspaceDir, "skills", name);
    if (existsSync(folder)) throw new CommandFailure("other", `${folder} is there already.`);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "SKILL.md");
    writeFileSync(file, beginning(name));
    tellResult(
      call,
      { name, file },
      `Wrote ${file}. Say in it what the skill does and when it is used; agents see it with their next turn.`,
    );
  });
}

function beginning(name: string): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  return `---
name: ${name}
description: What this skill does, and when to use it, in the words people say.
---

# ${title}

1. The first step.
2. What comes next, and what to do when it goes wrong.
`;
}
