// Explores one target in a thread of its own, so that an input that never comes back can be taken away from it.
import { parentPort, workerData } from "node:worker_threads";
import { watchCoverage } from "./coverage.ts";
import { explore, type Explored, type Finding } from "./explore.ts";
import { createJudge, isSameFailure, type Judge } from "./judge.ts";
import { minimise } from "./minimise.ts";
import { shareInput } from "./shared-input.ts";
import { loadTarget } from "./targets.ts";

export interface WorkerTask {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly runs: number;
  readonly isGuided: boolean;
  /** Only this input is tried. */
  readonly input?: string;
  readonly memory: SharedArrayBuffer;
}

export type WorkerWord =
  /** Now the time of each run counts. */
  | { readonly kind: "ready" }
  /** A finding that may yet become shorter. */
  | { readonly kind: "found"; readonly finding: Finding; readonly runs: number }
  | { readonly kind: "done"; readonly explored: Explored };

const MINIMISING_TRIES = 3000;

async function work({ target: name, seed, seconds, runs, isGuided, input, memory }: WorkerTask): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const tell = (word: WorkerWord): void => parentPort?.postMessage(word);
  const target = await loadTarget(name);
  const opened = await target.open();
  const judge = createJudge(opened);
  const shared = shareInput(memory);
  tell({ kind: "ready" });
  try {
    if (input !== undefined) {
      shared.put(input);
      const failure = await judge(input);
      return tell({
        kind: "done",
        explored: { runs: 1, corpus: 0, ...(failure ? { finding: { ...failure, input } } : {}) },
      });
    }
    using coverage = isGuided ? watchCoverage() : undefined;
    const end = performance.now() + seconds * 1000;
    const explored = await explore(target, judge, {
      seed,
      runs,
      isOver: () => performance.now() > end,
      began: shared.put,
      ...(coverage ? { coverage } : {}),
    });
    const { finding } = explored;
    if (!finding) return tell({ kind: "done", explored });
    tell({ kind: "found", finding, runs: explored.runs });
    tell({ kind: "done", explored: { ...explored, finding: await shorten(finding, judge, shared.put) } });
  } finally {
    await opened.close?.();
  }
}

async function shorten(finding: Finding, judge: Judge, began: (input: string) => void): Promise<Finding> {
  const fails = async (candidate: string): Promise<boolean> => {
    began(candidate);
    const failure = await judge(candidate);
    return failure !== undefined && isSameFailure(failure, finding);
  };
  const input = await minimise(finding.input, { fails, tries: MINIMISING_TRIES });
  const failure = await judge(input);
  return failure ? { ...failure, input } : finding;
}

await work(workerData as WorkerTask);
