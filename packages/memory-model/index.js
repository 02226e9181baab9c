// Says where the files of the embedding model are. Nothing is read or run by asking.
import { fileURLToPath } from "node:url";

const place = (name) => fileURLToPath(new URL(`./assets/${name}`, import.meta.url));

export const files = {
  /** all-MiniLM-L6-v2, weights of 8 bits, as ONNX. */
  model: place("model.onnx"),
  /** One token on each line; the number of the line is its id. */
  vocabulary: place("vocabulary.txt"),
  /** Where in the model the vectors of its tokens lie: offset, rows, columns. */
  wordTable: place("word-table.json"),
  /** The module of onnxruntime-web; its WebAssembly is beside it. */
  runtime: place("runtime/ort.wasm.min.mjs"),
};

/** What sentences in further languages tell, without any model: data, a file for each language. */
export const rules = ["german", "spanish"].map((name) =>
  fileURLToPath(new URL(`./rules/${name}.json`, import.meta.url)),
);
