// Looks whether the index is whole and agrees with the notes, and mends what it can.
import type { Finding, IndexSettings } from "../messages.ts";
import type { ChunkTable } from "./notes/chunk-table.ts";
import { isDamage } from "./store/damaged-file.ts";
import type { EmbedderSpace } from "./spaces/embedder-space.ts";
import { findNotes } from "./notes/find-notes.ts";
import type { Store } from "./store/opened-store.ts";
import { pause } from "./pause.ts";
import { lookAt, openNote } from "./notes/read-note.ts";
import type { AgentSpaces } from "./spaces/agent-spaces.ts";
import { wordsToFind } from "./search/words-to-find.ts";

export interface CheckParts {
  readonly store: Store;
  readonly chunks: ChunkTable;
  readonly shelf: AgentSpaces;
  readonly settings: IndexSettings;
  readonly repairs: boolean;
  damaged(error: unknown): void;
  /** Reads changed notes. */
  sync(): Promise<unknown>;
  /** Makes missing vectors. */
  fill(): void;
  /** They are being made just now, so that they are missing is no fault. */
  isFilling(): boolean;
}

const ROWS_AT_ONCE = 2_000;

export async function checkIndex(parts: CheckParts): Promise<readonly Finding[]> {
  const damage = checkFile(parts);
  if (damage) return [damage];
  try {
    return [...checkWords(parts), ...checkOrphans(parts), ...(await checkNotes(parts)), ...(await checkSpaces(parts))];
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [reportDamage(parts, error)];
  }
}

function checkFile(parts: CheckParts): Finding | undefined {
  try {
    const found = parts.store.db.prepare("PRAGMA integrity_check(3)").all();
    const wrong = found
      .map((row) => String(row["integrity_check"]))
      .filter((line) => line !== "ok" && !/chunks_fts/.test(line));
    return wrong.length > 0 ? reportDamage(parts, wrong.join("; ")) : undefined;
  } catch (error) {
    if (isDamage(error)) return reportDamage(parts, error);
    throw error;
  }
}

/** Nothing can be mended in place; whoever opens the file next makes it anew. */
function reportDamage({ store, repairs, damaged }: CheckParts, why: unknown): Finding {
  if (repairs) damaged(why);
  return {
    what: `The file of the index is damaged: ${store.path}.`,
    fix: "It is set aside and made anew from the notes and the conversations.",
    isRepaired: repairs,
  };
}

function checkWords({ store, repairs }: CheckParts): Finding[] {
  const row = store.db
    .prepare("SELECT (SELECT count(*) FROM chunks) AS chunks, (SELECT count(*) FROM chunks_fts) AS found")
    .get();
  const isWhole = row?.["chunks"] === row?.["found"] && areWordsWhole(store);
  if (isWhole) return [];
  if (repairs) rebuildWords(store);
  return [
    {
      what: "The list of words does not agree with the notes.",
      fix: "It is made anew from the pieces.",
      isRepaired: repairs,
    },
  ];
}

function areWordsWhole(store: Store): boolean {
  try {
    store.db.exec("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')");
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

function rebuildWords(store: Store): void {
  store.transaction(() => {
    store.db.exec("INSERT INTO chunks_fts (chunks_fts) VALUES ('delete-all')");
    for (const row of store.db.prepare("SELECT number, path, source, headings, text FROM chunks").iterate()) {
      const { number, path, source, headings, text } = row;
      const words = wordsToFind({
        path: String(path),
        source: String(source),
        headings: String(headings),
        text: String(text),
      });
      store.statement("INSERT INTO chunks_fts (rowid, text) VALUES (?, ?)").run(Number(number), words);
    }
  });
}

function checkOrphans({ store, chunks, repairs }: CheckParts): Finding[] {
  const orphans = store
    .statement("SELECT number FROM chunks WHERE NOT EXISTS (SELECT 1 FROM files WHERE files.path = chunks.path)")
    .all()
    .map(({ number }) => Number(number));
  if (orphans.length === 0) return [];
  if (repairs) store.transaction(() => chunks.remove(orphans));
  return [{ what: `Pieces that belong to no note: ${orphans.length}.`, fix: "They are removed.", isRepaired: repairs }];
}

async function checkNotes({ store, settings, repairs, sync }: CheckParts): Promise<Finding[]> {
  if (!settings.sources.includes("memory")) return [];
  const { files, notes } = await findNotes(settings.workspace, settings.extraPaths);
  const rows = store.statement("SELECT path, hash, note FROM files WHERE source = 'memory'").all();
  const known = new Map(rows.map(({ path, hash, note }) => [String(path), { hash: String(hash), note: String(note) }]));
  const findings: Finding[] = notes.map((what) => ({
    what,
    fix: "Only you can put that right.",
    isRepaired: false,
  }));
  const changed: string[] = [];
  for (const { path, real, size } of files) {
    const { hash, note = "" } = known.get(path) ?? {};
    if (note !== "") findings.push({ what: note, fix: "Notes are Markdown or text files.", isRepaired: false });
    else if ((await hashOf(real, size)) !== hash) changed.push(path);
    known.delete(path);
    await pause();
  }
  for (const path of known.keys()) if (!notes.some((note) => note.startsWith(path))) changed.push(path);
  if (changed.length > 0 && repairs) await sync();
  return [...findings, ...changed.map((path) => differs(path, repairs))];
}

function differs(path: string, isRepaired: boolean): Finding {
  return { what: `The index has another text of ${path} than the disk.`, fix: "It is read again.", isRepaired };
}

async function hashOf(real: string, size: number): Promise<string | undefined> {
  try {
    await using file = await openNote(real);
    const look = await lookAt(file, size);
    return look.hash;
  } catch {
    return undefined;
  }
}

async function checkSpaces(parts: CheckParts): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const space of parts.shelf.all) findings.push(...(await checkSpace(parts, space)));
  if (parts.repairs && findings.length > 0) parts.fill();
  return findings;
}

/** An incomplete space is no fault of the one that is asked only when others fail. */
async function checkSpace(
  { store, chunks, shelf, repairs, isFilling }: CheckParts,
  space: EmbedderSpace,
): Promise<Finding[]> {
  const { model } = space.embedder;
  const lost: number[] = [];
  let present = 0;
  let from = 0;
  for (let rows = chunks.after(from, ROWS_AT_ONCE); rows.length > 0; rows = chunks.after(from, ROWS_AT_ONCE)) {
    for (const { number, hash } of rows) {
      if (!space.has(number)) continue;
      present++;
      if (!space.cached(hash)) lost.push(number);
    }
    from = rows.at(-1)?.number ?? from;
    await pause();
  }
  const surplus = space.size - present;
  const isWanted = space === shelf.main || space === shelf.instant;
  const missing = isWanted && !isFilling() ? space.gap(chunks.count) : 0;
  if (repairs) {
    store.transaction(() => {
      if (surplus > 0) space.drop();
      else space.remove(lost);
    });
  }
  const findings: Finding[] = [];
  const found = (what: string, fix: string) => findings.push({ what, fix, isRepaired: repairs });
  if (surplus > 0) found(`Vectors of ${model} that belong to no piece: ${surplus}.`, "They are put together again.");
  if (lost.length > 0) found(`Exact vectors of ${model} that are gone: ${lost.length}.`, "They are made again.");
  if (missing > 0) found(`Pieces without a vector of ${model}: ${missing}.`, "They are made in the background.");
  return findings;
}
