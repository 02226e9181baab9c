// A model of a few kilobytes, made by the tests: a table with a vector for each token, as ONNX, and the tokenizer for it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"];
/** Words of three languages; those in one row mean the same. */
const MEANINGS = [
  ["▁bread", "▁brot", "▁pan"],
  ["▁boat", "▁boot", "▁barco"],
  ["▁key", "▁schlüssel", "▁llave"],
  ["▁query:"],
  ["▁passage:"],
];
const DIMENSIONS = 8;
const FLOAT = 1;
const INT64 = 7;
const OPSET = 13;

type Bytes = readonly number[];

const varint = (value: number): Bytes => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const number = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, content: Bytes): Bytes => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
];
const text = (field: number, content: string): Bytes => bytes(field, [...Buffer.from(content)]);

/** Named dimensions may have any size. */
const value = (name: string, type: number, shape: readonly (string | number)[]): Bytes => {
  const dimensions = shape.flatMap((size) => bytes(1, typeof size === "string" ? text(2, size) : number(1, size)));
  const tensor = [...number(1, type), ...bytes(2, dimensions)];
  return [...text(1, name), ...bytes(2, bytes(1, tensor))];
};

function makeModel(rows: readonly (readonly number[])[]): Buffer {
  const table = Buffer.from(Float32Array.from(rows.flat()).buffer);
  const words = [
    ...number(1, rows.length),
    ...number(1, DIMENSIONS),
    ...number(2, FLOAT),
    ...text(8, "words"),
    ...bytes(9, [...table]),
  ];
  const look = [...text(1, "words"), ...text(1, "input_ids"), ...text(2, "last_hidden_state"), ...text(4, "Gather")];
  const graph = [
    ...bytes(1, look),
    ...text(2, "table"),
    ...bytes(5, words),
    ...bytes(11, value("input_ids", INT64, ["texts", "tokens"])),
    ...bytes(12, value("last_hidden_state", FLOAT, ["texts", "tokens", DIMENSIONS])),
  ];
  return Buffer.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, OPSET))]);
}

/** Into the folder, as `chela memory model install` leaves it. */
export function writeSmallModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const rows: number[][] = SPECIAL.map(() => Array.from({ length: DIMENSIONS }, () => 0.01));
  const vocabulary = SPECIAL.map((token): [string, number] => [token, 0]);
  for (const [meaning, words] of MEANINGS.entries()) {
    for (const word of words) {
      vocabulary.push([word, -1]);
      rows.push(Array.from({ length: DIMENSIONS }, (_, at) => (at === meaning ? 1 : 0.01)));
    }
  }
  writeFileSync(join(folder, "model.onnx"), makeModel(rows));
  const special = SPECIAL.map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  const begin = { SpecialToken: { id: "<s>", type_id: 0 } };
  const end = { SpecialToken: { id: "</s>", type_id: 0 } };
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: null,
    pre_tokenizer: { type: "Metaspace", replacement: "▁", add_prefix_space: true },
    post_processor: {
      type: "TemplateProcessing",
      single: [begin, { Sequence: { id: "A", type_id: 0 } }, end],
      pair: [],
      special_tokens: {
        "<s>": { id: "<s>", ids: [0], tokens: ["<s>"] },
        "</s>": { id: "</s>", ids: [2], tokens: ["</s>"] },
      },
    },
    decoder: null,
    model: { type: "Unigram", unk_id: 3, vocab: vocabulary },
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
}
