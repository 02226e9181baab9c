// The tests of `npm test`, with their temporary files in memory where that is possible. Flags behind `--` go to vitest.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { type FailedFile, FAILURES } from "./failures-reporter.ts";

/** Several times what lies there at once. */
const ENOUGH_MEMORY = 6 * 2 ** 30;
/** What is mounted like this is seen by these tests only, and goes with the last of their processes, however that ends. */
const MOUNT = 'mount -t tmpfs -o mode=1777 tmpfs "$0" && exec "$@"';
/** More than this is no accident. */
const MOST_UNSTEADY = 3;
/** What these lose once is lost. */
const NEVER_AGAIN = ["durability", "year"];

const notes = mkdtempSync(join(tmpdir(), "chela-failures-"));
const code = await runTwice(process.argv.slice(2));
rmSync(notes, { recursive: true });
process.exit(code);

/**
 * Thousands of tests with real processes, on machines that do other things, too: a file with one that fails is tried again,
 * by itself and in a new process. What passes then is named, and has to be mended.
 */
async function runTwice(flags: readonly string[]): Promise<number> {
  const first = await run("first", flags);
  const { code: firstCode, failed } = first;
  if (!failed || failed.length === 0 || failed.length > MOST_UNSTEADY) return firstCode;
  if (failed.some(({ project }) => NEVER_AGAIN.includes(project))) return firstCode;
  process.stdout.write(`Once more: ${failed.map(({ file }) => file).join(", ")}\n`);
  const second = await run("second", [...flags, ...failed.map(({ file }) => file)]);
  if (second.code !== 0) return second.code;
  for (const { file, tests } of failed)
    process.stdout.write(`UNSTEADY: ${file}\n${tests.map((test) => `  ${test}\n`).join("")}`);
  return 0;
}

/** The failures are unknown where the tests did not come to their end. */
async function run(
  name: string,
  flags: readonly string[],
): Promise<{ code: number; failed: FailedFile[] | undefined }> {
  const failures = join(notes, name);
  const place = mkdtempSync(join(tmpdir(), "chela-"));
  const command = ["vitest", "run", ...flags];
  // A gateway waits for the disk whenever it commits: in all tests together for minutes.
  const canMount = freemem() > ENOUGH_MEMORY && spawnSync("unshare", inMemory(place, "true")).status === 0;
  const inPlace = { TMPDIR: place, CHELA_TEST_DISK: tmpdir(), NODE_COMPILE_CACHE: join(place, "compiled") };
  const env = { ...process.env, [FAILURES]: failures, ...(canMount ? inPlace : {}) };
  const child = canMount
    ? spawn("unshare", inMemory(place, ...command), { stdio: "inherit", env })
    : spawn("vitest", command.slice(1), { stdio: "inherit", env });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  const ended = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  rmdirSync(place);
  const failed = existsSync(failures) ? (JSON.parse(readFileSync(failures, "utf8")) as FailedFile[]) : undefined;
  return { code: ended, failed };
}

function inMemory(place: string, ...command: string[]): string[] {
  return ["--mount", "--propagation", "private", "sh", "-c", MOUNT, place, ...command];
}
