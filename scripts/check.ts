// `npm run check`: types, lint, direction of imports, unused code, format. All at once; quiet when all is well.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** They find out the same things, each for itself: more of them than there is room for beside the other checks only cost time. */
const CHECKERS = ["--checkers", String(Math.max(1, Math.floor(availableParallelism() / 2)))];
const CHECKS: ReadonlyArray<readonly [name: string, command: string, ...args: string[]]> = [
  ["types", "tsc", "-p", ".", ...CHECKERS],
  ["types of the page", "tsc", "-p", "packages/ui", ...CHECKERS],
  ["types of its tests", "tsc", "-p", "packages/ui/test", ...CHECKERS],
  ["lint", "oxlint"],
  ["direction", "node", "scripts/check-direction.ts"],
  ["unused code", "knip", "--no-progress"],
  ["format", "oxfmt", "--check", "packages", "scripts", "bench", "fuzz"],
];

function run([name, command, ...args]: (typeof CHECKS)[number]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (part) => (output += part));
    child.stderr.on("data", (part) => (output += part));
    child.on("error", (error) => resolve(report(name, false, error.message)));
    child.on("close", (code) => resolve(report(name, code === 0, output)));
  });
}

function report(name: string, isOk: boolean, output: string): boolean {
  console.log(`${isOk ? "ok   " : "FAIL "} ${name}`);
  if (!isOk) console.log(output.trimEnd());
  return isOk;
}

const results = await Promise.all(CHECKS.map(run));
process.exit(results.every(Boolean) ? 0 : 1);
