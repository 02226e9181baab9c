// The index as a whole: notes are found by words at once and by meaning soon after, whatever fails in between.
import { GatewayError } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { createTestEmbedder, keepScenes, settleVectors, type Scene, type SceneChange } from "./index.test-support.ts";

const { open, reopen } = keepScenes();

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = () => new Promise<never>(() => {});

const NOTES = {
  "MEMORY.md": "# About\nThe owner likes tea.\n",
  "memory/health.md": "# Dentist\nThe dentist has time on Friday.\n",
  "memory/car.md": "The car has to go to the garage.\n",
};
/** A heading has a vector of its own. */
const NOTES_AND_TITLES = 5;

describe("A search", () => {
  it("finds words as soon as notes are read, without any embedder", async () => {
    const scene = open();
    scene.write(NOTES);
    await scene.index.sync(false);
    const answer = await scene.index.search({ query: "when is the dentist?" });
    expect(answer).toMatchObject({ mode: "text", provider: "none", model: "" });
    expect(answer.notice).toBeUndefined();
    expect(answer.results).toMatchObject([
      { path: "memory/health.md", startLine: 1, endLine: 2, score: 1, textScore: 1, source: "memory" },
    ]);
    expect(answer.results[0]?.snippet).toBe("# Dentist\nThe dentist has time on Friday.");
  });

  it("finds by meaning what shares no word", async () => {
    const scene = open({ embedders: { main: createTestEmbedder("test-model", 256) } });
    scene.write(NOTES);
    await scene.settle();
    const answer = await scene.index.search({ query: "teeth", maxResults: 1 });
    expect(answer).toMatchObject({ mode: "hybrid", provider: "test", model: "test-model" });
    expect(answer.results[0]).toMatchObject({ path: "memory/health.md" });
    expect(answer.results[0]?.textScore).toBeUndefined();
  });

  it.each([
    ["lets notes that are like many others come first", undefined, false],
    ["does not where the embedder is known for it", { share: 0.5, usual: 0.5, least: 0.35 }, true],
  ])("%s", async (_what, crowd, isFirst) => {
    const bias = crowd ? { crowd } : {};
    const embedder = { ...createTestEmbedder("leaning", 256), bias };
    const scene = open({ embedders: { main: embedder }, query: { isHybrid: false } });
    const names = ["anna", "ben", "carla", "dora", "emil", "fritz"];
    scene.write(Object.fromEntries(names.map((name) => [`memory/${name}.md`, `tea quiet ${name}`])));
    scene.write({ "memory/kettle.md": "tea kettle cleaned vinegar" });
    await scene.settle();
    const found = await scene.find("tea");
    expect(found[0] === "memory/kettle.md").toBe(isFirst);
  });

  it("finds what was just written by its meaning, too", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    scene.write(NOTES);
    await scene.settle();
    scene.write({ "memory/new.md": "automobile insurance" });
    await scene.index.sync(false);
    expect(await scene.find("car insurance")).toContain("memory/new.md");
  });

  it.each<[string, string]>([
    ["DENTIST", "memory/health.md"],
    ["the", "MEMORY.md"],
    ['"dentist" AND NOT (', "memory/health.md"],
    ["garage*", "memory/car.md"],
    ["café", "memory/more.md"],
    ["cafe", "memory/more.md"],
    ["牙医的预约", "memory/more.md"],
    ["预约是什么时候", "memory/more.md"],
    ["more", "memory/more.md"],
  ])("for %j finds %s", async (query, path) => {
    const scene = open();
    scene.write({ ...NOTES, "memory/more.md": "Crème brûlée at the Café Roma.\n牙医预约在星期五。" });
    await scene.index.sync(false);
    expect(await scene.find(query)).toContain(path);
  });

  it.each(["", "   ", "\0", "?!", "\ud800", '"', "x".repeat(10_000)])("for %j is no error", async (query) => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    scene.write(NOTES);
    await scene.settle();
    await scene.index.search({ query });
  });

  it("keeps to the limit and to the least score", async () => {
    const scene = open();
    scene.write(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`memory/${at}.md`, `tea ${"word ".repeat(at * 10)}`])),
    );
    await scene.index.sync(false);
    expect(await scene.find("tea", { maxResults: 3 })).toHaveLength(3);
    const { results } = await scene.index.search({ query: "tea", maxResults: 20, minScore: 0.5 });
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThan(20);
    for (const { score } of results) expect(score).toBeGreaterThanOrEqual(0.5);
  });

  it("takes in what others found, by score, and shows nothing twice", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    scene.write(NOTES);
    await scene.settle();
    const fact = { path: "sessions/s.jsonl", startLine: 0, endLine: 0, source: "sessions" as const };
    const given: unknown[] = [];
    const { results } = await scene.index.search(
      { query: "dentist Friday", minScore: 0.75 },
      ({ vector, minScore }) => {
        given.push(vector?.space, vector?.vector.length, minScore);
        return [
          { ...fact, score: 0.9, snippet: "a fact", entryId: "1" },
          { ...fact, score: 0.8, snippet: "the same entry", entryId: "1" },
        ];
      },
    );
    expect(given).toEqual(['chunks/["test","test-model",""]', 16, 0.75]);
    expect(results.map(({ snippet }) => snippet.slice(0, 9))).toEqual(["# Dentist", "a fact"]);
  });

  it("can bring different things first", async () => {
    const notes = {
      "memory/a.md": "tea is green tea and tea",
      "memory/b.md": "tea is green tea and tea too",
      "memory/c.md": "the kettle for tea broke last summer and a new one came by mail",
    };
    const order = async (query: SceneChange["query"]) => {
      const scene = open({ query: { minScore: 0, ...query } });
      scene.write(notes);
      await scene.index.sync(false);
      return scene.find("tea");
    };
    expect(await order({})).toEqual(["memory/a.md", "memory/b.md", "memory/c.md"]);
    expect(await order({ mmrLambda: 0.3 })).toEqual(["memory/a.md", "memory/c.md", "memory/b.md"]);
  });

  it("can bring newer notes first, but MEMORY.md never grows old", async () => {
    const notes = { "memory/2025-01-15.md": "tea", "memory/2026-01-14.md": "tea", "MEMORY.md": "tea" };
    const scene = open({ query: { halfLifeDays: 30 } });
    scene.write(notes);
    await scene.index.sync(false);
    expect(await scene.find("tea")).toEqual(["MEMORY.md", "memory/2026-01-14.md", "memory/2025-01-15.md"]);
  });
});

describe("Vectors", () => {
  it("of the instant embedder serve until those of the model are complete", async () => {
    const main = createTestEmbedder("slow");
    const gate = Promise.withResolvers<void>();
    main.gate = gate.promise;
    const scene = open({ embedders: { main, instant: createTestEmbedder("instant", 8) } });
    scene.write(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`memory/${at}.md`, `note ${at} about tea`])));
    await scene.index.sync(false);
    for (let round = 0; round < 50; round++) await turn();
    const meanwhile = await scene.index.search({ query: "tea" });
    expect(meanwhile).toMatchObject({
      model: "instant",
      mode: "hybrid",
      notice: "Vectors of slow are not complete yet (0 of 50); vectors of instant are used meanwhile.",
      indexing: { phase: "vectors", of: 50 },
    });
    expect(scene.index.status()).toMatchObject({ model: "slow", fallback: { model: "instant" }, isIndexing: true });
    gate.resolve();
    await settleVectors(scene.index);
    const after = await scene.index.search({ query: "tea" });
    expect(after).toMatchObject({ model: "slow", mode: "hybrid" });
    expect(after.notice).toBeUndefined();
    expect(scene.index.status()).toMatchObject({ vectors: 50, dimensions: 16, isIndexing: false });
    expect(scene.told.at(-1)).toEqual({ phase: "vectors", done: 50, of: 50 });
  });

  it("go on after a kill where they were, and nothing is embedded twice", async () => {
    const first = createTestEmbedder();
    const scene = open({
      embedders: { main: { ...first, embed: (...asked) => (first.embedded < 60 ? first.embed(...asked) : never()) } },
    });
    scene.write(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`memory/${at}.md`, `note number ${at}`])));
    await scene.index.sync(false);
    for (let round = 0; round < 50; round++) await turn();
    const second = createTestEmbedder();
    const next = await reopen(scene, { embedders: { main: second } });
    const done = next.index.status().vectors;
    expect(done).toBeGreaterThanOrEqual(60);
    expect(done).toBeLessThan(100);
    await next.settle();
    expect(next.index.status().vectors).toBe(100);
    expect(second.embedded).toBe(100 - done);
  });

  it("of a renamed note are used again", async () => {
    const main = createTestEmbedder();
    const scene = open({ embedders: { main } });
    scene.write(NOTES);
    await scene.settle();
    scene.write({ "memory/car.md": undefined, "memory/vehicles.md": NOTES["memory/car.md"] });
    await scene.settle();
    expect(main.embedded).toBe(NOTES_AND_TITLES);
    expect(await scene.find("automobile", { maxResults: 1, minScore: 0 })).toEqual(["memory/vehicles.md"]);
  });

  it("of the former model serve until those of the new one are complete, and are dropped then", async () => {
    const former = createTestEmbedder("former");
    const scene = open({ embedders: { main: former } });
    scene.write(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`memory/${at}.md`, `note ${at} about tea`])));
    await scene.settle();
    const main = createTestEmbedder("new", 24);
    const gate = Promise.withResolvers<void>();
    main.gate = gate.promise;
    const next = await reopen(scene, { embedders: { main, former } });
    await next.index.sync(false);
    expect(await next.index.search({ query: "tea" })).toMatchObject({ model: "former", mode: "hybrid" });
    gate.resolve();
    await settleVectors(next.index);
    expect(await next.index.search({ query: "tea" })).toMatchObject({ model: "new" });
    expect(spacesOf(next)).toEqual(["new"]);
  });

  it("of a model that nobody can ask any more are dropped at once, and found in the cache when it comes back", async () => {
    const scene = open({ embedders: { main: createTestEmbedder("former") } });
    scene.write(NOTES);
    await scene.settle();
    const next = await reopen(scene, { embedders: { main: createTestEmbedder("new") } });
    expect(spacesOf(next)).toEqual([]);
    await next.settle();
    const again = createTestEmbedder("former");
    const back = await reopen(next, { embedders: { main: again } });
    await back.settle();
    expect(again.embedded).toBe(0);
    expect(back.index.status().vectors).toBe(3);
  });

  it("are made by the fallback while the model fails, which is left alone longer and longer", async () => {
    const main = createTestEmbedder("remote");
    main.failure = new GatewayError("MEMORY_EMBEDDING", "no network");
    const fallback = createTestEmbedder("local");
    const scene = open({ embedders: { main, fallback } });
    scene.write(NOTES);
    await scene.settle();
    expect(await scene.index.search({ query: "teeth" })).toMatchObject({
      model: "local",
      notice: "remote cannot be used just now (no network); vectors of local are used meanwhile.",
    });
    expect(scene.index.status()).toMatchObject({ fallback: { model: "local", why: "no network" }, mode: "hybrid" });
    await scene.clock.advance(1_000);
    await settleVectors(scene.index);
    expect(scene.clock.waiting).toBe(1);
    main.failure = undefined;
    await scene.clock.advance(1_999);
    expect(scene.index.status().vectors).toBe(0);
    await scene.clock.advance(1);
    await settleVectors(scene.index);
    expect(await scene.index.search({ query: "teeth" })).toMatchObject({ model: "remote" });
    expect(scene.clock.waiting).toBe(0);
  });

  it.each([
    Object.assign(new Error("slow down"), { retryAfterMs: 60_000 }),
    new GatewayError("MEMORY_EMBEDDING", "slow down", { cause: { retryAfterMs: 60_000 } }),
  ])("are asked for when the provider says so", async (failure) => {
    const main = createTestEmbedder();
    main.failure = failure;
    const scene = open({ embedders: { main } });
    scene.write(NOTES);
    await scene.settle();
    main.failure = undefined;
    await scene.clock.advance(59_999);
    expect(main.embedded).toBe(0);
    await scene.clock.advance(1);
    await settleVectors(scene.index);
    expect(main.embedded).toBe(NOTES_AND_TITLES);
  });

  it("of a model that takes too long are not waited for; it is not asked again before it answered", async () => {
    const main = createTestEmbedder("slow");
    const scene = open({ embedders: { main, instant: createTestEmbedder("instant") } });
    scene.write(NOTES);
    await scene.settle();
    const gate = Promise.withResolvers<void>();
    main.gate = gate.promise;
    const searching = scene.index.search({ query: "teeth" });
    await turn();
    await scene.clock.advance(3_000);
    expect(await searching).toMatchObject({
      model: "instant",
      notice: "slow is still being loaded; vectors of instant are used meanwhile.",
    });
    expect(await scene.index.search({ query: "teeth" })).toMatchObject({ model: "instant" });
    gate.resolve();
    await turn();
    expect(await scene.index.search({ query: "teeth" })).toMatchObject({ model: "slow" });
  });

  it("cannot be made of one text: the others get theirs, and it is found by its words", async () => {
    const main = createTestEmbedder();
    main.poison = "garage";
    const scene = open({ embedders: { main } });
    scene.write({
      ...NOTES,
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`memory/${at}.md`, `note ${at}`])),
    });
    await scene.settle();
    expect(scene.index.status()).toMatchObject({ chunks: 43, vectors: 42, mode: "hybrid" });
    expect(scene.index.status().notes).toContain("Pieces without a vector, because their text is refused: 1.");
    expect(await scene.find("garage", { maxResults: 1 })).toEqual(["memory/car.md"]);
    expect(scene.clock.waiting).toBe(0);
  });

  it("that are no vectors count as a failure", async () => {
    const main = createTestEmbedder();
    main.embed = async (texts) => texts.map(() => new Float32Array(16));
    const scene = open({ embedders: { main } });
    scene.write(NOTES);
    await scene.settle();
    expect(scene.index.status()).toMatchObject({ vectors: 0 });
    expect(await scene.find("dentist")).toContain("memory/health.md");
  });

  it("of texts that are gone are kept up to a number, the latest used", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() }, settings: { cacheEntries: 3 } });
    for (let round = 0; round < 10; round++) {
      scene.write({ "memory/a.md": `version ${round}`, "memory/b.md": "stays the same" });
      await scene.clock.advance(1_000);
      await scene.settle();
    }
    expect(scene.index.status()).toMatchObject({ chunks: 2, vectors: 2, cache: { entries: 5, most: 3 } });
  });
});

function spacesOf({ store }: Scene): string[] {
  const rows = store.db.prepare("SELECT DISTINCT space FROM vector_blocks").all();
  return rows.map(({ space }) => String(JSON.parse(String(space).slice("chunks/".length))[1]));
}
