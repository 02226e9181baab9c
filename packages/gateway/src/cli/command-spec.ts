// What a command is: a row of the command table, and what its code gets when it runs.
import type { Terminal } from "./terminal.ts";

export interface FlagSpec {
  readonly name: string;
  readonly short?: string;
  /** Absent for a switch; else what the value is called in help texts. */
  readonly value?: string;
  readonly kind?: "text" | "number";
  readonly choices?: readonly string[];
  readonly repeats?: true;
  /** Told in help texts; the command itself applies it. */
  readonly preset?: string;
  readonly help: string;
  /** Taken for the sake of existing scripts; the sentence says so when it is used. */
  readonly unused?: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly isOptional?: true;
  /** May be given several times. Only the last argument of a command can. */
  readonly repeats?: true;
  readonly help: string;
}

/** How an argument is written in a line of usage. */
export function argumentShape({ name, isOptional, repeats }: ArgumentSpec): string {
  const shape = repeats ? `${name}...` : name;
  return isOptional ? `[${shape}]` : `<${shape}>`;
}

export interface CommandSpec {
  /** Words after `chela`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly args?: readonly ArgumentSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Variables of the environment that it heeds and no flag says. */
  readonly environment?: ReadonlyArray<{ readonly name: string; readonly help: string }>;
  /** Absent for a word that only groups others. */
  readonly load?: () => Promise<RunCommand>;
}

/** Resolves with the exit code. */
export type RunCommand = (call: CommandCall) => Promise<number>;

export interface CommandCall {
  readonly path: readonly string[];
  readonly args: readonly string[];
  readonly flags: FlagValues;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From --profile and --dev. */
  readonly state: { readonly profile?: string; readonly dev?: boolean };
}

export interface FlagValues {
  has(name: string): boolean;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  list(name: string): readonly string[];
}
