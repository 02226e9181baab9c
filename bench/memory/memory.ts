// Measures memory search and prints what it finds and how fast: npm run bench:memory.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judge, type Figure } from "../figure.ts";
import { formatTable } from "../table.ts";
import { measureDebian, measureHeldOut, measureLife, type Measured, type QualityWish } from "./quality.ts";
import { measureScale } from "./scale.ts";
import { measureSpeed } from "./speed.ts";

const GROUPS = ["life", "held-out", "debian", "speed", "scale", "vectors"] as const;
type Group = (typeof GROUPS)[number];

const USAGE = `npm run bench:memory -- [options]
  --only GROUPS    some of ${GROUPS.join(",")}
  --quick          fewer notes and no million of vectors: to see that everything works
  --million        whole questions among a million pieces, too: takes a quarter of an hour
  --choose         chooses how words count beside vectors, each set left out once; nothing else is measured
  --misses         tells which questions were not answered among the first five
  --strict         exits with 1 when a target is missed or could not be measured
History search is measured by npm run bench -- --only search.`;

interface Options {
  readonly groups: readonly Group[];
  readonly isQuick: boolean;
  readonly hasMillion: boolean;
  readonly isStrict: boolean;
  readonly chooses: boolean;
  readonly showsMisses: boolean;
}

function readOptions(): Options | "help" {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      million: { type: "boolean", default: false },
      choose: { type: "boolean", default: false },
      misses: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const wanted = values.only?.split(",") ?? GROUPS;
  const unknown = wanted.find((name) => !GROUPS.some((group) => group === name));
  if (unknown !== undefined) throw new Error(`There is no group "${unknown}". ${USAGE}`);
  return {
    groups: GROUPS.filter((group) => wanted.includes(group)),
    isQuick: values.quick,
    hasMillion: values.million,
    isStrict: values.strict,
    chooses: values.choose,
    showsMisses: values.misses,
  };
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function qualityWish({ isQuick, showsMisses }: Options, root: string): QualityWish {
  const amount = isQuick
    ? { distractors: 500, packages: 100 }
    : { distractors: Number.POSITIVE_INFINITY, packages: 500 };
  return { root, ...amount, showsMisses, say };
}

async function measure(group: Group, options: Options, root: string): Promise<Measured> {
  const { isQuick } = options;
  const wish = qualityWish(options, root);
  if (group === "life") return measureLife(wish);
  if (group === "held-out") return measureHeldOut(wish);
  if (group === "debian") return measureDebian(wish);
  if (group === "speed") return { text: "", figures: await measureSpeed(root, say) };
  if (group === "scale") {
    const sizes = isQuick ? [5_000] : options.hasMillion ? [100_000, 1_000_000] : [100_000];
    const figures: Figure[] = [];
    for (const chunks of sizes) figures.push(...(await measureScale({ root, chunks, say })));
    return { text: "", figures };
  }
  const { measureVectors } = await import("./vectors.ts");
  return { text: "", figures: await measureVectors({ withMillion: !isQuick }) };
}

/** One group that breaks must not hide what the others found. */
async function measureSafely(group: Group, options: Options, root: string): Promise<Measured> {
  try {
    return await measure(group, options, root);
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error);
    return { text: "", figures: [{ metric: group, unit: "", samples: [], note }] };
  }
}

async function run(options: Options): Promise<number> {
  const load = loadavg().map((value) => value.toFixed(2));
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average ${load.join(" ")}`);
  const root = mkdtempSync(join(tmpdir(), "chela-memory-bench-"));
  const figures: Figure[] = [];
  try {
    if (options.chooses) {
      const { chooseFusion } = await import("./choose-fusion.ts");
      console.log(`\n${await chooseFusion(qualityWish(options, root))}`);
      return 0;
    }
    for (const group of options.groups) {
      const measured = await measureSafely(group, options, root);
      if (measured.text !== "") console.log(`\n${measured.text}`);
      figures.push(...measured.figures);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (figures.length > 0) console.log(`\n${formatTable(figures)}`);
  const missed = figures.filter((figure) => judge(figure) === "short").length;
  const unmeasured = figures.filter((figure) => judge(figure) === "n/a").length;
  console.log(`\nTargets missed: ${missed}. Could not be measured: ${unmeasured}.`);
  return options.isStrict && missed + unmeasured > 0 ? 1 : 0;
}

try {
  const options = readOptions();
  if (options === "help") console.log(USAGE);
  else process.exitCode = await run(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
