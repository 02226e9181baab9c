// S-15: no trick gets a command past the allow-list of a whole gateway, and what is let through is run as it was written.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { BYPASS_CORPORA, type AllowedWith } from "../../src/rooms/approvals/bypass-corpus.test-support.ts";
import { understandCommand } from "../../src/rooms/approvals/plan/grammar.ts";
import { isRefusal, openExecStage, type ExecStage } from "../support/stages/exec-stage.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const tricks = BYPASS_CORPORA.flatMap(({ tricks: some }) => some);
/** Every word a trick could mean as a program, so that none is refused for being absent. */
const programs = new Set(
  [...tricks, "deploy", "show"]
    .flatMap((trick) => trick.split(/[^\w.+-]+/))
    .filter((word) => /^[A-Za-z0-9][\w.+-]*$/.test(word) && word !== "link-to-head"),
);

let stage: ExecStage;
beforeAll(async () => {
  stage = await openExecStage();
  stage.addRecorders(programs);
  symlinkSync(join(stage.bin, "head"), join(stage.bin, "link-to-head"));
  // Ways out of the workspace.
  mkdirSync(join(stage.workspace, "deep/er"), { recursive: true });
  symlinkSync(stage.gateway.stateDir, join(stage.workspace, "out"));
  symlinkSync("deep/er", join(stage.workspace, "link"));
  symlinkSync("/proc/self/cwd", join(stage.workspace, "here"));
  writeFileSync(join(stage.workspace, "notes.txt"), "notes");
  writeFileSync(join(stage.workspace, "build.py"), "print()");
});
afterAll(() => stage[Symbol.asyncDispose]());

const everything = (): Json[] => [{ pattern: `${stage.bin}/**` }];
/** Each program with its arguments, as a version that remembered programs would have written them. */
const itself = (some: readonly string[]): Json[] =>
  some.flatMap((trick) => {
    const understood = understandCommand(trick);
    if (understood.kind === "unclear") throw new Error(`${trick}: ${understood.why}`);
    const programs = understood.steps.flatMap(({ pipeline }) => pipeline);
    return programs.map(([name = "", ...argv]) => ({ pattern: `${stage.bin}/${name}`, argv }));
  });
const LISTS: Readonly<Record<AllowedWith, (tricks: readonly string[]) => Json[]>> = {
  itself,
  everything,
  nothing: () => [],
  "exact commands": () => [
    { pattern: `${stage.bin}/git`, argv: ["status"] },
    { pattern: `${stage.bin}/npm`, argv: ["test"] },
    { pattern: `${stage.bin}/python3`, argv: ["build.py"] },
    { pattern: `${stage.bin}/make`, argv: [] },
    { pattern: `${stage.bin}/deploy`, argPattern: "--to staging" },
  ],
};

describe("S-15: of the corpus", () => {
  test("there are more than twelve hundred", () => {
    expect(new Set(tricks).size).toBeGreaterThan(1200);
  });

  test.for(BYPASS_CORPORA)("$kind: none runs when $allowed is allowed", async ({ tricks: some, allowed }) => {
    await stage.setAllowList(LISTS[allowed](some));
    const asked = stage.questions.length;
    const results = await stage.run(some.map((command) => ({ command })));
    expect(results).toHaveLength(some.length);
    expect(results.flatMap((result, at) => (isRefusal(result) ? [] : [[some[at], textOf(result)]]))).toEqual([]);
    expect(stage.takeRuns()).toEqual([]);
    // A person was asked, and saw all of it; what nobody could run was refused at once.
    expect(stage.questions.length - asked).toBeGreaterThanOrEqual(some.length - 7);
    countCases("S-15", some.length);
  });

  test.for(["background", "pty", "elevated"])("a sample does not run with %s either", async (option) => {
    await stage.setAllowList(everything());
    const able = BYPASS_CORPORA.flatMap(({ allowed, tricks: some }) => (allowed === "everything" ? some : []));
    const sample = able.filter((_, at) => at % 40 === 0);
    const results = await stage.run(sample.map((command) => ({ command, [option]: true })));
    expect(results.map((result) => result.isError)).toEqual(sample.map(() => true));
    expect(stage.takeRuns()).toEqual([]);
    countCases("S-15", sample.length);
  });
});

describe("S-15: what was approved is what was executed", () => {
  /** What a shell makes of it, written down by the same programs. */
  function runByShell(command: string): string[][] {
    const env = { PATH: stage.bin, HOME: "/" };
    try {
      execFileSync("/bin/sh", ["-c", command], { cwd: stage.workspace, env, stdio: "ignore" });
    } catch {
      // Some of them end with an error, which is the same for both.
    }
    return stage.takeRuns();
  }

  /** The same commands in every run: a small generator of numbers that is always begun with the same one. */
  function* written(count: number): Generator<string> {
    let state = 20_260_115;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >>> 8) % limit;
    };
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const bare = [
      "a",
      "-x",
      "--long=v",
      "k=v",
      "./p",
      "/etc/x",
      "a,b",
      "50%",
      "u@h:1",
      "+x",
      "HEAD~1",
      "--",
      "-",
      "1_2",
    ];
    const inside = [
      "a b",
      "$HOME",
      "*",
      "`id`",
      "; id",
      "&& id",
      "| id",
      "> x",
      "\\",
      "#",
      "~",
      "!",
      "é",
      "(x)",
      "{a,b}",
      "",
    ];
    const escaped = ["\\ ", "\\$", "\\*", "\\;", "\\'", '\\"', "\\\\", "\\&", "\\|", "\\#", "\\~", "\\("];
    const word = (): string =>
      Array.from({ length: 1 + below(3) }, () => {
        const kind = below(4);
        if (kind === 0) return `'${pick(inside)}'`;
        if (kind === 1) return `"${pick(inside.filter((text) => !/[$`\\!]/.test(text)))}"`;
        return kind === 2 ? pick(escaped) : pick(bare);
      }).join("");
    const call = (): string => ["cat", ...Array.from({ length: below(5) }, word)].join(" ");
    for (let at = 0; at < count; at += 1) {
      yield Array.from({ length: 1 + below(2) }, call).join(pick([" && ", "; ", ";", " ; "]));
    }
  }

  /** What a turn asks for: few enough to see which one it was. */
  const AT_ONCE = 16;
  const sorted = (runs: string[][]): string[] => runs.map((run) => JSON.stringify(run)).toSorted();

  test("for commands that a list allows: each is run as a shell would have understood it, or a person is asked", async () => {
    await stage.setAllowList([{ pattern: `${stage.bin}/cat` }]);
    const commands = [...written(80)];
    let run = 0;
    for (let at = 0; at < commands.length; at += AT_ONCE) {
      const some = commands.slice(at, at + AT_ONCE);
      const results = await stage.run(some.map((command) => ({ command })));
      const runs = stage.takeRuns();
      const allowed = some.filter((_, index) => !isRefusal(results[index] as ToolResultMessage));
      run += allowed.length;
      expect(sorted(runs), some.join("\n")).toEqual(sorted(allowed.flatMap(runByShell)));
    }
    // Most of them are plain enough to be understood.
    expect(run).toBeGreaterThan(60);
    countCases("S-15", commands.length);
  });

  test.for([
    "show a 'b c'",
    'X=1; show "$X" "${X}2"',
    "show $(echo made) `echo too`",
    "for x in 1 2 3; do show $x; done",
    "show a | show b",
    "show $((1+1)) *.txt",
    "show <<'EOF' x\nbody\nEOF",
    'f() { show in-f "$@"; }; f a b',
    "show {a,b} ~ 'x\u00e9'",
  ])("for a command that a person allows: %s", async (command) => {
    await stage.setAllowList([]);
    stage.answer = () => "allow-once";
    const before = stage.questions.length;
    const [result] = await stage.run([{ command }]);
    stage.answer = () => "deny";
    expect(result && textOf(result)).not.toMatch(/not run/);
    expect(stage.questions.slice(before).map((question) => question["command"])).toEqual([
      command.replaceAll("\n", "<U+000A>\n"),
    ]);
    const runs = stage.takeRuns().map(withoutHome);
    expect(sorted(runs)).toEqual(sorted(runByShell(command).map(withoutHome)));
    expect(runs.length).toBeGreaterThan(0);
    countCases("S-15", 1);
  });

  /** Home is another place in both. */
  const withoutHome = (run: string[]): string[] =>
    run.map((word) => (word === "/" || word === process.env["HOME"] ? "~" : word));
});
