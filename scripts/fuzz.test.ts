// Every target keeps its promises for a few hundred inputs, and for every input that once broke one.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { explore, type Explored } from "../fuzz/explore.ts";
import { createJudge } from "../fuzz/judge.ts";
import { minimise } from "../fuzz/minimise.ts";
import { promise, type Target } from "../fuzz/target.ts";
import { loadTarget, TARGET_NAMES } from "../fuzz/targets.ts";

const CASES = join(import.meta.dirname, "../fuzz/cases");
const SEED = 7;
const RUNS = 300;
/** Some need a shell or a parser for each input. */
const SLOW_RUNS: Readonly<Record<string, number>> = {
  markdown: 30,
  dialects: 30,
  http: 100,
  "config-text": 100,
  "exec-grammar": 100,
  "answer-openai-responses": 60,
  "answer-anthropic-messages": 60,
  "answer-google-generative-ai": 60,
};

async function run(target: Target, runs: number): Promise<Explored> {
  const opened = await target.open();
  try {
    return await explore(target, createJudge(opened), { seed: SEED, runs, isOver: () => false });
  } finally {
    await opened.close?.();
  }
}

describe("promises", () => {
  it.each(TARGET_NAMES)("of %s are kept", async (name) => {
    const { runs, finding } = await run(await loadTarget(name), SLOW_RUNS[name] ?? RUNS);
    expect(finding).toBeUndefined();
    expect(runs).toBeGreaterThanOrEqual(30);
  });

  const cases = globSync("*/*.txt", { cwd: CASES }).toSorted();
  it.each(cases)("that %s once broke are kept", async (path) => {
    const [name = ""] = path.split("/");
    const opened = await (await loadTarget(name)).open();
    try {
      expect(await createJudge(opened)(readFileSync(join(CASES, path), "utf8")), basename(path)).toBeUndefined();
    } finally {
      await opened.close?.();
    }
  });
});

describe("a broken promise", () => {
  const target = (check: (input: string) => void): Target => ({
    name: "made up",
    promises: "",
    kind: "json",
    seeds: () => ['{"a":[1,2,3],"b":"text"}'],
    words: ["needle"],
    open: () => ({ run: check }),
  });

  it.each<[string, (input: string) => void]>([
    ["broken promise", (input) => promise(!input.includes("needle"), "there is a needle")],
    ["unexpected error", (input) => void (input.includes("null") && Reflect.ownKeys(undefined as never))],
    ["changed prototype", mergeCarelessly],
  ])("is found: %s", async (kind, check) => {
    expect((await run(target(check), 20_000)).finding?.kind).toBe(kind);
  });

  it("comes with the same input for the same seed", async () => {
    const needle = target((input) => promise(!input.includes("needle"), "there is a needle"));
    const inputs = [await run(needle, 5000), await run(needle, 5000)].map(({ finding }) => finding?.input);
    expect(inputs[0]).toContain("needle");
    expect(inputs[1]).toBe(inputs[0]);
  });

  it("is told with an input that cannot be shorter", async () => {
    const fails = async (input: string): Promise<boolean> => /x.*y/s.test(input);
    expect(await minimise(`${"-".repeat(500)}x${"-".repeat(300)}y--`, { fails, tries: 1000 })).toBe("xy");
  });
});

/** As many programs have done it. */
function mergeCarelessly(input: string): void {
  const merge = (into: Record<string, unknown>, from: object): void => {
    for (const [key, value] of Object.entries(from)) {
      if (typeof value !== "object" || value === null) Reflect.set(into, key, value);
      else if (typeof into[key] === "object" && into[key] !== null) merge(into[key] as Record<string, unknown>, value);
    }
  };
  if (input.startsWith("{") && input.length < 1000 && isJson(input)) merge({}, JSON.parse(input) as object);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
