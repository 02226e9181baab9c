// The session indexes on disk: whether each is as we left it, what others made of it, and writing it anew.
import { readFile } from "node:fs/promises";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { parseJson } from "@chela/sdk/base";
import type { Change, Clock, Ids, Ledger, Logger } from "@chela/sdk";
import { sealOf } from "../import/find-files.ts";
import type { Guards, MergeReport } from "../import/merge-index.ts";
import { OPENCLAW_HELD_AT_MOST_MS, tryLock } from "../../../base/locks/lock-file.ts";
import { bytesOf, digestOf, stampOf } from "./file-stamp.ts";
import { KnownIndex, readIndexMarks, writeIndexMark } from "./mark.ts";
import { indexPath, isSharedIndex } from "./paths.ts";
import { writeSessionIndex } from "./session-index.ts";

export interface IndexParts {
  readonly ledger: Ledger;
  readonly stateDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly guards: Guards;
  readonly merged?: (what: string) => Promise<void>;
  readonly takeTranscript: (sessionId: string) => Promise<void>;
  /** Where the configuration says that the indexes are. */
  readonly store?: string;
}

const knownKey = (agentId: string): string => `mirror-index:${agentId}`;

export class IndexFiles {
  readonly #parts: IndexParts;
  readonly #known = new Map<string, KnownIndex | undefined>();
  readonly #unrecorded = new Set<string>();

  constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  /** Whether nobody else wrote the index since we did. One that is gone is written again, not a change. */
  async isOurs(agentId: string): Promise<boolean> {
    const path = this.#pathOf(agentId);
    const stamp = path === undefined ? "" : stampOf(path);
    return stamp === "" || (await this.#knownOf(agentId))?.stamp === stamp;
  }

  /** Takes over what others wrote; undefined when nobody did. */
  async heed(agentId: string): Promise<MergeReport | undefined> {
    const path = this.#pathOf(agentId);
    if (path === undefined || (await this.isOurs(agentId))) return undefined;
    const { log, clock } = this.#parts;
    const { mergeIndex } = await import("../import/merge-index.ts");
    const known = await this.#knownOf(agentId);
    const stamp = stampOf(path);
    const text = await readFile(path, "utf8");
    const digest = digestOf(text);
    // Copied, restored or merely touched.
    if (known?.digest === digest) return void this.#remember(agentId, { ...known, stamp });
    // The import of a first start has read it.
    const seal = known ? undefined : await sealOf(this.#parts.stateDir, path);
    if (seal !== undefined && (await this.#parts.ledger.value(seal)) !== undefined)
      return void this.#remember(agentId, { digest, stamp, at: 0 });
    const began = clock.now();
    const warn = (sentence: string): void => log.warn(sentence);
    const report = await mergeIndex({ ...this.#parts, agentId, warn, knownAt: known?.at }, path, text);
    this.#remember(agentId, { digest, stamp, at: began });
    if (known && Object.values(report).some((count) => count > 0)) {
      log.info("Another program changed the sessions; that was taken over", { file: path, ...report });
      await this.#parts.merged?.(`conversations of ${agentId}: ${inWords(report)}`);
    }
    return report;
  }

  /** "held" while another program is at it. */
  async write(agentId: string, changed: ReadonlySet<string>): Promise<"written" | "held"> {
    const path = this.#pathOf(agentId);
    if (path === undefined) return "written";
    const { clock } = this.#parts;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const release = tryLock(`${path}.lock`, clock, OPENCLAW_HELD_AT_MOST_MS.index);
    if (!release) return "held";
    try {
      await this.heed(agentId);
      const at = clock.now();
      const job = { ...this.#parts, agentId, changed, replacesAt: at };
      await writeSessionIndex(job, (written) => this.#place(agentId, { ...written, at }));
    } finally {
      release();
    }
    return "written";
  }

  /** What the ledger should know of the files from now on. */
  takeUnrecorded(): Change[] {
    const changes = [...this.#unrecorded].map((name): Change => {
      return { kind: "value-put", key: knownKey(name), value: JSON.stringify(this.#known.get(name)) };
    });
    this.#unrecorded.clear();
    return changes;
  }

  bytesOf(agentId: string): number {
    const path = this.#pathOf(agentId);
    return (path === undefined ? undefined : bytesOf(path)) ?? 0;
  }

  #pathOf(agentId: string): string | undefined {
    return indexPath(this.#parts.stateDir, agentId, this.#parts.store);
  }

  /** One name for all agents that share an index. */
  #nameOf(agentId: string): string {
    return isSharedIndex(this.#parts.store) ? "*" : agentId;
  }

  async #knownOf(agentId: string): Promise<KnownIndex | undefined> {
    const name = this.#nameOf(agentId);
    if (!this.#known.has(name)) {
      const read = await this.#readKnown(agentId);
      if (!this.#known.has(name)) this.#known.set(name, read);
    }
    return this.#known.get(name);
  }

  /** The ledger is told some seconds later, so one that was killed meanwhile knows an older index than the one there is. */
  async #readKnown(agentId: string): Promise<KnownIndex | undefined> {
    const { ledger, stateDir } = this.#parts;
    const name = this.#nameOf(agentId);
    const path = this.#pathOf(agentId);
    const marks = readIndexMarks(stateDir)[name];
    const value = await ledger.value(knownKey(name));
    const stamp = path === undefined ? "" : stampOf(path);
    const marked = marks?.find((one) => one.stamp === stamp);
    return marked ?? (value === undefined ? undefined : KnownIndex().safeParse(parseJson(value)).data);
  }

  /** Until the file has its name, the one before it is still there. */
  async #place(agentId: string, next: KnownIndex): Promise<void> {
    const before = await this.#knownOf(agentId);
    writeIndexMark(this.#parts.stateDir, this.#nameOf(agentId), before ? [next, before] : [next]);
    this.#remember(agentId, next);
  }

  #remember(agentId: string, known: KnownIndex): void {
    this.#known.set(this.#nameOf(agentId), known);
    this.#unrecorded.add(this.#nameOf(agentId));
  }
}

function inWords({ added, changed, startedAnew, deleted }: MergeReport): string {
  const counts = { added, changed, "started anew": startedAnew, deleted };
  return Object.entries(counts)
    .flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
    .join(", ");
}
