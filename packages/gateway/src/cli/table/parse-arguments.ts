// Words → a command and its values. Whatever does not fit is told in one line, with the nearest thing that would.
import { parseArgs } from "node:util";
import {
  argumentShape,
  type CommandFailure,
  type CommandSpec,
  type FlagSpec,
  type FlagValues,
  usageFailure,
} from "@chela/sdk/command-line";
import { redactSecrets } from "@chela/sdk/base";
import { nearestWord } from "../../base/text/nearest.ts";

export type Parsed =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly path: readonly string[] }
  | {
      readonly kind: "run";
      readonly command: CommandSpec;
      readonly args: readonly string[];
      readonly flags: FlagValues;
      /** Notes about flags that do nothing. */
      readonly notes: readonly string[];
    };

export interface CommandSet {
  readonly commands: readonly CommandSpec[];
  readonly globals: readonly FlagSpec[];
}

export function parseCommandLine(words: readonly string[], set: CommandSet): Parsed {
  const { path, rest } = splitPath(words, set);
  const [first] = rest.filter((word) => word.startsWith("-"));
  if (path.length === 0 && (first === "--version" || first === "-v" || first === "-V")) return { kind: "version" };
  if (rest[0] === "help" && path.length === 0) return helpFor(rest.slice(1), set);
  return parseCommand(path, rest, set);
}

/** Takes the words of the command from the front; global flags may stand between them. */
function splitPath(words: readonly string[], set: CommandSet): { path: string[]; rest: string[] } {
  const path: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const flag = set.globals.find(({ name }) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (flag) {
      rest.push(word);
      if (flag.value && !word.includes("=")) rest.push(words[++index] ?? "");
    } else if (!word.startsWith("-") && find(set, [...path, word])) path.push(word);
    else return { path, rest: [...rest, ...words.slice(index)] };
  }
  return { path, rest };
}

function parseCommand(path: readonly string[], rest: readonly string[], set: CommandSet): Parsed {
  const command = find(set, path);
  const flags = [...(command?.flags ?? []), ...set.globals];
  const { tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(
      flags.map(({ name, short, value }) => [
        name,
        { type: value ? ("string" as const) : ("boolean" as const), ...(short ? { short } : {}) },
      ]),
    ),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const values = new Map<string, string[]>();
  const args: string[] = [];
  const wantsHelp = tokens.some((token) => token.kind === "option" && token.name === "help");
  if (wantsHelp || (!command && args.length === 0 && tokens.every(({ kind }) => kind !== "positional"))) {
    const [word] = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
    if (word !== undefined && find(set, [...path, word])) {
      return parseCommand([...path, word], rest.toSpliced(rest.indexOf(word), 1), set);
    }
    if (word !== undefined && !command?.load) throw unknownCommand(path, word, set);
    refuseUnknownFlags(tokens, flags, path);
    return { kind: "help", path };
  }
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(token.rawName, flags, path);
    const told = values.get(flag.name) ?? [];
    values.set(flag.name, flag.repeats ? [...told, valueOf(flag, token, flags)] : [valueOf(flag, token, flags)]);
  }
  const [word] = args;
  if (word !== undefined && find(set, [...path, word])) {
    return parseCommand([...path, word], rest.toSpliced(rest.indexOf(word), 1), set);
  }
  if (!command || (word !== undefined && !command.args)) throw unknownCommand(path, word ?? "", set);
  if (!command.load) {
    if (word !== undefined) throw unknownCommand(path, word, set);
    return { kind: "help", path };
  }
  checkArguments(command, args);
  const notes = flags.flatMap(({ name, unused }) => (unused && values.has(name) ? [unused] : []));
  return { kind: "run", command, args, flags: toFlagValues(values), notes };
}

type Token = ReturnType<typeof parseArgs<{ tokens: true; strict: false }>>["tokens"][number];
type OptionToken = Extract<Token, { kind: "option" }>;

function valueOf(flag: FlagSpec, token: OptionToken, flags: readonly FlagSpec[]): string {
  const { rawName } = token;
  if (!flag.value) {
    if (token.inlineValue) throw usageFailure(`${rawName} takes no value.`);
    return "true";
  }
  const isOtherFlag = !token.inlineValue && flags.some(({ name }) => token.value === `--${name}`);
  if (token.value === undefined || isOtherFlag)
    throw usageFailure(`${rawName} needs a value: ${rawName} <${flag.value}>.`);
  if (flag.kind === "number" && !/^\d+$/.test(token.value)) {
    throw usageFailure(`${rawName} needs a whole number, 0 or more, not "${showWord(token.value)}".`);
  }
  if (flag.choices && !flag.choices.includes(token.value)) {
    throw usageFailure(`${rawName} is one of ${flag.choices.join(", ")}, not "${showWord(token.value)}".`);
  }
  return token.value;
}

function toFlagValues(values: ReadonlyMap<string, readonly string[]>): FlagValues {
  const text = (name: string): string | undefined => values.get(name)?.at(-1);
  return {
    has: (name) => values.has(name),
    text,
    number: (name) => (values.has(name) ? Number(text(name)) : undefined),
    list: (name) => values.get(name) ?? [],
  };
}

function checkArguments({ path, args: wanted = [] }: CommandSpec, given: readonly string[]): void {
  const name = `chela ${path.join(" ")}`;
  const missing = wanted.find(({ isOptional }, index) => !isOptional && given[index] === undefined);
  const shape = wanted.map(argumentShape).join(" ");
  if (missing) throw usageFailure(`${name} needs <${missing.name}>: ${name} ${shape}`);
  const extra = wanted.at(-1)?.repeats ? undefined : given[wanted.length];
  if (extra !== undefined) throw usageFailure(`${name} does not take "${showWord(extra)}": ${name} ${shape}`.trimEnd());
}

/** A word for a sentence about it. One that does not belong there may be a key, which nobody should see or log. */
function showWord(word: string): string {
  return redactSecrets(word).replace(/[^\s"'=]{16,}/g, (part) => (looksRandom(part) ? "[redacted]" : part));
}

/** What people type has few long runs of letters, and no digits among them. */
function looksRandom(part: string): boolean {
  const runs = part.match(/[A-Za-z0-9]{16,}/g) ?? [];
  return runs.some((run) => run.length >= 32 || (/\d/.test(run) && /[a-z]/i.test(run)));
}

function helpFor(words: readonly string[], set: CommandSet): Parsed {
  const known = words.filter((word) => !word.startsWith("-"));
  known.forEach((word, index) => {
    if (!find(set, known.slice(0, index + 1))) throw unknownCommand(known.slice(0, index), word, set);
  });
  return { kind: "help", path: known };
}

function refuseUnknownFlags(tokens: readonly Token[], flags: readonly FlagSpec[], path: readonly string[]): void {
  for (const token of tokens) {
    if (token.kind === "option" && !flags.some(({ name }) => name === token.name)) {
      throw unknownFlag(token.rawName, flags, path);
    }
  }
}

function find(set: CommandSet, path: readonly string[]): CommandSpec | undefined {
  return set.commands.find((command) => command.path.join(" ") === path.join(" "));
}

function unknownCommand(path: readonly string[], word: string, { commands }: CommandSet): CommandFailure {
  const siblings = commands
    .filter((one) => one.path.length === path.length + 1 && path.every((part, index) => one.path[index] === part))
    .map((one) => one.path.at(-1) ?? "");
  const near = nearestWord(word, path.length === 0 ? [...siblings, "help"] : siblings);
  const start = ["chela", ...path].join(" ");
  const hint = near ? `Did you mean \`${start} ${near}\`?` : `\`${start} --help\` shows what there is.`;
  return usageFailure(`There is no command \`${start} ${showWord(word)}\`. ${hint}`);
}

function unknownFlag(rawName: string, flags: readonly FlagSpec[], path: readonly string[]): CommandFailure {
  const name = rawName.replace(/^-+/, "");
  const dashes = rawName.slice(0, rawName.length - name.length);
  const near = nearestWord(
    name,
    flags.map((flag) => flag.name),
  );
  const start = ["chela", ...path].join(" ");
  const hint = near ? `Did you mean --${near}?` : `\`${start} --help\` shows what there is.`;
  return usageFailure(`There is no flag ${dashes}${showWord(name)} for \`${start}\`. ${hint}`);
}
