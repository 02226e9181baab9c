// The branches that are being talked in, by position: which entry is the n-th, for long conversations as for short ones.
import { type EntryNode, type Ledger, type StoredEntry, type TranscriptEntry, OneAtATime } from "@chela/sdk";
import { parseEntry } from "./conversation.ts";
import { applyLabel } from "./labels.ts";
import { EMPTY_TIP, extendTip, type PathTip } from "./path-tip.ts";
import { PathTree } from "./path-tree.ts";

/** An entry and where it stands. */
export interface PlacedEntry {
  /** -1: not on the branch that is being talked in. */
  readonly index: number;
  readonly entry: TranscriptEntry;
  readonly siblings?: readonly string[];
  readonly labels?: readonly string[];
}

export interface PathPage {
  readonly tip: PathTip;
  readonly entries: readonly PlacedEntry[];
}

/** Whether people see the entry: only between entries they see they can choose a branch. */
export type IsShown = (node: Pick<EntryNode, "type" | "customType">) => boolean;

/** What is remembered of one session: numbers only, never what was said. */
interface KnownPath {
  readonly cutSeq: number;
  lastSeq: number;
  tip: PathTip;
  readonly seqs: number[];
  readonly forks: Map<number, readonly string[]>;
  /** The entry each checkpoint names. */
  readonly labels: Map<string, string>;
}

const CHUNK = 5000;
/** Positions remembered over all sessions, eight bytes each; the session asked for last always stays. */
const MOST_POSITIONS = 500_000;

export class SessionPaths {
  readonly #ledger: Ledger;
  readonly #isShown: IsShown;
  /** The least recently used first. */
  readonly #known = new Map<string, KnownPath>();
  readonly #oneAtATime = new OneAtATime();

  constructor(parts: { readonly ledger: Ledger; readonly isShown: IsShown }) {
    this.#ledger = parts.ledger;
    this.#isShown = parts.isShown;
  }

  async tip(sessionId: string): Promise<PathTip> {
    return (await this.#open(sessionId))?.tip ?? EMPTY_TIP;
  }

  async page(sessionId: string, from: number, limit: number): Promise<PathPage> {
    const known = await this.#open(sessionId);
    if (!known) return { tip: EMPTY_TIP, entries: [] };
    const { tip } = known;
    const seqs = known.seqs.slice(from, from + limit);
    const forks = new Map(seqs.map((seq, at) => [seq, known.forks.get(from + at)]));
    const labels = labelsByEntry(known.labels);
    const stored = await this.#ledger.entriesAt(sessionId, seqs);
    const indexOf = new Map(seqs.map((seq, at) => [seq, from + at]));
    const entries = stored.map((one) => place(one, indexOf.get(one.seq) ?? -1, forks.get(one.seq), labels));
    return { tip, entries };
  }

  /** One entry of any branch. */
  async find(sessionId: string, id: string): Promise<PlacedEntry | undefined> {
    const known = await this.#open(sessionId);
    const [stored] = await this.#ledger.branch(sessionId, id, 1);
    if (!known || !stored) return undefined;
    const index = positionOf(known.seqs, stored.seq);
    return place(stored, index, known.forks.get(index), labelsByEntry(known.labels));
  }

  /** In step with the ledger. */
  #open(sessionId: string): Promise<KnownPath | undefined> {
    return this.#oneAtATime.run(sessionId, async () => {
      const transcript = await this.#ledger.transcript(sessionId);
      if (!transcript) return undefined;
      const known = this.#known.get(sessionId);
      const isFresh = known?.cutSeq === transcript.cutSeq && (await this.#extend(sessionId, known, transcript.lastSeq));
      return this.#remember(sessionId, isFresh ? known : await this.#build(sessionId, transcript.cutSeq));
    });
  }

  /** Adds what was written since; false when it does not continue the branch. */
  async #extend(sessionId: string, known: KnownPath, lastSeq: number): Promise<boolean> {
    while (known.lastSeq < lastSeq) {
      const nodes = await this.#ledger.nodes(sessionId, { afterSeq: known.lastSeq, limit: CHUNK });
      if (nodes.length === 0) return false;
      for (const node of nodes) {
        const step = extendTip(known.tip, node, this.#isShown(node));
        if (!step) return false;
        if (step.siblings) known.forks.set(known.tip.total, step.siblings);
        known.tip = step.tip;
        known.seqs.push(node.seq);
        known.lastSeq = node.seq;
      }
      await this.#readLabels(sessionId, nodes, known.labels);
    }
    return true;
  }

  async #build(sessionId: string, cutSeq: number): Promise<KnownPath> {
    const tree = new PathTree();
    const labels = new Map<string, string>();
    let lastSeq = 0;
    for (;;) {
      const nodes = await this.#ledger.nodes(sessionId, { afterSeq: lastSeq, limit: CHUNK });
      for (const node of nodes) tree.add(node, this.#isShown(node));
      await this.#readLabels(sessionId, nodes, labels);
      lastSeq = nodes.at(-1)?.seq ?? lastSeq;
      if (nodes.length < CHUNK) break;
      // Others are served in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { tip, seqs, forks } = tree.findPath();
    return { cutSeq, lastSeq, tip, seqs, forks, labels };
  }

  async #readLabels(sessionId: string, nodes: readonly EntryNode[], labels: Map<string, string>): Promise<void> {
    const seqs = nodes.filter(({ type }) => type === "label").map(({ seq }) => seq);
    if (seqs.length === 0) return;
    for (const entry of (await this.#ledger.entriesAt(sessionId, seqs)).map(parseEntry)) {
      applyLabel(labels, entry, { point: (targetId) => targetId, targetOf: (targetId) => targetId });
    }
  }

  #remember(sessionId: string, known: KnownPath): KnownPath {
    this.#known.delete(sessionId);
    this.#known.set(sessionId, known);
    let positions = [...this.#known.values()].reduce((sum, { seqs }) => sum + seqs.length, 0);
    for (const [oldest, { seqs }] of this.#known) {
      if (positions <= MOST_POSITIONS || oldest === sessionId) break;
      this.#known.delete(oldest);
      positions -= seqs.length;
    }
    return known;
  }
}

/** Numbers rise along a branch. */
function positionOf(seqs: readonly number[], seq: number): number {
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seqs[middle] ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return seqs[low] === seq ? low : -1;
}

function labelsByEntry(labels: ReadonlyMap<string, string>): Map<string, string[]> {
  const byEntry = new Map<string, string[]>();
  for (const [label, entryId] of labels) byEntry.set(entryId, [...(byEntry.get(entryId) ?? []), label]);
  return byEntry;
}

function place(
  stored: StoredEntry,
  index: number,
  siblings: readonly string[] | undefined,
  labels: ReadonlyMap<string, readonly string[]>,
): PlacedEntry {
  const entry = parseEntry(stored);
  const named = labels.get(entry.id);
  return { index, entry, ...(siblings ? { siblings } : {}), ...(named ? { labels: named } : {}) };
}
