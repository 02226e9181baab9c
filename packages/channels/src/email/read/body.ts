// The text of a mail, from the bytes of its text parts.
import PostalMime from "postal-mime";
import { readHtml } from "./readable-html.ts";
import type { Section, TextPart } from "./structure.ts";

/** More than anybody writes; what comes after it is left out. */
export const MOST_TEXT_BYTES = 512 * 1024;
const MOST_TEXT = 100_000;

/** Fetches at most so many bytes of a part; undefined when there are none. */
export type FetchPart = (key: string, maxLength: number) => Promise<Uint8Array | undefined>;

export async function readBody(sections: readonly Section[], fetch: FetchPart): Promise<string> {
  const texts: string[] = [];
  for (const section of sections) texts.push(await readSection(section, fetch));
  const whole = texts.filter((text) => text !== "").join("\n\n");
  if (whole.length <= MOST_TEXT) return whole;
  return `${whole.slice(0, MOST_TEXT).toWellFormed()}\n\n[The rest of this mail was left out: it is very long.]`;
}

/** Some programs send an empty plain text beside what they wrote in HTML. */
async function readSection({ plain, html }: Section, fetch: FetchPart): Promise<string> {
  const text = plain ? tidy(await decodePart(plain, fetch)) : "";
  if (text !== "" || !html) return text;
  return readHtml(await decodePart(html, fetch));
}

function tidy(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (found) => (found === "\r" ? "" : " ")).trim();
}

/** The parser reads whole mails: the part is handed over as one. */
async function decodePart(part: TextPart, fetch: FetchPart): Promise<string> {
  const bytes = await fetch(part.key, MOST_TEXT_BYTES);
  if (!bytes || bytes.length === 0) return "";
  const flowed = part.isFlowed ? `; format=flowed${part.dropsBlanks ? "; delsp=yes" : ""}` : "";
  const head = [
    `Content-Type: ${part.type}; charset="${token(part.charset)}"${flowed}`,
    `Content-Transfer-Encoding: ${token(part.encoding)}`,
  ];
  const mail = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
  const parsed = await PostalMime.parse(mail, { maxNestingDepth: 4 });
  return ((part.type === "text/html" ? parsed.html : parsed.text) ?? "").toWellFormed();
}

function token(written: string): string {
  return written.replace(/[^\w.+:-]/g, "").slice(0, 40);
}
