// The embedder that needs no key and no network: the model that comes with Chela, run in threads of the keeper.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { GatewayError, type Clock } from "@chela/sdk";
import type { CrowdBias, Embedder } from "../embedder.ts";
import type { KeeperLog } from "../keeper-log.ts";
import { findPackage } from "./find-package.ts";
import { ModelThreads, type Thread, type ThreadEvents } from "./model-threads.ts";
import { findModelFiles, NO_MODEL } from "./model-files.ts";
import type { SessionWish } from "./model-session.ts";

export interface LocalParts {
  readonly clock: Clock;
  readonly log: KeeperLog;
  /** Folders the owner may have installed onnxruntime-node into. */
  readonly packageFolders?: readonly string[];
}

const MOST_THREADS = 2;
/**
 * Measured on questions in other words and on descriptions of Debian packages: with a share from 0.2 to
 * 0.4 more is found, most with texts that have little in common. Tables of words do not gain by it.
 */
const CROWD: CrowdBias = { share: 0.3, usual: 0.5, least: 0.35 };

/** One is enough for all agents: it holds the model once, for a minute after the last text. */
export function createLocalEmbedder(parts: LocalParts, files = findModelFiles()): Embedder {
  const crew =
    files &&
    openCrew(parts, {
      model: files.model,
      runtime: files.runtime,
      tokens: { kind: "word pieces", path: files.vocabulary },
    });
  return {
    provider: "local",
    model: "all-MiniLM-L6-v2-q8",
    providerKey: "",
    languages: "en",
    bias: { crowd: CROWD },
    async embed(texts, purpose, signal) {
      if (!crew) throw new GatewayError("MEMORY_EMBEDDING", NO_MODEL);
      return crew.embed(texts, purpose === "query", signal);
    },
    async unload() {
      await crew?.unload();
    },
  };
}

export function openCrew({ clock, log, packageFolders }: LocalParts, wish: Omit<SessionWish, "native">): ModelThreads {
  const start = (events: ThreadEvents): Thread =>
    startThread({ ...wish, native: findPackage("onnxruntime-node", packageFolders) }, events);
  return new ModelThreads({ clock, log, mostThreads: Math.min(MOST_THREADS, availableParallelism()), start });
}

function startThread(workerData: SessionWish, { heard, ended }: ThreadEvents): Thread {
  const worker = new Worker(findProgram(), { workerData, name: "embedding model", execArgv: [] });
  let why: unknown = "it ended by itself";
  worker.on("message", heard);
  worker.on("error", (error) => (why = error));
  worker.on("exit", () => ended(why));
  return {
    give: (job) => worker.postMessage(job, []),
    hold: (isNeeded) => void (isNeeded ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}

/** Beside this file: as a source, or as built. */
function findProgram(): URL {
  const source = new URL("./model-thread.ts", import.meta.url);
  return existsSync(fileURLToPath(source)) ? source : new URL("./memory-model-thread.js", import.meta.url);
}
