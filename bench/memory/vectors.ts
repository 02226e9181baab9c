// Time to find the nearest of many vectors, beside sqlite-vec in the same process, and whether all are found.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { VectorSpace } from "../../packages/memory/src/vectors/vector-space.ts";
import {
  createRandom,
  createVectors,
  multiply,
  type Numbered,
} from "../../packages/memory/src/vectors/vectors.test-support.ts";
import { atLeast, atMost, type Figure, type Limit } from "../figure.ts";

interface Size {
  readonly rows: number;
  readonly searches: number;
  readonly peerSearches: number;
  readonly limits: { readonly search: readonly Limit[]; readonly load: readonly Limit[]; readonly recall: number };
}

interface Question {
  readonly vector: Float32Array;
  /** The nearest by plain arithmetic, the best first. */
  nearest: Array<{ readonly id: number; readonly score: number }>;
}

/** Who keeps vectors and finds them again. */
interface Contender {
  put(batch: readonly Numbered[]): void;
  search(vector: Float32Array): number[];
}

interface SqliteVec {
  load(db: DatabaseSync): void;
}

const DIMENSIONS = 384;
const GROUPS = 1000;
const BATCH = 5000;
const WANTED = 10;
const QUESTIONS = 20;
const LOADS = 5;
const WARM_UPS = 3;

const SIZES: readonly Size[] = [
  { rows: 10_000, searches: 100, peerSearches: 40, limits: { search: [], load: [], recall: 1 } },
  {
    rows: 100_000,
    searches: 100,
    peerSearches: 20,
    limits: { search: [atMost(5)], load: [atMost(100)], recall: 1 },
  },
];
const MILLION: Size = {
  rows: 1_000_000,
  searches: 60,
  peerSearches: 5,
  limits: { search: [atMost(25)], load: [], recall: 0.99 },
};

/** `withMillion` takes about 2 GB of memory, 4 GB of disk and some minutes. */
export async function measureVectors(options: { readonly withMillion: boolean }): Promise<Figure[]> {
  const peer = await loadPeer();
  const figures: Figure[] = [];
  for (const size of options.withMillion ? [...SIZES, MILLION] : SIZES) figures.push(...measureSize(size, peer));
  return figures;
}

async function loadPeer(): Promise<SqliteVec | undefined> {
  try {
    return (await import(import.meta.resolve("sqlite-vec"))) as SqliteVec;
  } catch {
    return undefined;
  }
}

function measureSize(size: Size, peer: SqliteVec | undefined): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), "chela-bench-vectors-"));
  const db = openDatabase(join(folder, "own.sqlite"));
  const peerDb = peer ? openDatabase(join(folder, "peer.sqlite")) : undefined;
  try {
    if (peerDb) peer?.load(peerDb);
    const own = createOwn(db);
    const other = peerDb ? createPeer(peerDb) : undefined;
    const { questions, ownMs, peerMs } = fill(size, own, other);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return [...ownFigures(size, own, questions, ownMs), ...peerFigures(size, other, questions, peerMs)];
  } finally {
    db.close();
    peerDb?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { allowExtension: true });
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  return db;
}

function createOwn(db: DatabaseSync): Contender & { readonly unload: () => void } {
  db.exec("CREATE TABLE exact (id INTEGER PRIMARY KEY, vector BLOB NOT NULL)");
  const insert = db.prepare("INSERT INTO exact VALUES (?, ?)");
  const select = db.prepare("SELECT vector FROM exact WHERE id = ?");
  const exact = (id: number): Float32Array | undefined => {
    const bytes = select.get(id)?.["vector"];
    return bytes instanceof Uint8Array ? new Float32Array(bytes.buffer, bytes.byteOffset, DIMENSIONS) : undefined;
  };
  const space = VectorSpace.open(db, { name: "bench", dimensions: DIMENSIONS, exact });
  return {
    put: (batch) =>
      inTransaction(db, () => {
        for (const { id, vector } of batch) insert.run(id, bytesOf(vector));
        space.put(batch);
      }),
    search: (vector) => space.search(vector, WANTED).map(({ id }) => id),
    unload: () => space.unload(),
  };
}

function createPeer(db: DatabaseSync): Contender {
  db.exec(`CREATE VIRTUAL TABLE vectors USING vec0(embedding FLOAT[${DIMENSIONS}])`);
  const insert = db.prepare("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");
  const select = db.prepare("SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance");
  return {
    put: (batch) =>
      inTransaction(db, () => {
        for (const { id, vector } of batch) insert.run(BigInt(id), bytesOf(vector));
      }),
    search: (vector) => select.all(bytesOf(vector), WANTED).map(({ rowid }) => Number(rowid)),
  };
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec("BEGIN");
  work();
  db.exec("COMMIT");
}

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

interface Filled {
  readonly questions: readonly Question[];
  readonly ownMs: number;
  readonly peerMs: number;
}

/** Vectors are made a batch at a time and not kept: a million of them would be 1.5 GB. */
function fill({ rows }: Size, own: Contender, other: Contender | undefined): Filled {
  const draw = createVectors(createRandom(rows), DIMENSIONS, GROUPS);
  const questions: readonly Question[] = Array.from({ length: QUESTIONS }, () => ({ vector: draw(), nearest: [] }));
  let ownMs = 0;
  let peerMs = 0;
  for (let first = 0; first < rows; first += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, at) => ({ id: first + at + 1, vector: draw() }));
    ownMs += timeOf(() => own.put(batch));
    if (other) peerMs += timeOf(() => other.put(batch));
    for (const question of questions) takeNearest(question, batch);
  }
  return { questions, ownMs, peerMs };
}

function takeNearest(question: Question, batch: readonly Numbered[]): void {
  const scored = batch.map(({ id, vector }) => ({ id, score: multiply(vector, question.vector) }));
  question.nearest = [...question.nearest, ...scored].sort((a, b) => b.score - a.score).slice(0, WANTED);
}

function timeOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function ownFigures(
  { rows, searches, limits }: Size,
  own: Contender & { readonly unload: () => void },
  questions: readonly Question[],
  putMs: number,
): Figure[] {
  const first = questions[0]?.vector ?? new Float32Array(DIMENSIONS);
  const loads = Array.from({ length: LOADS }, () => {
    own.unload();
    return timeOf(() => own.search(first));
  });
  const of = `${rows} vectors`;
  return [
    { metric: `search of ${of}`, unit: "ms", ...timeSearches(own, questions, searches), limits: limits.search },
    { metric: `recall of ${of}`, unit: "share", samples: [recallOf(own, questions)], limits: [atLeast(limits.recall)] },
    { metric: `load of ${of}, and a search`, unit: "ms", samples: loads, limits: limits.load },
    { metric: `put of ${of}`, unit: "ms", samples: [putMs] },
  ];
}

function peerFigures(
  { rows, peerSearches }: Size,
  other: Contender | undefined,
  questions: readonly Question[],
  putMs: number,
): Figure[] {
  const of = `${rows} vectors by sqlite-vec`;
  if (!other) return [{ metric: `search of ${of}`, unit: "ms", samples: [], note: "sqlite-vec is not installed here" }];
  return [
    { metric: `search of ${of}`, unit: "ms", ...timeSearches(other, questions, peerSearches) },
    { metric: `recall of ${of}`, unit: "share", samples: [recallOf(other, questions)] },
    { metric: `put of ${of}`, unit: "ms", samples: [putMs] },
  ];
}

function timeSearches(
  contender: Contender,
  questions: readonly Question[],
  searches: number,
): Pick<Figure, "samples" | "cpuMs"> {
  const searchOnce = (at: number): number => {
    const { vector } = questions[at % questions.length] ?? { vector: new Float32Array(DIMENSIONS) };
    return timeOf(() => contender.search(vector));
  };
  for (let round = 0; round < WARM_UPS; round++) searchOnce(round);
  const before = process.cpuUsage();
  const samples = Array.from({ length: searches }, (_, at) => searchOnce(at));
  const { user, system } = process.cpuUsage(before);
  return { samples, cpuMs: (user + system) / 1000 };
}

function recallOf(contender: Contender, questions: readonly Question[]): number {
  const shares = questions.map(({ vector, nearest }) => {
    const found = new Set(contender.search(vector));
    return nearest.filter(({ id }) => found.has(id)).length / nearest.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
