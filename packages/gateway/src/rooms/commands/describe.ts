// The table of commands for those who offer them in a menu: what may stand behind each, and whether it may be used. Pure.
import type { CommandCategory, CommandFlag, CommandRequester, CommandSettings, Who } from "@chela/sdk";
import { may } from "./authorise.ts";
import type { Command } from "./command.ts";
import { QUEUE_WORDS } from "./grammar.ts";

type DescribedArgument = {
  readonly name: string;
  readonly required?: true;
  readonly choices?: string[];
  /** It may also be something else than one of the choices. */
  readonly isOpen?: true;
};

/** A row, in the form it is told in. */
export type DescribedCommand = {
  readonly name: string;
  readonly aliases: string[];
  readonly says: string;
  readonly category: CommandCategory;
  readonly usage?: string;
  readonly arguments?: DescribedArgument[];
  readonly scope: Who;
  readonly allowed: boolean;
  /** The key under `commands` that switches it on. */
  readonly off?: CommandFlag;
  readonly inline?: true;
};

/** Words in a usage that stand for something; all others are written as they are. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["turns", "name", "id", "number", "path"]);
/** Choices of arguments that a usage only names. */
const KNOWN_CHOICES: Readonly<Record<string, readonly string[]>> = { "queue mode": QUEUE_WORDS };

export function describeCommands(
  table: readonly Command[],
  requester: CommandRequester,
  settings: CommandSettings,
): DescribedCommand[] {
  return table.map((command) => {
    const { name, aliases, help, category, usage, who, inline } = command;
    const permission = may(requester, command, settings);
    const args = argumentsOf(name, usage);
    return {
      name,
      aliases: [...aliases],
      says: help,
      category,
      ...(usage ? { usage } : {}),
      ...(args.length > 0 ? { arguments: args } : {}),
      scope: who,
      allowed: permission.kind === "allowed",
      ...(permission.kind === "off" ? { off: permission.flag } : {}),
      ...(inline ? { inline: true as const } : {}),
    };
  });
}

/** A usage is a row of `<needed>` and `[optional]` parts; `[a [b]]` are two of them. */
function argumentsOf(command: string, usage: string): DescribedArgument[] {
  const parts = usage.matchAll(/([<[])([^<>[\]]+(?:\[@[^\]]*\])?[^<>[\]]*)/g);
  return [...parts].map(([, bracket, words = ""]) => {
    const argument = readArgument(command, words.trim());
    return bracket === "<" ? { ...argument, required: true } : argument;
  });
}

function readArgument(command: string, words: string): DescribedArgument {
  const all = words.split("|");
  const known = KNOWN_CHOICES[`${command} ${words}`];
  if (all.length === 1) return { name: words.split(/[=:]/, 1)[0] ?? words, ...(known ? { choices: [...known] } : {}) };
  const choices = all.filter((word) => /^[a-z]/.test(word) && !PLACEHOLDERS.has(word.split("[", 1)[0] ?? ""));
  const others = all.filter((word) => !choices.includes(word)).map((word) => word.split("[", 1)[0] ?? "");
  return {
    name: others.length > 0 ? others.join(" or ") : "value",
    ...(choices.length > 0 ? { choices: choices.map((word) => word.split(" ", 1)[0] ?? word) } : {}),
    ...(choices.length > 0 && others.length > 0 ? { isOpen: true } : {}),
  };
}
