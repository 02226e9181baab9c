// `chela skills list | info | check`: what there is, and what is missing.
import { CommandFailure, type CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { cleanForTerminal, count, formatTable } from "../../../base/terminal/layout.ts";
import { tellResult } from "../../../base/terminal/tell-result.ts";

type Skill = MethodAnswer<"skills.status">["skills"][number];

const ofAgent = ({ flags }: CommandCall) => ({ agentId: flags.text("agent") });

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const status = await ask("skills.status", ofAgent(call));
    const skills = flags.has("eligible") ? status.skills.filter(({ eligible }) => eligible) : status.skills;
    if (flags.has("json")) return terminal.printJson({ ...status, skills });
    const head = ["SKILL", "STATE", "SOURCE", "DESCRIPTION"].map((name) => terminal.style.dim(name));
    const rows = skills.map(({ name, emoji, state, source, description }) => [
      clean([emoji, name].filter(Boolean).join(" ")),
      state,
      source.replace(/^openclaw-/, ""),
      clean(description).slice(0, 60),
    ]);
    const [first = "", ...lines] = formatTable([head, ...rows]);
    terminal.print(first);
    for (const [index, line] of lines.entries()) {
      terminal.print(line);
      if (flags.has("verbose")) for (const why of skills[index]?.why ?? []) terminal.print(`  ${clean(why)}`);
    }
    for (const { name, why } of status.blocked) terminal.print(`${clean(name)}: not used. ${clean(why)}`);
  });
}

export function info(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const { skills } = await ask("skills.status", ofAgent(call));
    const wanted = (args[0] ?? "").toLowerCase();
    const skill = skills.find(({ name, skillKey }) => [name.toLowerCase(), skillKey.toLowerCase()].includes(wanted));
    if (!skill)
      throw new CommandFailure("other", `There is no skill ${JSON.stringify(args[0] ?? "")}.`, {
        fix: "chela skills list shows which there are.",
      });
    if (flags.has("json")) return terminal.printJson(skill);
    terminal.print(clean([skill.emoji, skill.name].filter(Boolean).join(" ")));
    terminal.print(clean(skill.description));
    for (const line of formatTable(rowsOf(skill), "  ")) terminal.print(line);
  });
}

function rowsOf(skill: Skill): string[][] {
  const needs = Object.entries(skill.requirements).flatMap(([what, names]) =>
    names.length > 0 ? [`${what} ${names.join(", ")}`] : [],
  );
  const rows: Array<[string, string | undefined]> = [
    ["State", [skill.state, ...skill.why].join(". ")],
    ["Source", skill.source],
    ["Path", skill.filePath],
    ["Settings", `skills.entries.${skill.skillKey}`],
    ["Command", skill.command && `/${skill.command}`],
    ["Needs", needs.join("; ")],
    ["Key", skill.primaryEnv && `${skill.primaryEnv}, from skills.entries.${skill.skillKey}.apiKey`],
    ["Homepage", skill.homepage],
    ["Installed", skill.installed && [skill.installed.from, skill.installed.version].filter(Boolean).join(" ")],
    [
      "Installers",
      skill.install.map(({ id, label, command }) => `${id}: ${label}${command ? ` (${command})` : ""}`).join("; "),
    ],
    ["Odd", skill.warnings.join(" ")],
  ];
  return rows.flatMap(([what, text]) => (text ? [[what, clean(text)]] : []));
}

export function check(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const { skills, blocked } = await ask("skills.status", ofAgent(call));
    const eligible = skills.filter((skill) => skill.eligible).map(({ name }) => name);
    const notEligible = skills.filter((skill) => !skill.eligible).map(({ name, state, why }) => ({ name, state, why }));
    const lines = [
      `${eligible.length} of ${count(skills.length, "skill")} can be used.`,
      ...notEligible.map(({ name, why }) => `  ${clean(name)}: ${clean(why.join(" "))}`),
      ...blocked.map(({ name, why }) => `  ${clean(name)}: ${clean(why)}`),
    ];
    tellResult(call, { total: skills.length, eligible, notEligible, blocked }, lines.join("\n"));
  });
}

/** Names and texts of skills were written by whoever wrote the skill. */
export function clean(text: string): string {
  return cleanForTerminal(text.replaceAll(/\s+/g, " "));
}
