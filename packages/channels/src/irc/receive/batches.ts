// Lines that belong together: messages of several lines become one, replayed history is handed over as a whole.
import type { Line, Source } from "../server/line.ts";

export interface HistoryBatch {
  /** "chathistory" or "draft/chathistory-targets". */
  readonly type: string;
  /** Whose history; "" for the list of those who have one. */
  readonly target: string;
  readonly lines: readonly Line[];
}

interface OpenBatch {
  readonly type: string;
  readonly params: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
  readonly source: Source | undefined;
  readonly parent: string | undefined;
  readonly lines: Line[];
  size: number;
}

export interface Batches {
  /** Gives on lines that stand for themselves; keeps the others until their batch is complete. */
  take(line: Line): void;
}

const MULTILINE = "draft/multiline";
const MOST_OPEN = 50;
const MOST_LINES = 2000;
const MOST_CHARACTERS = 1_000_000;

export function createBatches(giveOn: (line: Line) => void, giveHistory: (batch: HistoryBatch) => void): Batches {
  const open = new Map<string, OpenBatch>();

  const place = (line: Line, reference: string | undefined): void => {
    const batch = reference === undefined ? undefined : open.get(reference);
    if (batch) keep(batch, line);
    else giveOn(line);
  };
  const close = (reference: string): void => {
    const batch = open.get(reference);
    open.delete(reference);
    if (!batch) return;
    if (isHistory(batch.type))
      return giveHistory({ type: batch.type, target: batch.params[0] ?? "", lines: batch.lines });
    const lines = batch.type === MULTILINE ? joinLines(batch) : batch.lines;
    for (const line of lines) place(line, batch.parent);
  };
  return {
    take(line) {
      const parent = line.tags.get("batch");
      if (line.command !== "BATCH") return place(line, parent);
      const [written = "", type = "", ...params] = line.params;
      if (written.startsWith("-")) return close(written.slice(1));
      if (open.size >= MOST_OPEN) open.delete(open.keys().next().value ?? "");
      const { tags, source } = line;
      open.set(written.slice(1), { type, params, tags, source, parent, lines: [], size: 0 });
    },
  };
}

const isHistory = (type: string): boolean => type === "chathistory" || type === "draft/chathistory-targets";

function keep(batch: OpenBatch, line: Line): void {
  batch.size += line.params.reduce((sum, param) => sum + param.length, 0);
  if (batch.lines.length < MOST_LINES && batch.size <= MOST_CHARACTERS) batch.lines.push(line);
}

function joinLines(batch: OpenBatch): Line[] {
  const first = batch.lines[0];
  if (!first) return [];
  const text = batch.lines.reduce((written, { params, tags }, index) => {
    const isNew = index > 0 && !tags.has("draft/multiline-concat");
    return `${written}${isNew ? "\n" : ""}${params[1] ?? ""}`;
  }, "");
  const source = batch.source ?? first.source;
  return [
    {
      tags: new Map([...first.tags, ...batch.tags]),
      ...(source ? { source } : {}),
      command: first.command,
      params: [batch.params[0] ?? first.params[0] ?? "", text],
    },
  ];
}
