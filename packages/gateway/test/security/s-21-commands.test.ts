// S-21: no id on the command line, however it is written, leads a command out of the state directory.
import type { ArgumentSpec, CommandSpec, FlagSpec, Terminal } from "@chela/sdk/command-line";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withGateway } from "../../src/cli/connect/gateway-caller.ts";
import { COMMANDS, GLOBAL_FLAGS } from "../../src/cli/table/command-table.ts";
import { parseCommandLine } from "../../src/cli/table/parse-arguments.ts";
import { TEST_TOKEN } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import { CANARY, openTraversalYard, type TraversalYard } from "../support/security/traversal-yard.ts";

/** By what their value is called in the help. Files and folders are the caller's own: they may be anywhere they can go. */
const OWN_PLACES = ["file", "path", "dir", "directory", "picture", "program"];
const NAMES = [
  ..."id key name job profile channel:id tool webhook device channel alias model target account service/account channel[:account]".split(
    " ",
  ),
  ..."kind:id scope role who entry method point pattern code reference word node session agent provider value".split(
    " ",
  ),
];
const WORDS = [
  ..."text message words expression duration time zone url token password host number json level emoji command".split(
    " ",
  ),
  ..."address theme count minutes key=value name:value port days status bytes seconds amount when date score subject what query".split(
    " ",
  ),
];
/** They wait for a person or never end; what they do with names is what the methods do. */
const WAIT =
  /^(?:gateway(?: run)?|chat|agent|logs.*|setup|onboard|configure|models auth (?:login|paste).*|channels login|qr|dashboard|completion|sandbox selftest|doctor|nodes? .*|update)$/;

/** What a command would ask a person for, or wait for on its input. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = { "credential add": ["--env=NOBODY_SETS_THIS"] };

let yard: TraversalYard;
beforeAll(() => {
  yard = openTraversalYard({
    gateway: { auth: { mode: "token", token: TEST_TOKEN }, port: 9 },
    agents: { defaults: { model: "demo/demo" } },
    channels: { telegram: { botToken: "1:x", enabled: false } },
  });
});
afterAll(() => yard[Symbol.dispose]());

interface Spot {
  readonly command: CommandSpec;
  readonly name: string;
  words(text: string): string[];
}

const nameOfArgument = ({ name }: ArgumentSpec): string => name;
const nameOfFlag = ({ value = "" }: FlagSpec): string => value;

const SPOTS: readonly Spot[] = COMMANDS.filter(({ load, path }) => load && !WAIT.test(path.join(" "))).flatMap(
  (command) => {
    const { args = [], flags = [] } = command;
    const path = [...command.path, ...(COMPANIONS[command.path.join(" ")] ?? [])];
    const needed = args.filter(({ isOptional }) => !isOptional).map(() => "x");
    const byArgument = args.map((argument, at) => ({
      command,
      name: nameOfArgument(argument),
      words: (text: string) => [
        ...path,
        "--",
        ...args.slice(0, at + 1).map((_, index) => (index === at ? text : "x")),
        ...needed.slice(at + 1),
      ],
    }));
    const byFlag = flags
      .filter(({ value, kind, choices }) => value !== undefined && kind !== "number" && !choices)
      .map((flag) => ({
        command,
        name: nameOfFlag(flag),
        words: (text: string) => [...path, `--${flag.name}=${text}`, "--", ...needed],
      }));
    return [...byArgument, ...byFlag];
  },
);

test("of every value a command takes it is known whether it is a name", () => {
  const known = [...OWN_PLACES, ...NAMES, ...WORDS];
  const unknown = SPOTS.filter(({ name }) => !known.includes(name));
  expect([...new Set(unknown.map(({ name, command }) => `${name} (${command.path.join(" ")})`))]).toEqual([]);
});

test("without a gateway, no command leads elsewhere by a name", async () => {
  const spots = SPOTS.filter(({ name }) => NAMES.includes(name));
  let told = "";
  const write = (text: unknown): void => void (told += typeof text === "string" ? text : JSON.stringify(text));
  const terminal = terminalInto(write);
  const env = { HOME: yard.root, OPENCLAW_STATE_DIR: yard.stateDir, PATH: "/nowhere" };
  let count = 0;
  for (const [index, { words }] of spots.entries()) {
    for (const text of yard.traversals.filter((_, at) => at % 48 === index % 48)) {
      count += 1;
      await run(words(text), terminal, env).catch(write);
    }
  }
  countCases("S-21", count);
  expect(told).not.toContain(CANARY);
  expect(yard.findTraces()).toEqual([]);
}, 60_000);

test.each(["../../outside", "../other", "a/b", "a\0b", "..", "x/../../y", "a\\..\\b"])(
  "there is no profile %j",
  async (profile) => {
    const terminal = terminalInto(() => undefined);
    const env = { HOME: yard.root, PATH: "/nowhere" };
    await expect(run(["config", "file", "--profile", profile], terminal, env)).rejects.toThrow();
    expect(yard.findTraces()).toEqual([]);
  },
);

function terminalInto(write: (text: unknown) => void): Terminal {
  const plain = (text: string): string => text;
  const style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };
  return {
    style,
    columns: 80,
    isInteractive: false,
    write,
    control: write,
    print: write,
    printJson: write,
    note: write,
  };
}

async function run(words: readonly string[], terminal: Terminal, env: Record<string, string>): Promise<void> {
  const parsed = parseCommandLine(words, { commands: COMMANDS, globals: GLOBAL_FLAGS });
  if (parsed.kind !== "run") return;
  const { command, args, flags } = parsed;
  const profile = flags.text("profile");
  const state = profile === undefined ? {} : { profile };
  await (
    await command.load?.()
  )?.(withGateway({ path: command.path, args, flags, terminal, env, state }));
}
