// `npm run fuzz`: feeds every reader of outside text with changed inputs for a while, and tells what broke a promise.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { Finding } from "../fuzz/explore.ts";
import { loadTarget, TARGET_NAMES } from "../fuzz/targets.ts";
import { fuzzTarget, type WatchOptions } from "../fuzz/watch.ts";

const FOUND = join(import.meta.dirname, "../fuzz/found");
const PATIENCE_MS = 2_000;
const USAGE = `npm run fuzz -- [--only target,…] [--seconds 10] [--runs N] [--seed N] [--plain] [--input file] [--list]
  --only     some targets, by name or the beginning of it
  --seconds  how long for each target; with --runs as long as these take
  --seed     the same inputs again; by default another one each time, which is printed
  --plain    without looking at which code an input reaches
  --input    only this input, such as one of fuzz/found/`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      seconds: { type: "string" },
      runs: { type: "string" },
      seed: { type: "string" },
      input: { type: "string" },
      plain: { type: "boolean" },
      list: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const wanted = values.only?.split(",") ?? [""];
  const targets = TARGET_NAMES.filter((name) => wanted.some((begin) => name.startsWith(begin)));
  if (targets.length === 0) throw new Error(`no target is called ${values.only}; --list tells their names`);
  return { ...values, targets };
}

const { targets, ...values } = readOptions();
if (values.help) console.log(USAGE);
else if (values.list) for (const name of targets) console.log(`${name}\n  ${(await loadTarget(name)).promises}`);
else process.exitCode = await fuzzAll();

async function fuzzAll(): Promise<number> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const runs = Number(values.runs ?? Infinity);
  const seconds = Number(values.seconds ?? (values.runs === undefined ? 10 : Infinity));
  const input = values.input === undefined ? {} : { input: readFileSync(values.input, "utf8") };
  console.log(`seed ${seed}, ${targets.length} targets`);
  let [total, broken] = [0, 0];
  for (const name of targets) {
    const options: WatchOptions = {
      target: name,
      seed,
      runs,
      seconds,
      isGuided: !values.plain,
      patienceMs: PATIENCE_MS,
      ...input,
    };
    const explored = await fuzzTarget(options);
    total += explored.runs;
    console.log(
      `${explored.finding ? "FAIL" : "ok  "} ${name.padEnd(32)} ${String(explored.runs).padStart(9)} runs ${String(explored.corpus).padStart(4)} kept`,
    );
    if (explored.finding) {
      broken += 1;
      report(name, seed, explored.finding);
    }
  }
  console.log(`${total} runs in all, ${broken === 0 ? "no promise broken" : `${broken} targets broke a promise`}`);
  return broken === 0 ? 0 : 1;
}

function report(name: string, seed: number, { kind, says, stack, input }: Finding): void {
  mkdirSync(FOUND, { recursive: true });
  const file = join(FOUND, `${name}-${seed}.txt`);
  writeFileSync(file, input);
  const place = stack.split("\n").slice(1, 6).join("\n");
  const shown = JSON.stringify(input);
  console.log(`\n  ${kind}: ${says.slice(0, 1000)}\n${place}`);
  console.log(`  input: ${shown.length > 600 ? `${shown.slice(0, 600)}… (${input.length} characters)` : shown}`);
  console.log(`  again: npm run fuzz -- --only ${name} --input ${relative(process.cwd(), file)}\n`);
}
