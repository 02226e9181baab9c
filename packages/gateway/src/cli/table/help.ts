// Help texts, made from the command table.
import { argumentShape, type CommandSpec, type FlagSpec, type Terminal } from "@chela/sdk/command-line";
import { COMMANDS, GLOBAL_FLAGS } from "./command-table.ts";
import { alignRows, wrapText } from "../../base/terminal/layout.ts";

export function helpText(path: readonly string[], { style, columns }: Terminal): string {
  const command = COMMANDS.find((one) => one.path.join(" ") === path.join(" "));
  const children = childrenOf(path);
  const blocks = [
    usageOf(path, command, children),
    ...(command ? [wrapText(`${command.summary}.`, columns)] : [INTRODUCTION]),
    ...(children.length > 0
      ? [
          block(
            style.bold("Commands"),
            children.map((child): [string, string] => [child.path.join(" "), child.summary]),
            columns,
          ),
        ]
      : []),
    ...(command?.args
      ? [
          block(
            style.bold("Arguments"),
            command.args.map((one): [string, string] => [argumentShape(one), one.help]),
            columns,
          ),
        ]
      : []),
    ...(command?.flags ? [block(style.bold("Flags"), command.flags.map(flagRow), columns)] : []),
    ...(command?.environment
      ? [
          block(
            style.bold("Environment"),
            command.environment.map(({ name, help }): [string, string] => [name, help]),
            columns,
          ),
        ]
      : []),
    block(style.bold("Flags of every command"), GLOBAL_FLAGS.map(flagRow), columns),
    ...(path.length === 0 ? [EXAMPLES] : []),
  ];
  return blocks.join("\n\n");
}

const INTRODUCTION = "Chela connects language models to the places where people already talk.";
const EXAMPLES = [
  "Begin with",
  "  chela gateway run        in one terminal,",
  "  chela chat               in another.",
  "",
  "`chela <command> --help` tells more about each command; `chela --version` prints the version.",
].join("\n");

export function childrenOf(path: readonly string[]): CommandSpec[] {
  return COMMANDS.filter(
    (one) => one.path.length === path.length + 1 && path.every((part, index) => one.path[index] === part),
  );
}

function usageOf(path: readonly string[], command: CommandSpec | undefined, children: readonly CommandSpec[]): string {
  const args = (command?.args ?? []).map(argumentShape);
  const sub = children.length > 0 ? [command?.load ? "[command]" : "<command>"] : [];
  return ["Usage: chela", ...path, ...sub, ...args, "[flags]"].join(" ");
}

function flagRow({ name, short, value, help, choices, preset, unused }: FlagSpec): [string, string] {
  const more = [
    ...(choices ? [choices.join(", ")] : []),
    ...(preset === undefined ? [] : [`default ${preset}`]),
    ...(unused === undefined ? [] : ["no effect yet"]),
  ];
  return [
    `${short ? `-${short}, ` : ""}--${name}${value ? ` <${value}>` : ""}`,
    more.length > 0 ? `${help} (${more.join("; ")})` : help,
  ];
}

function block(title: string, rows: ReadonlyArray<readonly [string, string]>, columns: number): string {
  return [title, ...alignRows(rows, columns)].join("\n");
}
