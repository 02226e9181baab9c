// S-31: no pattern of the program takes for ever on any text: each is tried with what would make a bad one explode.
import { createContext, Script } from "node:vm";
import { expect, test } from "vitest";
import { listProgramSources } from "../support/security/program-sources.ts";
import { countCases } from "../support/security/security-cases.ts";

interface Pattern {
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

const LITERAL =
  /(?<=(?:[=(:,!&|?;{}[\n]|return|=>)\s*)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([dgimsuvy]*)/g;

const PATTERNS: readonly Pattern[] = listProgramSources().flatMap(({ path, text }) =>
  [...text.matchAll(LITERAL)]
    .map(([, source = "", flags = ""]) => ({ path, source, flags }))
    .filter(({ source, flags }) => isPattern(source, flags)),
);

/** What looks like one may be a piece of a path in quotes. */
function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Long enough that three nested repetitions never end, short enough that two are over in a moment. */
const LENGTH = 2_000;
/** For all texts of one pattern together; who needs longer is looked at text by text. */
const FIRST_LOOK_MS = 1_000;
/** For one text, on a machine that has other things to do: two nested repetitions take a hundredth of it. */
const PATIENCE_MS = 5_000;
const PIECES: readonly string[] = [
  ..."a A 0 é / . - _ < > ( ) [ ] { } \\ \" ' = : , ; * ` # ! @ ~ | & % + ? $ ^".split(" "),
  " ",
  "\t",
  "\n",
  "\r\n",
  "\u00a0",
  "a ",
  " a",
  "a.",
  "a-",
  "a/",
  "../",
  "ab",
  "0.",
  "a=",
  "a,",
  "--",
  "<a",
  "\\\\",
];

test("every pattern that is written in the program ends", () => {
  expect(PATTERNS.length).toBeGreaterThan(300);
  const slow = PATTERNS.filter((pattern) => !endsOn(pattern, PATIENCE_MS));
  countCases("S-31", PATTERNS.length * PIECES.length * 2);
  expect(slow.map(({ path, source, flags }) => `${path}: /${source}/${flags}`)).toEqual([]);
}, 120_000);

test("what is tried would find a bad one", () => {
  for (const source of ["(a+)+$", "(a|a)*b", "(\\w+\\s?)+!", "(x*)*y", "^(\\d+)*$", "(.*)(.*)(.*)(.*)(.*)z"]) {
    expect([source, endsOn({ path: "", source, flags: "" }, 300)]).toEqual([source, false]);
  }
});

const repeated = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));
const COMMON = PIECES.map(repeated);

/** Repeats everything that could be repeated, behind what the pattern begins with, and ends with what nobody expects. */
function textsFor({ source }: Pattern): string[] {
  const own = [...source.replaceAll(/\\[a-zA-Z]|[\\^$*+?()[\]{}|]/g, " ").matchAll(/\S+/g)].map(([word]) => word);
  const start = /^\^?([\w :<\-"']+)/.exec(source)?.[1]?.replace(/.$/, "") ?? "";
  const pieces = [...new Set([...own.slice(0, 8), own.join("")])].filter((piece) => piece !== "");
  return [...COMMON, ...pieces.map(repeated)].flatMap((long) => [`${long}\u0000`, `${start}${long}\u0001!`]);
}

const scope = createContext({ pattern: /x/, texts: [] as readonly string[] });
const script = new Script("for (const text of texts) { pattern.lastIndex = 0; pattern.test(text); }");

function endsOn(pattern: Pattern, patience: number): boolean {
  const texts = textsFor(pattern);
  if (isOver(pattern, texts, Math.min(patience, FIRST_LOOK_MS))) return true;
  return texts.every((text) => isOver(pattern, [text], patience));
}

function isOver({ source, flags }: Pattern, texts: readonly string[], timeout: number): boolean {
  Object.assign(scope, { pattern: new RegExp(source, flags), texts });
  try {
    script.runInContext(scope, { timeout });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return false;
  }
}

/** Patterns that are put together, and why what is put in can do no harm. */
const MADE: Readonly<Record<string, string>> = {
  "packages/gateway/src/rooms/access/check-pattern.ts": "the operator's, after it was checked for exactly this",
  "packages/gateway/src/rooms/access/mentions.ts": "names, with every sign escaped",
  "packages/gateway/src/rooms/agent/context/prune-context.ts":
    "names of tools with stars; what it is held against is short",
  "packages/gateway/src/base/terminal/terminal.ts": "a mark of ours, which is digits",
  "packages/gateway/src/rooms/models/providers/failure.ts": "one word of ours",
  "packages/gateway/src/house/start/mask-pattern.ts": "the owner's, after it was counted how long it may take",
  "packages/gateway/src/rooms/approvals/plan/argument-pattern.ts":
    "the owner's, after it was counted how long it may take",
  "packages/gateway/src/rooms/approvals/plan/hidden-characters.ts": "a set of characters of ours",
  "packages/gateway/src/rooms/approvals/plan/path-pattern.ts":
    "the owner's path with stars; what it is held against is the path of a program",
  "packages/gateway/src/base/text/external-content.ts": "parts of ours, each with a limit",
  "packages/channels/src/discord/receive/inbound-text.ts": "our own id, which is a number",
  "packages/channels/src/xmpp/receive/parse.ts": "our own nickname, with every sign escaped",
  "packages/gateway/src/rooms/cron/schedule/describe.ts": "names of days and months",
  "packages/gateway/src/base/text/visible-text.ts": "words of ours",
  "packages/gateway/src/rooms/heartbeat/read-reply.ts": "words of ours, with limits",
  "packages/memory/src/embedding/word-pieces.ts": "sets of characters of ours",
  "packages/memory/src/learning/rules/appointments.ts": "words of ours, with limits; sentences are short",
  "packages/memory/src/learning/rules/day-reader.ts": "names of days and months",
  "packages/memory/src/learning/rules/extract.ts": "words of ours",
  "packages/memory/src/learning/rules/languages/read-language.ts": "words of ours, with limits; sentences are short",
  "packages/memory/src/learning/rules/pattern.ts": "words of ours, with limits; sentences are short",
  "packages/sdk/src/base/redact-secrets.ts": "parts of ours, each with a limit",
  "packages/sdk/src/base/words.ts": "sets of characters of ours",
};

test("every pattern that is put together is listed, with what it is made of", () => {
  const found = listProgramSources().filter(({ text }) => /\bnew RegExp\(|(?<![.\w])RegExp\(/.test(text));
  expect(found.map(({ path }) => path)).toEqual(Object.keys(MADE).toSorted());
});
