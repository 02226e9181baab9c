// The instant tier: vectors of words, made without running a model.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testEmbedder } from "../embedder-contract.test-support.ts";
import { cosine, realModelFiles } from "./model-files.test-support.ts";
import { createStaticEmbedder } from "./static-embedder.ts";

const open = () => {
  const embedder = createStaticEmbedder(realModelFiles());
  if (!embedder) throw new Error("there is no embedder");
  return embedder;
};

testEmbedder("the table of words", open);

it.each([
  ["When does my passport expire?", "The travel visa is valid until February.", "Water the basil twice a week."],
  [
    "my dentist's address",
    "The doctor's office for teeth is at Station Street.",
    "We chose a database for the server.",
  ],
  ["presents for mother", "Mum would love gardening gloves as a gift.", "The router's password is on the fridge."],
])("finds %j nearer to what means the same than to something else", async (question, near, far) => {
  const [asked, first, second] = await open().embed([question, near, far], "document");
  expect(cosine(asked, first)).toBeGreaterThan(cosine(asked, second));
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
