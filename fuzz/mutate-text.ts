// Changes to a text that readers tend not to expect.
import type { Random } from "./random.ts";

export interface Stock {
  readonly random: Random;
  /** Other inputs, for parts of them. */
  readonly corpus: readonly string[];
  readonly words: readonly string[];
  readonly maxLength: number;
  /** Characters stand for bytes. */
  readonly isBytes: boolean;
}

type Change = (text: string, stock: Stock) => string;

export const EDGE_NUMBERS = [
  ..."0 -0 -1 1 2 7 8 59 60 127 128 255 256 999 1000 65535 65536 2147483647 2147483648 4294967295 4294967296".split(
    " ",
  ),
  ..."9007199254740991 9007199254740993 1e21 1e308 1e400 -1e400 0.1 1e-7 NaN Infinity 0x10 00 1_000 ٣ ".split(" "),
];

export const EDGE_CHARACTERS = [
  ..."\0 \u0001 \b \t \v \f \r \n \r\n \u007f \u0085 \u00a0 \u00ad \u0130 \u0131 \u017f \u200b \u200d \u200e \u202e".split(
    " ",
  ),
  ..."\u2028 \u2029 \u2060 \u212a \ufeff \ufffd \uffff \ud800 \udfff \u{1f600} \u{1f468}\u200d\u{1f469} \u{e0041} e\u0301 ß ﬁ ．".split(
    " ",
  ),
  ..."／ ＇ ﹒ ㏒ 𝟏 İ ς".split(" "),
  " ",
];
const EDGE_BYTES = [0x00, 0x0a, 0x0d, 0x20, 0x22, 0x7f, 0x80, 0xbf, 0xc0, 0xe2, 0xed, 0xf0, 0xf8, 0xff].map((byte) =>
  String.fromCharCode(byte),
);
const COMMON_WORDS = [
  ..."__proto__ constructor prototype toString null undefined true false ../ ./ // \\ .. % %00 %2e ${ } {{ }} $( ` ' \"".split(
    " ",
  ),
  ..."\\u0000 \\n < > & | ; : , = * ? ~ # @ ! + - [ ] ( ) { } \n\n \r\n".split(" "),
];
const BRACKETS = ["[]", "{}", "()", "<>", '""', "''", "``", "**", "__", "> ", "- "] as const;

const at = (text: string, { random }: Stock): number => random.below(text.length + 1);

/** A piece of a text; mostly a short one. */
function range(text: string, { random }: Stock): { from: number; to: number } {
  const from = random.below(text.length + 1);
  const longest = random.isLucky(0.7) ? 12 : text.length;
  return { from, to: Math.min(text.length, from + 1 + random.below(Math.max(1, longest))) };
}

function insert(text: string, place: number, piece: string): string {
  return text.slice(0, place) + piece + text.slice(place);
}

const CHANGES: readonly Change[] = [
  function flipBit(text, stock) {
    if (text === "") return text;
    const place = stock.random.below(text.length);
    const flipped = text.charCodeAt(place) ^ (1 << stock.random.below(stock.isBytes ? 8 : 7));
    return text.slice(0, place) + String.fromCharCode(flipped) + text.slice(place + 1);
  },
  function replaceCharacter(text, stock) {
    const place = at(text, stock);
    const other = String.fromCharCode(0x20 + stock.random.below(0x5f));
    return text.slice(0, place) + other + text.slice(place + 1);
  },
  function insertEdge(text, stock) {
    return insert(text, at(text, stock), stock.random.pick(stock.isBytes ? EDGE_BYTES : EDGE_CHARACTERS));
  },
  function insertWord(text, stock) {
    const words = stock.words.length > 0 && stock.random.isLucky(0.7) ? stock.words : COMMON_WORDS;
    return insert(text, at(text, stock), stock.random.pick(words));
  },
  function replaceByWord(text, stock) {
    const { from, to } = range(text, stock);
    const words = stock.words.length > 0 && stock.random.isLucky(0.7) ? stock.words : COMMON_WORDS;
    return text.slice(0, from) + stock.random.pick(words) + text.slice(to);
  },
  function deletePiece(text, stock) {
    const { from, to } = range(text, stock);
    return text.slice(0, from) + text.slice(to);
  },
  function repeatPiece(text, stock) {
    const { from, to } = range(text, stock);
    const times = stock.random.isLucky(0.9) ? 1 + stock.random.below(8) : 1 + stock.random.below(5000);
    const piece = text.slice(from, to);
    const most = Math.max(1, Math.floor((stock.maxLength - text.length) / Math.max(1, piece.length)));
    return insert(text, to, piece.repeat(Math.min(times, most)));
  },
  function movePiece(text, stock) {
    const { from, to } = range(text, stock);
    const rest = text.slice(0, from) + text.slice(to);
    return insert(rest, at(rest, stock), text.slice(from, to));
  },
  function splice(text, stock) {
    const other = stock.random.pick(stock.corpus);
    const { from, to } = range(other, stock);
    return stock.random.isLucky(0.5)
      ? insert(text, at(text, stock), other.slice(from, to))
      : text.slice(0, at(text, stock)) + other.slice(at(other, stock));
  },
  function truncate(text, stock) {
    return text.slice(0, at(text, stock));
  },
  function changeNumber(text, stock) {
    const numbers = [...text.matchAll(/\d+(?:\.\d+)?/g)];
    if (numbers.length === 0) return insert(text, at(text, stock), stock.random.pick(EDGE_NUMBERS));
    const { index, 0: found } = stock.random.pick(numbers);
    return text.slice(0, index) + stock.random.pick(EDGE_NUMBERS) + text.slice(index + found.length);
  },
  function nest(text, stock) {
    const { from, to } = range(text, stock);
    const [open = "", close = ""] = stock.random.pick(BRACKETS);
    const most = Math.max(1, Math.floor((stock.maxLength - text.length) / 2));
    const depth = Math.min(most, stock.random.isLucky(0.8) ? 1 + stock.random.below(6) : stock.random.below(10_000));
    return `${text.slice(0, from)}${open.repeat(depth)}${text.slice(from, to)}${close.repeat(depth)}${text.slice(to)}`;
  },
  function changeCase(text, stock) {
    const { from, to } = range(text, stock);
    const piece = text.slice(from, to);
    return (
      text.slice(0, from) + (stock.random.isLucky(0.5) ? piece.toUpperCase() : piece.toLowerCase()) + text.slice(to)
    );
  },
];

export function mutateText(text: string, stock: Stock): string {
  return stock.random.pick(CHANGES)(text, stock);
}
