// Runs a target in a worker and watches over it: a run may take two seconds and so much memory, not more.
import { Worker } from "node:worker_threads";
import type { Explored, Finding } from "./explore.ts";
import { minimise } from "./minimise.ts";
import { shareInput } from "./shared-input.ts";
import type { WorkerTask, WorkerWord } from "./worker.ts";

export interface WatchOptions extends Omit<WorkerTask, "memory"> {
  /** How long one run may take. */
  readonly patienceMs: number;
}

const HEAP_MB = 768;
const LOOKS_PER_PATIENCE = 8;
/** Each of them takes as long as a hang is waited for. */
const HANG_TRIES = 24;

/** Never rejects for what an input does; a worker that cannot even begin is an error. */
export async function fuzzTarget(options: WatchOptions): Promise<Explored> {
  const explored = await watchOnce(options);
  const { finding } = explored;
  if (finding?.kind !== "too slow") return explored;
  // On a busy machine anything may take long once.
  if (!(await isSlow(finding.input, options))) return { runs: explored.runs, corpus: explored.corpus };
  const fails = (input: string) => isSlow(input, options);
  return { ...explored, finding: { ...finding, input: await minimise(finding.input, { fails, tries: HANG_TRIES }) } };
}

async function isSlow(input: string, options: WatchOptions): Promise<boolean> {
  return (await watchOnce({ ...options, input })).finding?.kind === "too slow";
}

function watchOnce({ patienceMs, ...task }: WatchOptions): Promise<Explored> {
  const shared = shareInput();
  const data: WorkerTask = { ...task, memory: shared.memory };
  const worker = new Worker(new URL("worker.ts", import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    let looking: NodeJS.Timeout | undefined;
    let found: { readonly finding: Finding; readonly runs: number } | undefined;
    const end = (explored: Explored): void => {
      clearInterval(looking);
      void worker.terminate().then(() => resolve(explored));
    };
    /** What is known when the worker cannot say it itself. */
    const giveUp = (kind: Finding["kind"], says: string): void => {
      const finding = found?.finding ?? { kind, says, stack: "", input: shared.get() };
      end({ runs: found?.runs ?? shared.count, corpus: 0, finding });
    };
    const look = (): void => {
      let [last, same] = [shared.count, 0];
      looking = setInterval(() => {
        same = shared.count === last ? same + 1 : 0;
        last = shared.count;
        if (same >= LOOKS_PER_PATIENCE) giveUp("too slow", `it takes longer than ${patienceMs} ms`);
      }, patienceMs / LOOKS_PER_PATIENCE);
    };
    worker.on("message", (word: WorkerWord) => {
      if (word.kind === "ready") look();
      else if (word.kind === "found") found = word;
      else end(word.explored);
    });
    worker.on("error", (error: Error & { code?: string }) => {
      clearInterval(looking);
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") giveUp("too much memory", `it needs more than ${HEAP_MB} MB`);
      else if (shared.count === 0) reject(error);
      else giveUp("unexpected error", `it crashed the thread: ${error.stack ?? String(error)}`);
    });
  });
}
