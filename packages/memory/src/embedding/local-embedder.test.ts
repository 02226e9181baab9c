// The real model in a real thread, with the runtime that is always there and, where it is installed, the native one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@chela/sdk/testing";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { testEmbedder } from "../embedder-contract.test-support.ts";
import { findPackage } from "./find-package.ts";
import { createLocalEmbedder } from "./local-embedder.ts";
import { cosine, realModelFiles } from "./model-files.test-support.ts";
import type { ModelFiles } from "./model-files.ts";

/** A folder with onnxruntime-node in it: its tests run only where somebody installed that. */
const NATIVE_FOLDERS = [process.env["CHELA_TEST_PACKAGES"] ?? []].flat();

function open(packageFolders: readonly string[] = [], files: ModelFiles | undefined = realModelFiles()) {
  const clock = createFakeClock();
  const logged: object[] = [];
  const log = (_: string, message: string, fields: object): void => void logged.push({ message, ...fields });
  return { embedder: createLocalEmbedder({ clock, log, packageFolders }, files), clock, logged };
}

testEmbedder("the model that comes along", () => open().embedder);

const shared = open();
afterAll(() => shared.embedder.unload());

it("finds what means the same, though no word is shared", async () => {
  const [question, near, far] = await shared.embedder.embed(
    ["What does she not tolerate in meals?", "Anna is allergic to peanuts.", "The rent is due on the third."],
    "document",
  );
  expect(cosine(question, near)).toBeGreaterThan(cosine(question, far) + 0.2);
  expect(shared.logged).toMatchObject([{ message: "The embedding model is loaded" }]);
});

it("has a space of its own", () => {
  expect(shared.embedder.model).toBe("all-MiniLM-L6-v2-q8");
});

it("reads texts to their end that are longer than the model sees at once", async () => {
  const long = `${"Nothing of interest happened. ".repeat(110)}The plumber repairs the leaking pipe in the kitchen.`;
  const [whole, beginning, plumber] = await shared.embedder.embed([long, long.slice(0, 1000), "plumber"], "document");
  expect(cosine(whole, plumber)).toBeGreaterThan(cosine(beginning, plumber));
});

it("loads the model again after a minute without texts", async () => {
  const before = shared.logged.length;
  await shared.clock.advance(60_000);
  await shared.embedder.embed(["again"], "query");
  expect(shared.logged.slice(before)).toMatchObject([{ message: "The embedding model is loaded" }]);
});

it("says so when the model is damaged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chela-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const model = join(folder, "model.onnx");
  writeFileSync(model, "no model");
  const { embedder, logged } = open([], { ...realModelFiles(), model });
  await expect(embedder.embed(["text"], "query")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: "the model on this machine cannot be run",
  });
  expect(logged).toHaveLength(2);
});

it("goes on with the runtime that is always there when the native one is broken", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chela-native-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writePackage(folder, "onnxruntime-node", 'throw new Error("libonnxruntime.so is missing");');
  const { embedder, logged } = open([folder]);
  const [vector] = await embedder.embed(["hello"], "query");
  await embedder.unload();
  const [expected] = await shared.embedder.embed(["hello"], "query");
  expect(cosine(vector, expected)).toBeGreaterThan(0.999);
  expect(logged).toMatchObject([
    { message: "The embedding model is loaded", runtime: "wasm" },
    { why: expect.stringContaining("libonnxruntime.so is missing") },
  ]);
});

const hasNative = findPackage("onnxruntime-node", NATIVE_FOLDERS) !== undefined;
if (!hasNative) {
  process.stderr.write(
    "SKIPPED: the native runtime. Install onnxruntime-node, and name its folder in CHELA_TEST_PACKAGES.\n",
  );
}
it.skipIf(!hasNative)("gives the same vectors with the native runtime", async () => {
  const { embedder, logged } = open(NATIVE_FOLDERS);
  const texts = ["hello", "", "Anna is allergic to peanuts.", "word ".repeat(700)];
  const vectors = await embedder.embed(texts, "document");
  await embedder.unload();
  const expected = await shared.embedder.embed(texts, "document");
  for (const [at, vector] of vectors.entries()) expect(cosine(vector, expected[at])).toBeGreaterThan(0.999);
  expect(logged).toMatchObject([{ runtime: "native" }]);
});

function writePackage(folder: string, name: string, main: string): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, main: "index.js" }));
  writeFileSync(join(place, "index.js"), main);
}
