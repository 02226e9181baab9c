// The transcript as a tree: which branches there are, named checkpoints, and going back to an earlier point.
import { defined } from "@chela/sdk/base";
import { GatewayError, textOf, type AgentMessage, type Ledger, type TranscriptEntry } from "@chela/sdk";
import { asWritten } from "../../base/text/written-text.ts";
import { parseEntry } from "./conversation.ts";
import { applyLabel } from "./labels.ts";
import type { Transcripts } from "./transcripts.ts";

interface Branch {
  /** The last message of the branch. */
  readonly entryId: string;
  readonly timestamp: string;
  /** The beginning of what a person said last in it. */
  readonly preview: string;
  readonly labels: readonly string[];
  /** The conversation goes on here. */
  readonly isActive: boolean;
}

export interface Checkpoint {
  readonly entryId: string;
  readonly label: string;
  readonly timestamp: string;
}

export interface SessionTree {
  readonly branches: readonly Branch[];
  readonly checkpoints: readonly Checkpoint[];
}

/** A point to go back to: a checkpoint's name, an entry's id or the beginning of one, or a number of messages back. */
export type TreeTarget =
  | {
      readonly ref: string;
      /** Not the point itself: right before it, or the newest point that came of it. */
      readonly side?: "before" | "end";
    }
  | { readonly turns: number };

export interface TreeMove {
  /** Where the conversation is now; null is its beginning. */
  readonly entryId: string | null;
  /** How many messages were left behind. */
  readonly dropped: number;
  readonly preview: string;
}

/** More than a person looks through; older branches stay in the transcript. */
const NEWEST_ENTRIES = 5000;
const PREVIEW_CHARS = 80;
const SHORTEST_PREFIX = 4;
/** The mark that moves the conversation to another place of the tree. */
const MOVED = "chela.moved";

export class Branches {
  readonly #ledger: Ledger;
  readonly #transcripts: Transcripts;

  constructor(parts: { readonly ledger: Ledger; readonly transcripts: Transcripts }) {
    this.#ledger = parts.ledger;
    this.#transcripts = parts.transcripts;
  }

  async tree(sessionId: string): Promise<SessionTree> {
    return readTree(await this.#entries(sessionId));
  }

  /** Gives the present point a name; the same name again moves it here. */
  async checkpoint(sessionId: string, label: string): Promise<Checkpoint> {
    const tip = nearestMessage(new Index(await this.#entries(sessionId)), "last");
    if (!tip) throw new GatewayError("SESSION_TREE", "there is nothing to name yet: the conversation is empty");
    const [id = ""] = await this.#transcripts.append(sessionId, [{ type: "label", targetId: tip.id, label }]);
    return { entryId: id && tip.id, label, timestamp: tip.timestamp };
  }

  /** Gives a checkpoint another name, or takes its name away. Throws SESSION_TREE. */
  async renameCheckpoint(sessionId: string, label: string, to: string | null): Promise<Checkpoint> {
    const entries = await this.#entries(sessionId);
    const all = readCheckpoints(entries, new Index(entries));
    const named = (name: string) => all.find((one) => one.label.toLowerCase() === name.toLowerCase());
    const found = named(label);
    if (!found) throw new GatewayError("SESSION_TREE", `"${label}" is not known${knownNames(all)}`);
    const taken = to === null ? undefined : named(to);
    if (taken && taken !== found)
      throw new GatewayError("SESSION_TREE", `"${taken.label}" is the name of another point`);
    const { entryId: targetId } = found;
    await this.#transcripts.append(sessionId, [
      { type: "label", targetId, removed: found.label },
      ...(to === null ? [] : [{ type: "label", targetId, label: to }]),
    ]);
    return { ...found, label: to ?? found.label };
  }

  /**
   * The conversation goes on from the target; what came after it stays in the transcript as another branch.
   * The same `by` again does nothing: a request that is repeated must not go back twice.
   */
  async moveTo(sessionId: string, target: TreeTarget, by?: string): Promise<TreeMove> {
    const entries = await this.#entries(sessionId);
    const index = new Index(entries);
    const done = by === undefined ? undefined : entries.findLast((entry) => moveOf(entry)?.by === by);
    if (done) return { entryId: done.parentId, dropped: 0, preview: previewAt(index, done.parentId) };
    const entryId = "turns" in target ? turnsBack(index, target.turns) : placeOf(index, entries, target);
    const dropped = messagesAfter(index, entryId);
    const from = entries.at(-1)?.id ?? null;
    const data = { from, to: entryId, ...defined({ by }) };
    await this.#transcripts.append(sessionId, [{ type: "custom", customType: MOVED, data }], { parentId: entryId });
    return { entryId, dropped, preview: previewAt(index, entryId) };
  }

  async #entries(sessionId: string): Promise<TranscriptEntry[]> {
    return (await this.#ledger.entries(sessionId, { newest: NEWEST_ENTRIES })).map(parseEntry);
  }
}

class Index {
  readonly #byId: ReadonlyMap<string, TranscriptEntry>;
  readonly last: TranscriptEntry | undefined;

  constructor(entries: readonly TranscriptEntry[]) {
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.last = entries.at(-1);
  }

  get(id: string | null): TranscriptEntry | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  /** From the entry to the root, itself included. */
  *up(entry: TranscriptEntry | undefined): Iterable<TranscriptEntry> {
    const seen = new Set<string>();
    for (let next = entry; next && !seen.has(next.id); next = this.get(next.parentId)) {
      seen.add(next.id);
      yield next;
    }
  }
}

function readTree(entries: readonly TranscriptEntry[]): SessionTree {
  const index = new Index(entries);
  const parents = new Set(entries.map(({ parentId }) => parentId));
  const checkpoints = readCheckpoints(entries, index);
  const active = nearestMessage(index, "last");
  const tips = entries.filter(({ id }) => !parents.has(id)).map((leaf) => nearestMessage(index, leaf));
  const known = new Map([...tips, active].flatMap((tip) => (tip ? [[tip.id, tip] as const] : [])));
  const inside = new Set(
    [...known.values()].flatMap((tip) => [...index.up(index.get(tip.parentId))].map(({ id }) => id)),
  );
  const branches = [...known.values()].filter(({ id }) => id === active?.id || !inside.has(id));
  return {
    checkpoints,
    branches: branches
      .map((tip) => ({
        entryId: tip.id,
        timestamp: tip.timestamp,
        preview: previewOf(index, tip),
        labels: checkpoints.filter(({ entryId }) => entryId === tip.id).map(({ label }) => label),
        isActive: tip.id === active?.id,
      }))
      .toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1)),
  };
}

/** The newest place of each name. */
function readCheckpoints(entries: readonly TranscriptEntry[], index: Index): Checkpoint[] {
  const byLabel = new Map<string, Checkpoint>();
  for (const entry of entries) {
    applyLabel(byLabel, entry, {
      point: (targetId) =>
        index.get(targetId) && { entryId: targetId, label: String(entry["label"]), timestamp: entry.timestamp },
      targetOf: ({ entryId }) => entryId,
    });
  }
  return [...byLabel.values()].reverse();
}

function nearestMessage(index: Index, from: TranscriptEntry | "last"): TranscriptEntry | undefined {
  for (const entry of index.up(from === "last" ? index.last : from)) if (isSaid(entry)) return entry;
  return undefined;
}

function placeOf(index: Index, entries: readonly TranscriptEntry[], target: Extract<TreeTarget, { ref: string }>) {
  const found = findEntry(index, entries, target.ref);
  if (target.side === "before") return found.parentId;
  if (target.side !== "end") return found.id;
  const newest = entries.findLast((entry) => isSaid(entry) && [...index.up(entry)].some(({ id }) => id === found.id));
  return (newest ?? found).id;
}

function moveOf(entry: TranscriptEntry): { by?: string } | undefined {
  return entry.type === "custom" && entry["customType"] === MOVED ? (entry["data"] as { by?: string }) : undefined;
}

function previewAt(index: Index, entryId: string | null): string {
  const entry = index.get(entryId);
  return entry ? previewOf(index, entry) : "";
}

function isSaid(entry: TranscriptEntry): boolean {
  return entry.type === "message" || entry.type === "compaction" || entry.type === "custom_message";
}

function isFromPerson(entry: TranscriptEntry): boolean {
  // What the gateway asked its agent itself is nobody's turn.
  if (entry.type !== "message" || entry["internal"] === true) return false;
  return (entry["message"] as { role?: string } | undefined)?.role === "user";
}

function previewOf(index: Index, tip: TranscriptEntry): string {
  for (const entry of index.up(tip)) {
    if (!isFromPerson(entry)) continue;
    const text = asWritten(textOf(entry["message"] as AgentMessage))
      .replace(/\s+/g, " ")
      .trim();
    return text.length > PREVIEW_CHARS ? `${text.slice(0, PREVIEW_CHARS - 1)}…` : text;
  }
  return "";
}

/** The entry before the last `turns` messages of people; null is the beginning. */
function turnsBack(index: Index, turns: number): string | null {
  let left = turns;
  for (const entry of index.up(index.last)) {
    if (isFromPerson(entry) && --left === 0) return entry.parentId;
  }
  throw new GatewayError("SESSION_TREE", `there are fewer than ${turns} messages to go back`);
}

function findEntry(index: Index, entries: readonly TranscriptEntry[], ref: string): TranscriptEntry {
  const named = readCheckpoints(entries, index).find(({ label }) => label.toLowerCase() === ref.toLowerCase());
  const exact = index.get(named?.entryId ?? ref);
  if (exact) return exact;
  const near = ref.length >= SHORTEST_PREFIX ? entries.filter(({ id }) => id.startsWith(ref)) : [];
  if (near.length === 1 && near[0]) return near[0];
  const known = knownNames(readCheckpoints(entries, index));
  throw new GatewayError(
    "SESSION_TREE",
    `"${ref}" ${near.length > 1 ? "fits several entries" : "is not known"}${known}`,
  );
}

function knownNames(checkpoints: readonly Checkpoint[]): string {
  if (checkpoints.length === 0) return "; there are no checkpoints yet";
  return `; checkpoints: ${checkpoints.map(({ label }) => label).join(", ")}`;
}

function messagesAfter(index: Index, entryId: string | null): number {
  let count = 0;
  for (const entry of index.up(index.last)) {
    if (entry.id === entryId) return count;
    if (isSaid(entry)) count++;
  }
  return entryId === null ? count : 0;
}
