// Character references such as `&amp;` and `&#8212;`, decoded once.

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ensp: "\u2002",
  emsp: "\u2003",
  thinsp: "\u2009",
  zwj: "\u200d",
  zwnj: "\u200c",
  shy: "\u00ad",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  sbquo: "‚",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  copy: "©",
  reg: "®",
  trade: "™",
  deg: "°",
  plusmn: "±",
  times: "×",
  divide: "÷",
  minus: "−",
  frac12: "½",
  frac14: "¼",
  frac34: "¾",
  sup2: "²",
  sup3: "³",
  micro: "µ",
  para: "¶",
  sect: "§",
  cent: "¢",
  pound: "£",
  yen: "¥",
  euro: "€",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
  harr: "↔",
  rArr: "⇒",
  hArr: "⇔",
  le: "≤",
  ge: "≥",
  ne: "≠",
  asymp: "≈",
  infin: "∞",
  radic: "√",
  sum: "∑",
  pi: "π",
  check: "✓",
  cross: "✗",
  lowbar: "_",
  ast: "*",
  grave: "`",
  lbrack: "[",
  rbrack: "]",
  vert: "|",
  num: "#",
};

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,30}));/g, decodeOne);
}

function decodeOne(reference: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10));
  if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, 16));
  return name !== undefined && Object.hasOwn(NAMED, name) ? (NAMED[name] ?? reference) : reference;
}

function characterOf(codePoint: number): string {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint === 0 || isSurrogate || codePoint > 0x10ffff ? "\ufffd" : String.fromCodePoint(codePoint);
}
