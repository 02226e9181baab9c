// A workspace with an index over it, and embedders that are made of nothing but the words of a text.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { wordsOf } from "@chela/sdk/base";
import type { Embedder, EmbeddingPurpose } from "../embedder.ts";
import type { FedEntry, IndexSettings, Progress, SearchWish } from "../messages.ts";
import { MemoryIndex, type EmbedderSet } from "./memory-index.ts";
import { openStore, type Store } from "./store/store.ts";

export interface TestEmbedder extends Embedder {
  /** How many texts were embedded, queries and all. */
  embedded: number;
  /** Thrown instead of an answer. */
  failure: unknown;
  /** Waited for before each answer. */
  gate: Promise<void>;
  /** A text with this in it cannot be embedded. */
  poison: string | undefined;
}

/** Words with the same meaning get the same place: the nearest thing to understanding that fits here. */
const MEANINGS: Readonly<Record<string, string>> = { teeth: "dentist", doctor: "dentist", automobile: "car" };

export function createTestEmbedder(model = "test-model", dimensions = 16): TestEmbedder {
  const embedder: TestEmbedder = {
    provider: "test",
    model,
    providerKey: "",
    embedded: 0,
    failure: undefined,
    gate: Promise.resolve(),
    poison: undefined,
    async embed(texts: readonly string[], _purpose: EmbeddingPurpose) {
      await embedder.gate;
      if (embedder.failure !== undefined) throw embedder.failure;
      const { poison } = embedder;
      if (poison !== undefined && texts.some((text) => text.includes(poison))) throw new Error("cannot embed this");
      embedder.embedded += texts.length;
      return texts.map((text) => embedWords(text, dimensions));
    },
    unload: async () => {},
  };
  return embedder;
}

function embedWords(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions).fill(0.01);
  for (const { word } of wordsOf(text)) {
    let hash = 7;
    for (const letter of MEANINGS[word] ?? word) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

export interface Scene {
  readonly root: string;
  readonly workspace: string;
  readonly clock: FakeClock;
  readonly store: Store;
  readonly index: MemoryIndex;
  readonly told: Progress[];
  readonly logged: string[];
  /** Makes notes, or deletes them. */
  write(notes: Readonly<Record<string, string | Uint8Array | undefined>>): void;
  /** Paths of what is found. */
  find(query: string, wish?: Partial<SearchWish>): Promise<string[]>;
  /** Syncs, and waits until no more vectors can be made. */
  settle(): Promise<void>;
  /** Opens the same file again, as after a restart. */
  reopen(change?: SceneChange): Promise<Scene>;
  close(): Promise<void>;
}

export interface SceneChange {
  readonly embedders?: EmbedderSet;
  readonly settings?: Partial<IndexSettings>;
  readonly query?: Partial<IndexSettings["query"]>;
}

/** For the tests of one file: what they open is closed and deleted after each. */
export function keepScenes(): {
  open(change?: SceneChange): Scene;
  reopen(scene: Scene, change?: SceneChange): Promise<Scene>;
} {
  const scenes = new Set<Scene>();
  afterEach(async () => {
    for (const scene of scenes) {
      await scene.close().catch(() => {});
      rmSync(scene.root, { recursive: true, force: true });
    }
    scenes.clear();
  });
  const keep = (scene: Scene): Scene => {
    scenes.add(scene);
    return scene;
  };
  return {
    open: (change) => keep(openScene(change)),
    async reopen(scene, change) {
      scenes.delete(scene);
      return keep(await scene.reopen(change));
    },
  };
}

export function openScene(change: SceneChange = {}, at?: { root: string; clock: FakeClock }): Scene {
  const root = at?.root ?? mkdtempSync(join(tmpdir(), "chela-memory-"));
  const clock = at?.clock ?? createFakeClock();
  const workspace = join(root, "workspace");
  mkdirSync(workspace, { recursive: true });
  const told: Progress[] = [];
  const logged: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  const settings = settingsOf(root, workspace, change);
  const store = openStore(settings.path, log);
  const index = new MemoryIndex({
    store,
    settings,
    embedders: change.embedders ?? {},
    clock,
    log,
    progressed: (progress) => told.push(progress),
  });
  const scene: Scene = {
    root,
    workspace,
    clock,
    store,
    index,
    told,
    logged,
    write(notes) {
      for (const [path, text] of Object.entries(notes)) {
        mkdirSync(dirname(join(workspace, path)), { recursive: true });
        if (text === undefined) rmSync(join(workspace, path));
        else writeFileSync(join(workspace, path), text);
      }
    },
    async find(query, wish) {
      const { results } = await index.search({ query, ...wish });
      return results.map(({ path }) => path);
    },
    async settle() {
      await index.sync(false);
      await settleVectors(index);
    },
    async reopen(next) {
      await scene.close();
      return openScene({ ...change, ...next }, { root, clock });
    },
    async close() {
      await index.close();
      store.close();
    },
  };
  return scene;
}

export async function settleVectors(index: MemoryIndex): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (index.status().isIndexing);
}

function settingsOf(root: string, workspace: string, { settings, query }: SceneChange): IndexSettings {
  return {
    agentId: "main",
    path: join(root, "memory", "main.sqlite"),
    workspace,
    extraPaths: [],
    sources: ["memory", "sessions"],
    chunking: { tokens: 512, overlap: 64 },
    embedding: { kind: "none" },
    cacheEntries: 1_000,
    ...settings,
    query: {
      maxResults: 6,
      minScore: 0.35,
      isHybrid: true,
      vectorWeight: 0.7,
      textWeight: 0.3,
      candidateMultiplier: 4,
      ...query,
    },
  };
}

export function say(seq: number, text: string, over: Partial<FedEntry> = {}): FedEntry {
  return {
    seq,
    sessionKey: "agent:main:main",
    sessionId: "s1",
    entryId: `e${seq}`,
    at: seq * 1000,
    role: seq % 2 === 1 ? "user" : "assistant",
    text,
    isOwner: true,
    ...over,
  };
}
