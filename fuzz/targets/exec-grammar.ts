// Commands as the grammar understands them, compared with what real shells make of the same text.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { understandCommand, type UnderstoodStep } from "../../packages/gateway/src/rooms/approvals/plan/grammar.ts";
import { isShellWord } from "../../packages/gateway/src/rooms/approvals/plan/shell-words.ts";
import { hashOf } from "../random.ts";
import { promise, type Target } from "../target.ts";

const SHELLS = ["/bin/sh", "/bin/bash"].filter((path) => existsSync(path));
/** The only programs there are for the shells: functions that tell their words. The last one fails. */
const PROGRAMS = ["show", "tell", "fail"];
const PRELUDE =
  'show() { printf "%s\\0" show "$@"; printf "\\1"; }; tell() { printf "%s\\0" tell "$@"; printf "\\1"; }; ' +
  'fail() { printf "%s\\0" fail "$@"; printf "\\1"; return 1; }; set -f;';
/** A shell costs a thousand times what the grammar does. */
const SHELL_SHARE = 6;

export const execGrammar: Target = {
  name: "exec-grammar",
  promises:
    "What is understood is what a shell would do: the same programs, in the same order, with the same words; written again with quotes it is understood as the same. No word of the shell itself is taken for a program.",
  kind: "text",
  seeds: () => [
    "show one 'two three' \"four five\" six\\ seven",
    "show a | tell b && fail c || show d ; tell e",
    "show --flag=value HEAD~1 a/b.c:d@e%f+g,h -- 'it'\\''s'",
    "fail x && show y; tell '' \"\" z",
    "show \\\\ \\$HOME '$HOME' '`x`' \\| \\;",
    "show é 日本 'a\tb'",
  ],
  words: [
    ..."show tell fail | || && ; & > < $ $( ) ` ' \" \\ \\\\ # ~ ! * ? [ ] { } {a,b} = a=b =x -n -- if time [[ eval . : \n \t \r".split(
      " ",
    ),
    "\\\n",
    "<<EOF\n",
    "$'x'",
    "'\\''",
    "~+",
    "!!",
    "\u00a0",
  ],
  maxLength: 400,
  open() {
    const cwd = mkdtempSync(join(tmpdir(), "chela-fuzz-"));
    return {
      run(input) {
        const understood = understandCommand(input);
        if (understood.kind === "unclear") return promise(understood.why !== "", "a refusal says nothing");
        const { steps } = understood;
        const programs = steps.flatMap(({ pipeline }) => pipeline.map(([program = ""]) => program));
        promise(!programs.some(isShellWord), "a word of the shell is taken for a program");
        const again = understandCommand(writeAgain(steps));
        promise(
          again.kind === "understood" && JSON.stringify(again.steps) === JSON.stringify(steps),
          "written again it is understood as something else",
        );
        // Nothing but our own functions is ever run.
        const choice = hashOf(input);
        if (choice % SHELL_SHARE !== 0 || !programs.every((program) => PROGRAMS.includes(program))) return;
        const shell = SHELLS[choice % SHELLS.length];
        if (shell) compare(shell, input, steps, cwd);
      },
      close: () => rmSync(cwd, { recursive: true, force: true }),
    };
  },
};

function writeAgain(steps: readonly UnderstoodStep[]): string {
  const joins = { always: ";", success: "&&", failure: "||" } as const;
  return steps
    .map(({ when, pipeline }, index) => {
      const programs = pipeline.map((words) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" "));
      return `${index === 0 ? "" : ` ${joins[when]} `}${programs.join(" | ")}`;
    })
    .join("");
}

function compare(shell: string, command: string, steps: readonly UnderstoodStep[], cwd: string): void {
  const { stdout } = spawnSync(shell, ["-c", `${PRELUDE}\n${command}`], {
    cwd,
    env: { PATH: "/nonexistent", LC_ALL: "C.UTF-8" },
    encoding: "utf8",
    timeout: 1500,
    stdio: ["ignore", "pipe", "ignore"],
  });
  promise(
    stdout === told(steps),
    () => `${shell} says ${JSON.stringify(stdout)}, understood was ${JSON.stringify(told(steps))}`,
  );
}

/** What the functions of the prelude print: of a pipeline only its last program is heard. */
function told(steps: readonly UnderstoodStep[]): string {
  let isFine = true;
  let said = "";
  for (const { when, pipeline } of steps) {
    if ((when === "success" && !isFine) || (when === "failure" && isFine)) continue;
    const last = pipeline.at(-1) ?? [];
    isFine = last[0] !== "fail";
    said += `${last.map((word) => `${word}\0`).join("")}\u0001`;
  }
  return said;
}
