// Contract tests for every embedder. Run it on each implementation of the seam.
import { afterAll, describe, expect, it } from "vitest";
import { cosine } from "./embedding/model-files.test-support.ts";
import type { Embedder } from "./embedder.ts";

const KEY = "the key is behind the fuse box";
/** What nobody writes down, and what stands in files all the same. */
const ODD = ["", "   ", "!?…", "日本", "\u0000", "\ud800", "long ".repeat(5_000)];

export function testEmbedder(name: string, open: () => Embedder): void {
  describe(`${name} keeps the contract of an embedder`, () => {
    const embedder = open();
    afterAll(() => embedder.unload());

    it("gives each text a vector of length 1, all with as many numbers, whatever the text is", async () => {
      const vectors = await embedder.embed([KEY, ...ODD], "document");
      expect(vectors).toHaveLength(1 + ODD.length);
      expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
      for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    });

    it("gives a text the same vector alone, among others, and after it was unloaded", async () => {
      const [alone] = await embedder.embed([KEY], "document");
      const among = await embedder.embed(["short", KEY, "a rather longer text ".repeat(20), KEY], "document");
      await embedder.unload();
      const [again] = await embedder.embed([KEY], "document");
      for (const vector of [among[1], among[3], again]) expect(vector).toEqual(alone);
    });

    it("gives questions vectors of the same space", async () => {
      const [note] = await embedder.embed([KEY], "document");
      const [question] = await embedder.embed([KEY], "query");
      expect(cosine(question, note)).toBeGreaterThan(0.5);
    });

    it("gives nothing for nothing", async () => {
      expect(await embedder.embed([], "document")).toEqual([]);
    });

    it("stops for whoever does not want the vectors any more, and serves the next", async () => {
      const abort = new AbortController();
      const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`);
      const stopped = embedder.embed(texts, "document", abort.signal);
      abort.abort(new Error("enough"));
      await expect(stopped).rejects.toThrow(/enough|aborted/);
      await expect(embedder.embed(texts, "document", abort.signal)).rejects.toThrow(/enough|aborted/);
      expect(await embedder.embed([KEY], "query")).toHaveLength(1);
    });

    it("may be let go twice", async () => {
      await embedder.unload();
      await expect(embedder.unload()).resolves.toBeUndefined();
    });
  });
}
