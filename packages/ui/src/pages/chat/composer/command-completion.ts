// Completions for what is being typed behind a slash.
import type { MethodAnswer } from "@chela/sdk/protocol";

export type ChatCommand = MethodAnswer<"commands.list">["commands"][number];

export interface CompletionOption {
  /** As it is shown: `/think` or `high`. */
  readonly label: string;
  /** What may stand behind it. */
  readonly usage?: string;
  readonly says?: string;
  /** What the text up to the caret becomes. */
  readonly text: string;
}

export interface Completion {
  /** Names one list: what was dismissed stays dismissed while it is the same. */
  readonly id: string;
  readonly options: readonly CompletionOption[];
  /** Which is offered first; -1 while nothing says that any is meant. */
  readonly first: number;
}

/** `before` is the text up to the caret. */
export function completionOf(before: string, commands: readonly ChatCommand[]): Completion | undefined {
  const allowed = commands.filter(({ allowed }) => allowed);
  const name = /^\/([\w-]*)$/.exec(before)?.[1];
  if (name !== undefined) return completeName(name.toLowerCase(), before, allowed);
  const written = /^\/([\w-]+)[^\S\n]+([^\n]*)$/.exec(before);
  return written ? completeArgument(before, written[1] ?? "", written[2] ?? "", allowed) : undefined;
}

function completeName(typed: string, before: string, commands: readonly ChatCommand[]): Completion | undefined {
  const begins = commands.filter(({ name, aliases }) => [name, ...aliases].some((one) => one.startsWith(typed)));
  const contains = commands.filter((one) => !begins.includes(one) && typed.length > 1 && one.name.includes(typed));
  // What is called exactly this comes before what begins with it.
  const exact = begins.filter(({ name, aliases }) => name === typed || aliases.includes(typed));
  const found = [...exact, ...begins.filter((one) => !exact.includes(one)), ...contains];
  const options = found.map((command) => ({
    label: `/${command.name}`,
    says: command.says,
    ...(command.usage ? { usage: command.usage } : {}),
    text: `/${command.name}${command.arguments?.length ? " " : ""}`,
  }));
  if (options.length === 0 || isDone(options, before)) return undefined;
  return { id: "name", options, first: 0 };
}

function completeArgument(
  before: string,
  name: string,
  behind: string,
  commands: readonly ChatCommand[],
): Completion | undefined {
  const command = commands.find((one) => one.name === name.toLowerCase() || one.aliases.includes(name.toLowerCase()));
  const words = behind.split(/\s+/);
  const typed = (words.at(-1) ?? "").toLowerCase();
  const argument = command?.arguments?.[words.length - 1];
  const stem = before.slice(0, before.length - typed.length);
  const options = (argument?.choices ?? [])
    .filter((choice) => choice.toLowerCase().startsWith(typed))
    .map((choice) => ({ label: choice, text: stem + choice }));
  if (options.length === 0 || isDone(options, before)) return undefined;
  return { id: `argument ${words.length}`, options, first: typed === "" ? -1 : 0 };
}

/** There is only what stands there already. */
function isDone(options: readonly CompletionOption[], before: string): boolean {
  return options.length === 1 && options[0]?.text.trim() === before.trim() && options[0].text.length <= before.length;
}
