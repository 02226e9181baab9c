// Every command that people are told to type, by the program or by its documentation, exists and is understood.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS, GLOBAL_FLAGS } from "../../src/cli/table/command-table.ts";
import { configReferenceRows } from "../../src/rooms/config/reference.ts";
import { nearestWord } from "../../src/base/text/nearest.ts";
import { parseCommandLine } from "../../src/cli/table/parse-arguments.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const set = { commands: COMMANDS, globals: GLOBAL_FLAGS };

interface Told {
  readonly where: string;
  readonly command: string;
}

/** What stands for something: `<id>`, `${id}`, `"$(…)"`, a quoted text. */
function withoutPlaceholders(text: string): string {
  return text
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "x")
    .replaceAll(/\\?["']\$\([^)]*\)\\?["']|\$\([^)]*\)/g, "x")
    .replaceAll(/<[^<>`]*>/g, "x")
    .replaceAll(/\\?"[^"`]*\\?"|'[^'`]*'/g, "x");
}

/** A line that stands by itself, up to what the shell or a reader does with it. */
function parseWhole(text: string): string | undefined {
  const line = withoutPlaceholders(text)
    .split(/\s(?:#|\||&&|>|2>)|;|\.\.\./)[0]
    ?.replaceAll(/\[[^\]]*\]/g, "")
    .replace(/\\$/, "")
    .trim();
  const words = (line ?? "").split(/\s+/).slice(1);
  try {
    parseCommandLine(words, set);
    return undefined;
  } catch (error) {
    return mayStayOpen(words, String(error)) ? undefined : `${text}: ${String(error)}`;
  }
}

/** A command may be named without what it needs, end in an ellipsis, or be filled in where the program knows more. */
function mayStayOpen(words: readonly string[], why: string): boolean {
  const path = pathIn(words);
  const isNamedOnly = path.length === words.length || words.at(-1) === "…";
  if (isNamedOnly && / needs </.test(why)) return true;
  return ["x", "…"].includes(words[path.length] ?? "") && commandAt(path)?.load === undefined;
}

const commandAt = (path: readonly string[]) => COMMANDS.find((one) => one.path.join(" ") === path.join(" "));

function pathIn(words: readonly string[]): string[] {
  const path: string[] = [];
  for (const word of words) {
    if (!commandAt([...path, word])) break;
    path.push(word);
  }
  return path;
}

/** In a sentence the command ends somewhere; its own words must be there. */
function parseBeginning(text: string): string | undefined {
  const [, ...words] = withoutPlaceholders(text.split(/[`"]|<\//)[0] ?? "").split(/\s+/);
  const plain = words.map((word) => word.replace(/[.,:;)]+$/, ""));
  const [first = ""] = plain;
  const path = pathIn(plain);
  const command = commandAt(path);
  if (command) return command.load || plain.length === path.length ? undefined : `${text}: no such command`;
  // The name of the program may stand before any word; one that nearly is a command is a mistake.
  const near = nearestWord(
    first,
    COMMANDS.flatMap((one) => (one.path.length === 1 ? one.path : [])),
  );
  return near && first.length > 2 ? `${text}: ${near} is meant` : undefined;
}

function toldInDocs(): Told[] {
  return globSync(["README.md", "AGENTS.md", "docs/**/*.md"], { cwd: ROOT }).flatMap((where) => {
    const text = readFileSync(join(ROOT, where), "utf8").replaceAll("npx chela", "chela");
    const blocks = [...text.matchAll(/^```(?:sh|bash|console|)\n([^]*?)^```/gm)].flatMap(([, inside = ""]) =>
      inside.split("\n"),
    );
    const lines = blocks
      .map((line) => line.replace(/^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*/, ""))
      .filter((line) => /^chela [a-z]/.test(line));
    const inline = [...text.replaceAll(/^ *```[^]*?^ *```/gm, "").matchAll(/`(chela [a-z][^`]*)`/g)].map(
      ([, one = ""]) => one.replaceAll("\n", " "),
    );
    return [...lines, ...inline].map((command) => ({ where, command }));
  });
}

const COMMENTS = /^\s*(?:\/\/|\/\*|\*).*$/gm;

function sourceTexts(): ReadonlyArray<readonly [where: string, text: string]> {
  return globSync("packages/*/src/**/*.ts", { cwd: ROOT })
    .filter((path) => !/\.test(-support)?\.|\/testing\/|security\/fix-text/.test(path))
    .map((path) => [path, filledIn(readFileSync(join(ROOT, path), "utf8").replaceAll(COMMENTS, ""))] as const);
}

/** What a program puts into its texts, also in texts within them, is a word here. */
function filledIn(text: string): string {
  return text
    .replaceAll(/\$\{[^{}`]*\}/g, "x")
    .replaceAll(/\$\{[^{}`]*(?:`[^`]*`[^{}`]*)+\}/g, "x")
    .replaceAll(/(?<=chela [^`\n]*) x`/g, "`");
}

function quotedInSource(): Told[] {
  return sourceTexts().flatMap(([where, text]) =>
    [...text.matchAll(/\\`(chela [a-z][^`\n]*?)\\`|(?<=["' (][^`\n]*)`(chela [a-z][^`\n]*?)`(?=[^`\n]*")/g)].map(
      ([, escaped, plain]) => ({ where, command: escaped ?? plain ?? "" }),
    ),
  );
}

/** In prose without marks: "to fix: chela gateway stop, then chela doctor --fix". */
function mentionedInSource(): Told[] {
  return sourceTexts().flatMap(([where, text]) =>
    [...text.matchAll(/(?<![`\w@/.-])chela ([a-z][a-z-]*(?: [a-z][a-z-]*)?[^\n]*)/g)].map(([command]) => ({
      where,
      command,
    })),
  );
}

/** The setting a command names, when it names one. */
function settingIn(command: string): string | undefined {
  const [, path] = /^chela config (?:set|unset|get) (\S+)/.exec(withoutPlaceholders(command)) ?? [];
  return path?.replace(/[`'",;:)]+$|\.$/g, "");
}

const KNOWN = configReferenceRows().map(({ path }) => path.replaceAll("[]", "").split("."));

/** A whole block is known by what stands in it; `x` stands for any name. */
function isSetting(path: string): boolean {
  const names = path.replaceAll(/\[\d+\]/g, "").split(".");
  return KNOWN.some((known) =>
    names.every((name, at) => {
      const own = known[at] ?? (known.at(-1) === "*" ? "*" : undefined);
      return own === name || own === "<key>" || own === "*" || (own !== undefined && name === "x");
    }),
  );
}

const told = (found: readonly Told[], parse: (command: string) => string | undefined): string[] =>
  found.flatMap(({ where, command }) => {
    const wrong = parse(command);
    return wrong ? [`${where}: ${wrong}`] : [];
  });

test("commands in the documentation are understood as they stand there", () => {
  const found = toldInDocs();
  expect(found.length).toBeGreaterThan(100);
  expect(told(found, parseWhole)).toEqual([]);
});

test("commands between backticks in texts of the program are understood", () => {
  const found = quotedInSource();
  expect(found.length).toBeGreaterThan(100);
  expect(told(found, parseWhole)).toEqual([]);
});

test("commands that are mentioned in texts of the program exist", () => {
  const found = mentionedInSource();
  expect(found.length).toBeGreaterThan(50);
  expect(told(found, parseBeginning)).toEqual([]);
});

test("settings that people are told to change exist", () => {
  const named = [...toldInDocs(), ...quotedInSource(), ...mentionedInSource()].flatMap(({ where, command }) => {
    const path = settingIn(command);
    return path && path !== "x" && path !== "…" ? [{ where, path }] : [];
  });
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ path }) => !isSetting(path))).toEqual([]);
});
