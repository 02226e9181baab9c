// The model for all languages, run for real: a small one that the test makes, with the runtime that comes along.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@chela/sdk/testing";
import { afterAll, expect, it } from "vitest";
import { testEmbedder } from "../embedder-contract.test-support.ts";
import { cosine, realModelFiles } from "./model-files.test-support.ts";
import { createMultilingualEmbedder } from "./multilingual-embedder.ts";
import { writeSmallModel } from "./small-model.test-support.ts";

const folder = mkdtempSync(join(tmpdir(), "chela-multilingual-"));
writeSmallModel(folder);
const open = (place = folder) =>
  createMultilingualEmbedder(place, { clock: createFakeClock(), log: () => undefined }, realModelFiles().runtime);

testEmbedder("a model for all languages", open);

const shared = open();
afterAll(async () => {
  await shared.unload();
  rmSync(folder, { recursive: true });
});

it("finds what means the same in another language", async () => {
  const [asked] = await shared.embed(["schlüssel"], "query");
  const [near, far] = await shared.embed(["llave", "barco"], "document");
  expect(cosine(asked, near)).toBeGreaterThan(cosine(asked, far) + 0.1);
});

it("embeds what is asked and what is looked for in two ways", async () => {
  const [asked] = await shared.embed(["bread"], "query");
  const [noted] = await shared.embed(["bread"], "document");
  expect(cosine(asked, noted)).toBeLessThan(0.999);
});

it("says so when it was removed", async () => {
  const gone = open(join(folder, "elsewhere"));
  await expect(gone.embed(["bread"], "query")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: "the model for all languages is gone; install it again",
  });
});
