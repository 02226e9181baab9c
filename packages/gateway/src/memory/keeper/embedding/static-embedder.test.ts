// The instant tier: vectors of words, made without running a model.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cosine, realModelFiles } from "./model-files.test-support.ts";
import { LANGUAGE_BIAS } from "./glosses/language-marks.ts";
import { createStaticEmbedder } from "./static-embedder.ts";

const open = () => {
  const embedder = createStaticEmbedder(realModelFiles());
  if (!embedder) throw new Error("there is no embedder");
  return embedder;
};

it.each([
  ["When does my passport expire?", "The travel visa is valid until February.", "Water the basil twice a week."],
  [
    "my dentist's address",
    "The doctor's office for teeth is at Station Street.",
    "We chose a database for the server.",
  ],
  [
    "Wann läuft mein Reisepass ab?",
    "Das Visum ist bis Februar gültig.",
    "Das Basilikum braucht zweimal pro Woche Wasser.",
  ],
  ["presents for mother", "Mum would love gardening gloves as a gift.", "The router's password is on the fridge."],
])("finds %j nearer to what means the same than to something else", async (question, near, far) => {
  const [asked, first, second] = await open().embed([question, near, far], "document");
  expect(cosine(asked, first)).toBeGreaterThan(cosine(asked, second));
});

it("gives vectors of length 1, also for a text of nothing and for one of marks", async () => {
  const texts = ["hello", "", "   ", "!?…", "日本", "\u0000", "long ".repeat(50_000)];
  const vectors = await open().embed(texts, "query");
  expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 384 + LANGUAGE_BIAS.numbers));
  for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
});

it("gives the same vector again, alone, among many, and after it was unloaded", async () => {
  const embedder = open();
  const [alone] = await embedder.embed(["the key is behind the fuse box"], "document");
  const many = await embedder.embed(
    Array.from({ length: 100 }, () => "the key is behind the fuse box"),
    "query",
  );
  await embedder.unload();
  const [again] = await embedder.embed(["the key is behind the fuse box"], "document");
  for (const vector of [...many, again]) expect(vector).toEqual(alone);
});

it("stops when it is told to", async () => {
  const abort = new AbortController();
  const work = open().embed(
    Array.from({ length: 1000 }, () => "text"),
    "document",
    abort.signal,
  );
  abort.abort(new Error("enough"));
  await expect(work).rejects.toThrow("enough");
});

it("says that the table cannot be read when the model is not whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chela-static-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const model = join(folder, "model.onnx");
  writeFileSync(model, "the beginning of a model");
  const embedder = createStaticEmbedder({ ...realModelFiles(), model });
  await expect(embedder?.embed(["text"], "query")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: "the table of words cannot be read",
  });
});
