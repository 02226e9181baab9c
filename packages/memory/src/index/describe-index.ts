// Describes an index: who makes its vectors, how much is in it, and what is wrong.
import { defined } from "@chela/sdk/base";
import { statSync } from "node:fs";
import type { IndexSettings, IndexStatus } from "../messages.ts";
import type { Store } from "./store/opened-store.ts";
import type { AgentSpaces } from "./spaces/agent-spaces.ts";

type Described = Omit<IndexStatus, "learned" | "languages" | "syncedAt" | "isIndexing" | "progress" | "notes">;

export function describeIndex(
  { store, settings }: { readonly store: Store; readonly settings: IndexSettings },
  shelf: AgentSpaces,
  chunks: number,
): Described {
  const { main } = shelf;
  const serving = shelf.usable(chunks).find(({ health }) => health.restMs === 0);
  const why = main?.health.why ?? "its vectors are not complete yet";
  const dimensions = main?.dimensions;
  return {
    provider: main?.embedder.provider ?? "none",
    model: main?.embedder.model ?? "",
    ...(main && serving && serving !== main
      ? { fallback: { provider: serving.embedder.provider, model: serving.embedder.model, why } }
      : {}),
    mode: serving ? "hybrid" : "text",
    files: countOf(store, "files WHERE note = ''"),
    chunks,
    vectors: Math.min(chunks, main?.size ?? 0),
    ...defined({ dimensions }),
    ...(main?.embedder.languages === undefined ? {} : { reads: main.embedder.languages }),
    bytes: bytesOf(store.path),
    cache: { entries: countOf(store, "embedding_cache"), most: settings.cacheEntries },
  };
}

/** A sentence each. */
export function whatIsWrong({ damage }: Store, shelf: AgentSpaces): string[] {
  const failing = shelf.all.filter(({ health }) => health.why !== undefined);
  const refused = shelf.main?.refused.size ?? 0;
  return [
    ...(damage === undefined ? [] : [`The index was made anew, because it could not be used: ${damage}.`]),
    ...failing.map(({ embedder, health }) => `${embedder.model} makes no vectors just now: ${health.why}.`),
    ...(refused === 0 ? [] : [`Pieces without a vector, because their text is refused: ${refused}.`]),
  ];
}

function countOf(store: Store, table: string): number {
  return Number(store.statement(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
}

function bytesOf(path: string): number {
  return ["", "-wal"].reduce((sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}
