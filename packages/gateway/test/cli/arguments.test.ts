// The command line as words: which command is meant, which values it gets, what does not fit.
import type { Terminal } from "@chela/sdk/command-line";
import { describe, expect, it } from "vitest";
import { COMMANDS, commandReference, GLOBAL_FLAGS } from "../../src/cli/table/command-table.ts";
import { helpText } from "../../src/cli/table/help.ts";
import { parseCommandLine } from "../../src/cli/table/parse-arguments.ts";

const set = { commands: COMMANDS, globals: GLOBAL_FLAGS };
const parse = (text: string) => parseCommandLine(text === "" ? [] : text.split(" "), set);

function parseRun(text: string) {
  const parsed = parse(text);
  if (parsed.kind !== "run") throw new Error(`not a command: ${text}`);
  return parsed;
}

describe("the command line", () => {
  it.each([
    ["gateway", "gateway"],
    ["gateway run --port 1", "gateway run"],
    ["gateway --port 1 run", "gateway run"],
    ["--profile work gateway run", "gateway run"],
    ["--dev status --no-color", "status"],
    ["config get a.b", "config get"],
    ["sessions", "sessions"],
    ["sessions cleanup", "sessions cleanup"],
  ])("understands `chela %s` as %s", (text, path) => {
    expect(parseRun(text).command.path.join(" ")).toBe(path);
  });

  it.each(["", "--help", "help", "gateway --help", "config", "help gateway call", "models"])(
    "shows help for `chela %s`",
    (text) => {
      expect(parse(text).kind).toBe("help");
    },
  );

  it.each(["--version", "-v", "-V"])("tells the version for %s", (text) => {
    expect(parse(text).kind).toBe("version");
  });

  it("reads values, switches, lists and global flags", () => {
    const { flags, args } = parseRun("devices rotate --device d --scope a --scope b --json --timeout=5 --profile work");
    expect([
      flags.text("device"),
      flags.list("scope"),
      flags.has("json"),
      flags.number("timeout"),
      flags.text("profile"),
      args,
    ]).toEqual(["d", ["a", "b"], true, 5, "work", []]);
  });

  it("takes a value that begins with a dash", () => {
    expect(parseCommandLine(["agent", "-m", "- first point"], set)).toMatchObject({ kind: "run" });
  });

  it("takes what follows -- as it is", () => {
    expect(parseRun("config set -- gateway.port -1").args).toEqual(["gateway.port", "-1"]);
  });

  it.each([
    ["helth", /no command `chela helth`\. Did you mean `chela health`\?/],
    ["gateway rnu", /Did you mean `chela gateway run`\?/],
    ["config gett x", /Did you mean `chela config get`\?/],
    ["stat", /Did you mean `chela status`\?/],
    ["conf get x", /Did you mean `chela config`\?/],
    ["xyzzy", /`chela --help` shows what there is/],
    ["updaet", /`chela --help` shows what there is/],
    ["status --jsn", /no flag --jsn for `chela status`\. Did you mean --json\?/],
    ["help gatway", /Did you mean `chela gateway`\?/],
    ["config get", /needs <path>: chela config get <path>/],
    ["config get a b", /does not take "b"/],
    ["health extra", /no command `chela health extra`/],
    ["health --timeout soon", /needs a whole number, 0 or more, not "soon"/],
    ["health --timeout=-3", /needs a whole number, 0 or more, not "-3"/],
    ["gateway run --bind moon", /is one of loopback, lan, tailnet, auto, custom, not "moon"/],
    ["health --token", /--token needs a value/],
    ["health --token --json", /--token needs a value/],
    ["health --json=yes", /--json takes no value/],
  ])("says what is wrong with `chela %s`", (text, says) => {
    expect(() => parse(text)).toThrow(says);
  });

  it("tells of the secret for scripts where the gateway is started", () => {
    const plain = (text: string): string => text;
    const style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };
    const terminal = { style, columns: 80 } as Terminal;
    for (const path of [["gateway"], ["gateway", "run"]]) {
      const help = helpText(path, terminal);
      expect(help).toMatch(/Environment\n +OPENCLAW_CLI_SECRET +Opens[^]*home session[^]*OPENCLAW_CLI_PORT/);
      expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });

  it("notes flags that do nothing yet, and only those", () => {
    expect(parseRun("gateway run --compact --verbose").notes).toEqual(["--compact has no effect yet."]);
  });

  it("knows every command once, each with a summary, and groups before members", () => {
    const paths = COMMANDS.map(({ path }) => path.join(" "));
    expect(new Set(paths).size).toBe(paths.length);
    for (const [index, { path, summary }] of COMMANDS.entries()) {
      expect(summary).not.toBe("");
      if (path.length > 1) expect(paths.slice(0, index)).toContain(path.slice(0, -1).join(" "));
    }
    expect(commandReference().find(({ command }) => command === "chela config set <path> <value>")?.flags[0]).toEqual({
      flag: "--strict-json",
      help: "Refuse a value that is not JSON",
    });
  });
});
