// Cuts texts into the tokens of a model, by the vocabulary of word pieces or the tokenizer file that belongs to it.
import { readFileSync } from "node:fs";
import { CLASS_PIECE, END_PIECE, WordPieces } from "./word-pieces.ts";

/** How a model's tokens are told: one word piece on each line, or a tokenizer as Hugging Face describes one. */
export type TokensWish =
  | { readonly kind: "word pieces"; readonly path: string }
  | { readonly kind: "tokenizer"; readonly path: string };

export interface Tokens {
  /** Without those that begin and end a text. */
  cut(text: string): readonly number[];
  readonly begin: readonly number[];
  readonly end: readonly number[];
}

export async function openTokens({ kind, path }: TokensWish): Promise<Tokens> {
  const text = readFileSync(path, "utf8");
  if (kind === "word pieces") {
    const pieces = new WordPieces(text);
    return { cut: (one) => pieces.cut(one), begin: [CLASS_PIECE], end: [END_PIECE] };
  }
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const tokenizer = new Tokenizer(JSON.parse(text) as object, {});
  // What it puts around a text is what it makes of none.
  const around = tokenizer.encode("").ids;
  const half = Math.ceil(around.length / 2);
  return {
    cut: (one) => tokenizer.encode(one, { add_special_tokens: false }).ids,
    begin: around.slice(0, half),
    end: around.slice(half),
  };
}
