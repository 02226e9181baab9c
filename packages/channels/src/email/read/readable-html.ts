// HTML of a mail as plain text: blocks on lines of their own, links with where they lead.

const MOST_LENGTH = 1_000_000;
/** What is inside is not for reading. */
const SILENT = new Set([
  "script",
  "style",
  "head",
  "title",
  "template",
  "noscript",
  "svg",
  "object",
  "iframe",
  "select",
]);
const LINES = new Set(
  "address article aside center dd div dl dt footer form header li main nav ol section table tr ul".split(" "),
);
const PARAGRAPHS = new Set("h1 h2 h3 h4 h5 h6 hr p pre".split(" "));

export function readHtml(html: string): string {
  const reader = new HtmlReader();
  for (const piece of piecesOf(html.slice(0, MOST_LENGTH))) {
    if (piece.kind === "text") reader.text(piece.text);
    else reader.tag(piece.name, piece.isEnd, piece.attributes);
  }
  return tidy(reader.finish());
}

type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tag"; readonly name: string; readonly isEnd: boolean; readonly attributes: string };

function* piecesOf(html: string): Generator<Piece> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open !== at) yield { kind: "text", text: html.slice(at, open < 0 ? html.length : open) };
    if (open < 0) return;
    if (!/[a-z/!?]/i.test(html[open + 1] ?? "")) {
      yield { kind: "text", text: "<" };
      at = open + 1;
      continue;
    }
    const close = html.startsWith("<!--", open) ? endOf(html, "-->", open + 4) : endOf(html, ">", open + 1);
    const tag = readTag(html.slice(open, close));
    if (tag) yield tag;
    at = close;
  }
}

/** Its end is looked at apart from its name: one pattern for both would try every length of the name with it. */
function readTag(written: string): Piece | undefined {
  const [start, slash, name] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(written) ?? [];
  if (start === undefined || name === undefined || !written.endsWith(">")) return undefined;
  return { kind: "tag", name: name.toLowerCase(), isEnd: slash === "/", attributes: written.slice(start.length, -1) };
}

function endOf(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

class HtmlReader {
  #pieces: string[] = [];
  /** What stands before the quote that is open. */
  #outside: string[] | undefined;
  #quotes = 0;
  #silent: string | undefined;
  #isPreformatted = false;
  /** What the link that is open points to, and where its words begin. */
  #link: { readonly href: string; readonly start: number } | undefined;

  text(text: string): void {
    if (this.#silent !== undefined) return;
    const words = decodeEntities(text);
    this.#write(this.#isPreformatted ? words : words.replace(/[ \t\r\n]+/g, " "));
  }

  tag(name: string, isEnd: boolean, attributes: string): void {
    if (this.#silent !== undefined) {
      if (isEnd && name === this.#silent) this.#silent = undefined;
      return;
    }
    if (SILENT.has(name) && !isEnd && !attributes.endsWith("/")) this.#silent = name;
    else if (name === "a") this.#linkTag(isEnd, attributes);
    else if (name === "blockquote") this.#quoteTag(isEnd);
    else if (name === "img" && !isEnd) this.#write(attributeOf(attributes, "alt") ?? "");
    else this.#write(breakFor(name, isEnd));
    if (name === "pre") this.#isPreformatted = !isEnd;
  }

  finish(): string {
    if (this.#quotes > 0) this.#closeQuote();
    return this.#pieces.join("");
  }

  #write(text: string): void {
    this.#pieces.push(text);
  }

  #linkTag(isEnd: boolean, attributes: string): void {
    const open = this.#link;
    this.#link = undefined;
    if (open) {
      const words = this.#pieces.slice(open.start).join("").trim();
      if (words !== "" && !open.href.includes(words)) this.#write(` (${open.href})`);
    }
    if (isEnd) return;
    const href = attributeOf(attributes, "href")?.trim() ?? "";
    if (/^https?:\/\//i.test(href) && href.length <= 2000) this.#link = { href, start: this.#pieces.length };
  }

  /** Marked once, by the outermost quote: nesting can be made as deep as one likes. */
  #quoteTag(isEnd: boolean): void {
    this.#link = undefined;
    if (!isEnd) {
      this.#quotes += 1;
      if (this.#quotes > 1) return this.#write("\n\n");
      this.#outside = this.#pieces;
      this.#pieces = [];
    } else if (this.#quotes > 1) {
      this.#quotes -= 1;
      this.#write("\n\n");
    } else if (this.#quotes === 1) this.#closeQuote();
  }

  #closeQuote(): void {
    const inner = tidy(this.#pieces.join(""));
    this.#pieces = this.#outside ?? [];
    this.#quotes = 0;
    if (inner !== "") this.#write(`\n\n${inner.replace(/^/gm, "> ")}\n\n`);
  }
}

function breakFor(name: string, isEnd: boolean): string {
  if (name === "br") return "\n";
  if (name === "td" || name === "th") return isEnd ? " " : "";
  if (PARAGRAPHS.has(name)) return "\n\n";
  if (!LINES.has(name)) return "";
  return name === "li" && !isEnd ? "\n- " : "\n";
}

function attributeOf(attributes: string, name: string): string | undefined {
  const pattern = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
  for (const [, found, double, single, bare] of attributes.slice(0, 8000).matchAll(pattern)) {
    if (found?.toLowerCase() === name) return decodeEntities(double ?? single ?? bare ?? "");
  }
  return undefined;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  bull: "•",
  copy: "©",
  euro: "€",
  gt: ">",
  hellip: "…",
  laquo: "«",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  middot: "·",
  nbsp: " ",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rdquo: "”",
  rsquo: "’",
  shy: "",
  zwnj: "",
  auml: "ä",
  Auml: "Ä",
  ouml: "ö",
  Ouml: "Ö",
  uuml: "ü",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  ntilde: "ñ",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replaceAll("\u00a0", " ").trimEnd())
    .map((line) => (line.trim() === "" ? "" : line.replace(/^ (?=\S)/, "")))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
