// A model file of the owner, with a stand-in for node-llama-cpp that is installed like the real one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@chela/sdk/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testEmbedder } from "../embedder-contract.test-support.ts";
import { createGgufEmbedder } from "./gguf-embedder.ts";

/** Notes what is asked of it; a text that says "bad" fails, one that says "slow" waits to be released. */
const LIBRARY = `
const calls = (globalThis.chelaTestLlama ??= []);
export async function getLlama(options) {
  calls.push(["getLlama", options]);
  return {
    async loadModel({ modelPath }) {
      if (modelPath.endsWith("broken.gguf")) throw new Error("invalid magic");
      calls.push(["load"]);
      return {
        trainContextSize: 20,
        tokenize: (text) => [...text].map((letter) => letter.codePointAt(0)),
        async createEmbeddingContext() {
          return {
            async getEmbeddingFor(tokens) {
              if (String.fromCodePoint(...tokens) === "bad") throw new Error("llama_decode failed");
              if (String.fromCodePoint(...tokens) === "slow") await new Promise((go) => (globalThis.chelaTestRelease = go));
              return { vector: [3, 4, tokens.length > 12 ? 1 : 0] };
            },
          };
        },
        async dispose() { calls.push(["dispose"]); },
      };
    },
  };
}`;

const folder = mkdtempSync(join(tmpdir(), "chela-gguf-"));
const calls = (): unknown[][] => (globalThis as { chelaTestLlama?: unknown[][] }).chelaTestLlama ?? [];

const release = (): void => (globalThis as { chelaTestRelease?: () => void }).chelaTestRelease?.();

beforeAll(() => {
  const place = join(folder, "node_modules", "node-llama-cpp");
  mkdirSync(place, { recursive: true });
  const manifest = {
    name: "node-llama-cpp",
    type: "module",
    exports: { ".": { import: "./index.js", node: "./index.js" } },
  };
  writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(place, "index.js"), LIBRARY);
  for (const name of ["mine.gguf", "broken.gguf"]) writeFileSync(join(folder, name), "GGUF");
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  delete (globalThis as { chelaTestLlama?: unknown }).chelaTestLlama;
});
beforeEach(() => void calls().splice(0));

function open(name = "mine.gguf", packageFolders = [folder]) {
  const clock = createFakeClock();
  const path = name.includes(":") ? name : join(folder, name);
  return { clock, embedder: createGgufEmbedder(path, { clock, log: () => {}, packageFolders }) };
}

testEmbedder("a file of the owner", () => open().embedder);

it("embeds with vectors of length 1, under the name of the file, and asks for nothing to be fetched or built", async () => {
  const { embedder } = open();
  expect(await embedder.embed(["hello", "you"], "document")).toEqual([
    Float32Array.of(0.6, 0.8, 0),
    Float32Array.of(0.6, 0.8, 0),
  ]);
  expect(embedder.model).toBe("mine.gguf");
  expect(calls()).toEqual([["getLlama", expect.objectContaining({ build: "never", skipDownload: true })], ["load"]]);
});

it("cuts a text to what the model sees at once", async () => {
  const [vector] = await open().embedder.embed(["a text of more than twelve letters"], "document");
  expect(vector?.[2]).toBe(0);
});

it("loads once for many texts, lets go after a minute, and loads again", async () => {
  const { embedder, clock } = open();
  await Promise.all([embedder.embed(["a"], "query"), embedder.embed(["b"], "query")]);
  await clock.advance(60_000);
  await embedder.embed(["c"], "query");
  await embedder.unload();
  expect(calls().map(([what]) => what)).toEqual(["getLlama", "load", "dispose", "getLlama", "load", "dispose"]);
});

it("keeps the model for whoever is still at it", async () => {
  const { embedder, clock } = open();
  const first = embedder.embed(["a"], "document");
  const slow = embedder.embed(["slow"], "document");
  await first;
  await clock.advance(60_000);
  expect(calls().map(([what]) => what)).toEqual(["getLlama", "load"]);
  release();
  await slow;
  await clock.advance(60_000);
  expect(calls().map(([what]) => what)).toEqual(["getLlama", "load", "dispose"]);
});

it.each([
  ["no file is there", "missing.gguf", true, /there is no model at .*missing\.gguf/],
  ["the model would have to be fetched", "hf:someone/some-model", true, /is no file; fetch the model first/],
  ["the library is not installed", "mine.gguf", false, /models in GGUF files need node-llama-cpp/],
  ["the file is no model", "broken.gguf", true, /the model broken\.gguf cannot be run/],
])("says what is wrong when %s", async (_, name, isInstalled, detail) => {
  const { embedder } = open(name, isInstalled ? [folder] : []);
  await expect(embedder.embed(["text"], "query")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: expect.stringMatching(detail),
  });
});

it("says when the model fails on a text, and takes the next", async () => {
  const { embedder } = open();
  await expect(embedder.embed(["bad"], "query")).rejects.toMatchObject({ detail: "the model failed on a text" });
  expect(await embedder.embed(["good"], "query")).toHaveLength(1);
});
