// Tries inputs until one breaks a promise, the runs are used up or the time is over.
import type { Coverage } from "./coverage.ts";
import type { Failure, Judge } from "./judge.ts";
import { mutate } from "./mutate.ts";
import { createRandom, hashOf } from "./random.ts";
import type { Target } from "./target.ts";

export interface ExploreOptions {
  readonly seed: number;
  readonly runs: number;
  /** True ends it before its runs are used up. */
  isOver(): boolean;
  /** Told before each run, so that an input that never comes back is known. */
  began?(input: string): void;
  readonly coverage?: Coverage;
}

export interface Finding extends Failure {
  readonly input: string;
}

export interface Explored {
  readonly runs: number;
  /** The seeds, and inputs that reached something no other had. */
  readonly corpus: number;
  readonly finding?: Finding;
}

/** After how many runs the time and the coverage are looked at. */
const BATCH = 200;
const MOST_KEPT = 500;
const MOST_RSS_BYTES = 1_500 * 1024 * 1024;

export function explore(target: Target, judge: Judge, options: ExploreOptions): Promise<Explored> {
  return new Exploration(target, judge, options).run();
}

class Exploration {
  readonly #target: Target;
  readonly #judge: Judge;
  readonly #options: ExploreOptions;
  #corpus: string[] = [];
  readonly #seen = new Set<string>();
  #runs = 0;

  constructor(target: Target, judge: Judge, options: ExploreOptions) {
    this.#target = target;
    this.#judge = judge;
    this.#options = options;
  }

  async run(): Promise<Explored> {
    const random = createRandom(this.#options.seed ^ hashOf(this.#target.name));
    this.#corpus = [...(await this.#target.seeds())];
    let finding = await this.#tryAll(this.#corpus);
    this.#takeNew();
    while (!finding && this.#runs < this.#options.runs && !this.#options.isOver()) {
      const count = Math.min(BATCH, this.#options.runs - this.#runs);
      const batch = Array.from({ length: count }, () => mutate(this.#target, this.#corpus, random));
      finding = (await this.#tryAll(batch)) ?? findHeavy(batch) ?? (await this.#keepNew(batch));
    }
    return { runs: this.#runs, corpus: this.#corpus.length, ...(finding ? { finding } : {}) };
  }

  async #tryAll(inputs: readonly string[]): Promise<Finding | undefined> {
    for (const input of inputs) {
      this.#options.began?.(input);
      this.#runs += 1;
      const failure = await this.#judge(input);
      if (failure) return { ...failure, input };
    }
    return undefined;
  }

  /** Finds the input that reached something new by trying halves again: looking after each run would cost more. */
  async #keepNew(batch: readonly string[]): Promise<Finding | undefined> {
    const fresh = this.#corpus.length < MOST_KEPT ? this.#takeNew() : new Set<string>();
    if (fresh.size === 0) return undefined;
    let left = batch;
    while (left.length > 1) {
      const half = left.slice(0, left.length / 2);
      const finding = await this.#tryAll(half);
      if (finding) return finding;
      const reached = this.#options.coverage?.take() ?? new Set();
      left = [...fresh].some((part) => reached.has(part)) ? half : left.slice(half.length);
    }
    this.#corpus.push(...left);
    return undefined;
  }

  #takeNew(): ReadonlySet<string> {
    const taken = this.#options.coverage?.take() ?? new Set<string>();
    const fresh = new Set([...taken].filter((part) => !this.#seen.has(part)));
    for (const part of fresh) this.#seen.add(part);
    return fresh;
  }
}

function findHeavy(batch: readonly string[]): Finding | undefined {
  const rss = process.memoryUsage.rss();
  if (rss < MOST_RSS_BYTES) return undefined;
  const says = `the process has grown to ${Math.round(rss / 1024 / 1024)} MB`;
  return { kind: "too much memory", says, stack: "", input: batch.at(-1) ?? "" };
}
