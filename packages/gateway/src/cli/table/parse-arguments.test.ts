// Arguments that repeat, in the parser, the help and the reference; and words that nobody should see again.
import { argumentShape, type ArgumentSpec, type Terminal } from "@chela/sdk/command-line";
import { describe, expect, it } from "vitest";
import { COMMANDS, commandReference, GLOBAL_FLAGS } from "./command-table.ts";
import { helpText } from "./help.ts";
import { parseCommandLine, type CommandSet } from "./parse-arguments.ts";

const real: CommandSet = { commands: COMMANDS, globals: GLOBAL_FLAGS };
const parse = (words: readonly string[], set = real) => parseCommandLine(words, set);

describe("an argument that repeats", () => {
  const first: ArgumentSpec = { name: "first", help: "One" };
  const more: ArgumentSpec = { name: "more", repeats: true, help: "Any number" };
  const setOf = (...args: ArgumentSpec[]): CommandSet => ({
    commands: [{ path: ["go"], summary: "Go", args, load: async () => async () => 0 }],
    globals: [],
  });

  it.each<[string, ArgumentSpec[], string[]]>([
    ["once", [more], ["a"]],
    ["many times", [more], ["a", "b", "c", "d", "e", "f"]],
    ["after another one", [first, more], ["a", "b", "c"]],
    ["not at all when it is optional", [first, { ...more, isOptional: true }], ["a"]],
  ])("is taken %s", (_name, args, words) => {
    expect(parse(["go", ...words], setOf(...args))).toMatchObject({ kind: "run", args: words });
  });

  it.each<[string, ArgumentSpec[], string[], string]>([
    ["it is missing", [first, more], ["a"], "chela go needs <more>: chela go <first> <more...>"],
    ["it does not repeat", [first], ["a", "b"], 'chela go does not take "b": chela go <first>'],
  ])("is asked for or refused when %s", (_name, args, words, says) => {
    expect(() => parse(["go", ...words], setOf(...args))).toThrow(says);
  });

  it.each<[string, ArgumentSpec]>([
    ["<first>", first],
    ["[first]", { ...first, isOptional: true }],
    ["<more...>", more],
    ["[more...]", { ...more, isOptional: true }],
  ])("is written as %s", (shape, argument) => {
    expect(argumentShape(argument)).toBe(shape);
  });

  it("is always the last one of a command", () => {
    for (const { path, args = [] } of COMMANDS) {
      expect({ path, early: args.slice(0, -1).filter(({ repeats }) => repeats) }).toEqual({ path, early: [] });
    }
  });

  it("holds the profiles of an order, and is in the help and the reference of it", () => {
    const path = ["models", "auth", "order", "set"];
    const ids = ["x:a", "x:b", "x:c", "x:d", "x:e", "x:f"];
    expect(parse([...path, "--provider", "x", ...ids])).toMatchObject({ kind: "run", args: ids });
    const plain = (text: string): string => text;
    const style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };
    const help = helpText(path, { style, columns: 80 } as Terminal);
    expect(help).toContain("Usage: chela models auth order set <profile...> [flags]");
    expect(help).toMatch(/^ {2}<profile\.\.\.> +Its id/m);
    expect(commandReference().map(({ command }) => command)).toContain("chela models auth order set <profile...>");
  });
});

describe("a refusal", () => {
  const TOKENS = [
    "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt",
    "ghp_0123456789abcdefghij0123456789abcdef",
    "gsk_0123456789abcdefghij",
    "4f9a1c77b2e04d58",
    "b2e04d58-Zk3Vq81LmPx7Ry2TnW4c_Hj5",
    "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
  ];
  const places: ReadonlyArray<[string, (word: string) => string[]]> = [
    ["one word too many", (word) => ["config", "get", "a", word]],
    ["no command", (word) => ["models", "auth", "add", word]],
    ["no command at all", (word) => [word]],
    ["help of no command", (word) => ["help", word]],
    ["no number", (word) => ["health", "--timeout", word]],
    ["no choice", (word) => ["gateway", "run", "--bind", word]],
    ["no flag", (word) => ["health", `--${word}`]],
    ["one word too many with a name", (word) => ["config", "get", "a", `my key=${word} x`]],
  ];

  it.each(places)("of %s does not repeat what looks like a secret", (_name, lineWith) => {
    for (const token of TOKENS) {
      const failure = failureOf(lineWith(token));
      expect(failure).toContain("[redacted]");
      expect(failure).not.toContain(token.slice(-8));
    }
  });

  it.each([
    "b",
    "anthropic/claude-opus-4-6",
    "agent:main:main",
    "gateway.auth.rateLimit.maxAttempts",
    "~/notes/today.md",
  ])("repeats %s, which is no secret", (word) => {
    expect(failureOf(["config", "get", "a", word])).toContain(`does not take "${word}"`);
  });
});

function failureOf(words: readonly string[]): string {
  try {
    parse(words);
  } catch (error) {
    return String(error);
  }
  throw new Error(`taken: ${words.join(" ")}`);
}

describe("help", () => {
  it.each([
    [["--help"], []],
    [["cron", "--help"], ["cron"]],
    [
      ["--help", "cron", "list"],
      ["cron", "list"],
    ],
    [
      ["help", "cron", "list"],
      ["cron", "list"],
    ],
    [["agent", "--message", "hello", "--help"], ["agent"]],
  ])("of %j is of the command that is named", (words, path) => {
    expect(parse(words)).toEqual({ kind: "help", path });
  });

  it.each([
    [["nonsense", "--help"], "There is no command `chela nonsense`"],
    [["-h", "nonsense"], "There is no command `chela nonsense`"],
    [["cron", "nonsense", "--help"], "There is no command `chela cron nonsense`"],
  ])("of %j is not that of another command", (words, says) => {
    expect(() => parse(words)).toThrow(says);
  });
});
