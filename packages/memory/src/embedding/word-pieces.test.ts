// Texts are cut as the model was trained with: the same pieces as the reference tokenizer gives, for any script.
import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { expect, it } from "vitest";
import { realModelFiles } from "./model-files.test-support.ts";
import { UNKNOWN_PIECE, WordPieces } from "./word-pieces.ts";

const vocabulary = readFileSync(realModelFiles().vocabulary, "utf8");
const tokens = vocabulary.trimEnd().split("\n");
const pieces = new WordPieces(vocabulary);
const wordsOf = (text: string): string[] => pieces.cut(text).map((id) => tokens[id] ?? "");

const reference = new Tokenizer(
  {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  },
  { unk_token: "[UNK]" },
);

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz     ",
  "äöüßéèçñåøłŁŽžÀİıſ  eaou",
  "日本語漢字中文東京的 ",
  "ひらがなカタカナーパピ",
  "한국어 안녕하세요",
  "привет мир ёйЁ",
  "שלום عربي مرحبا ",
  "ไทย हिन्दी नमस्ते",
  "😀👩‍👩‍👧🎉✨ ",
  ".,;:!?-_()[]{}'\"`~^@#$%&*+=<>|\\/ §«»—…",
  "\u0000\u0007\u200b\ufeff\u00ad\t\n\r\u00a0\u3000\u2028\ue000\ufffd",
  "0123456789 ¼²Ⅷ①",
  "𝔘𝒜",
  "e\u0301a\u0308o\u030a ﬁ",
].map((letters) => [...letters]);

/** Always the same ones. */
function* makeTexts(count: number): Iterable<string> {
  let seed = 7;
  const pick = <T>(list: readonly T[]): T => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return list[(seed >>> 8) % list.length] as T;
  };
  const lengths = [1, 2, 3, 5, 8, 13];
  for (let made = 0; made < count; made++) {
    let text = "";
    for (let part = 0; part < pick([1, 2, 3, 4]); part++) {
      const alphabet = pick(ALPHABETS);
      for (let at = 0; at < pick(lengths); at++)
        text += pick([true, false, false]) ? pick(alphabet).toUpperCase() : pick(alphabet);
      text += pick(["", " "]);
    }
    yield text;
  }
}

it("gives the pieces of the reference tokenizer for a thousand texts of all scripts", () => {
  for (const text of [...makeTexts(1000), "", " ", "x".repeat(100), "x".repeat(101), "é".repeat(101)]) {
    expect(pieces.cut(text), JSON.stringify(text)).toEqual(reference.encode(text, { add_special_tokens: false }).ids);
  }
});

it.each([
  ["Playing", ["playing"]],
  ["embeddings", ["em", "##bed", "##ding", "##s"]],
  ["Crème brûlée", ["cr", "##eme", "br", "##ule", "##e"]],
  ["don't", ["don", "'", "t"]],
  ["東京", ["東", "京"]],
  ["soft\u00adhyphen", ["soft", "##hy", "##ph", "##en"]],
])("cuts %j into its pieces", (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

it("takes ideographs beyond the basic plane one by one", () => {
  expect(pieces.cut("\u{20000}\u{20001}")).toEqual([UNKNOWN_PIECE, UNKNOWN_PIECE]);
});

it("reads nothing in a text as a special piece", () => {
  expect(wordsOf("[SEP] [CLS]")).toEqual(["[", "sep", "]", "[", "cl", "##s", "]"]);
});
