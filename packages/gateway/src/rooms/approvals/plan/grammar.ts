// Understands a command by a positive grammar: plain words, quotes and four joining signs. All else is left to a person.
import { findHiddenCharacter, nameCharacter } from "./hidden-characters.ts";
import { isShellWord } from "./shell-words.ts";

export interface UnderstoodStep {
  readonly when: "always" | "success" | "failure";
  /** Each program as its words, the program's own first. */
  readonly pipeline: readonly (readonly string[])[];
}

export type Understanding =
  | { readonly kind: "understood"; readonly steps: readonly UnderstoodStep[] }
  /** `why` completes the sentence "The command …". */
  | { readonly kind: "unclear"; readonly why: string };

type Operator = "|" | "&&" | "||" | ";";
type Token = { readonly kind: "word"; readonly text: string } | { readonly kind: "operator"; readonly text: Operator };

const PLAIN = /[A-Za-z0-9_./:@%+,=-]/;
const OPERATOR = /\|\||&&|\||;/y;
const WORD_ENDS = /[ |&;]/;
const MEANS_SOMETHING_IN_DOUBLE_QUOTES = /[$`\\!]/;
const WHEN = { ";": "always", "&&": "success", "||": "failure" } as const;

export function understandCommand(command: string): Understanding {
  try {
    return { kind: "understood", steps: groupTokens(readTokens(command)) };
  } catch (thrown) {
    if (thrown instanceof Unclear) return { kind: "unclear", why: thrown.message };
    throw thrown;
  }
}

/** Leaves the scanner from any depth; never leaves this file. */
class Unclear extends Error {}

function readTokens(command: string): Token[] {
  const hidden = findHiddenCharacter(command);
  if (hidden !== undefined)
    throw new Unclear(`contains the character ${nameCharacter(hidden)}, which is not plain text`);
  const tokens: Token[] = [];
  let at = 0;
  while (at < command.length) {
    if (command[at] === " ") {
      at += 1;
      continue;
    }
    OPERATOR.lastIndex = at;
    const operator = OPERATOR.exec(command)?.[0] as Operator | undefined;
    if (operator) {
      tokens.push({ kind: "operator", text: operator });
      at += operator.length;
    } else {
      const word = readWord(command, at);
      tokens.push({ kind: "word", text: word.text });
      at = word.end;
    }
  }
  return tokens;
}

function readWord(command: string, start: number): { readonly text: string; readonly end: number } {
  let text = "";
  let at = start;
  while (at < command.length && (at === start || !WORD_ENDS.test(command[at] ?? ""))) {
    const piece = readPiece(command, at, start);
    text += piece.text;
    at = piece.end;
  }
  return { text, end: at };
}

function readPiece(command: string, at: number, start: number): { readonly text: string; readonly end: number } {
  const sign = command[at] ?? "";
  if (sign === "'" || sign === '"') return readQuoted(command, at, sign);
  if (sign === "\\") return readEscaped(command, at);
  if (sign === "=" && at === start) throw new Unclear("has a word that begins with =");
  // A tilde is a home directory at the start of a word only, as in HEAD~1 it is not.
  const isInnerTilde = sign === "~" && at > start && /[A-Za-z0-9]/.test(command[at - 1] ?? "");
  if (!PLAIN.test(sign) && !isInnerTilde) {
    throw new Unclear(
      `uses ${String.fromCodePoint(command.codePointAt(at) ?? 0)} outside of quotes, which a shell may read in its own way`,
    );
  }
  return { text: sign, end: at + 1 };
}

function readQuoted(command: string, at: number, quote: "'" | '"'): { readonly text: string; readonly end: number } {
  const close = command.indexOf(quote, at + 1);
  if (close === -1) throw new Unclear(`has a ${quote} that is never closed`);
  const text = command.slice(at + 1, close);
  const special = quote === '"' ? MEANS_SOMETHING_IN_DOUBLE_QUOTES.exec(text)?.[0] : undefined;
  if (special !== undefined) throw new Unclear(`uses ${special} in double quotes, which a shell may replace`);
  return { text, end: close + 1 };
}

function readEscaped(command: string, at: number): { readonly text: string; readonly end: number } {
  const escaped = command[at + 1] ?? "";
  if (!/^[ -~]$/.test(escaped)) throw new Unclear("has a backslash before nothing or before a special character");
  return { text: escaped, end: at + 2 };
}

function groupTokens(tokens: readonly Token[]): UnderstoodStep[] {
  const steps: { when: UnderstoodStep["when"]; pipeline: string[][] }[] = [{ when: "always", pipeline: [[]] }];
  for (const token of tokens) {
    const pipeline = steps.at(-1)?.pipeline ?? [];
    if (token.kind === "word") pipeline.at(-1)?.push(token.text);
    else if (token.text === "|") pipeline.push([]);
    else steps.push({ when: WHEN[token.text], pipeline: [[]] });
  }
  for (const step of steps) for (const words of step.pipeline) checkProgramWord(words[0]);
  return steps;
}

function checkProgramWord(word: string | undefined): void {
  if (word === undefined) throw new Unclear("has an empty place where a program should be");
  if (word.includes("=")) throw new Unclear(`sets a variable (${word}) instead of naming a program`);
  if (isShellWord(word)) throw new Unclear(`uses ${word}, which is a word of the shell itself`);
}
