// Tells whether bytes are text, and which of the few kinds of text that matter.

const BYTE_ORDER_MARKS = ["\xff\xfe", "\xfe\xff"];
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const NOT_IN_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;
const JSON_BEGINS = /^[{[]\s*(["{[\]}\d-]|true|false|null)/;

/** Undefined when it is no text. */
export function sniffText(head: Buffer, isWhole: boolean): string | undefined {
  if (head.length === 0) return undefined;
  if (BYTE_ORDER_MARKS.includes(head.toString("latin1", 0, 2))) return "text/plain";
  const text = decode(isWhole ? head : withoutCutCharacter(head));
  if (text === undefined || NOT_IN_TEXT.test(text)) return undefined;
  const begin = text.trimStart();
  if (isJson(begin, isWhole)) return "application/json";
  const root = rootElement(begin);
  if (root === "svg") return "image/svg+xml";
  return root === "html" ? "text/html" : "text/plain";
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The head may end in the middle of a character: at most three bytes of it. */
function withoutCutCharacter(head: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= head.length; back++) {
    const byte = head[head.length - back] ?? 0;
    if (byte >= 0xc0) return head.subarray(0, head.length - back);
    if (byte < 0x80) return head;
  }
  return head;
}

function isJson(begin: string, isWhole: boolean): boolean {
  if (!JSON_BEGINS.test(begin)) return false;
  if (!isWhole) return true;
  try {
    JSON.parse(begin);
    return true;
  } catch {
    return false;
  }
}

/** The name of the first element, behind declarations and comments; searched by position, so that no text is slow. */
function rootElement(text: string): string | undefined {
  let at = 0;
  while (text[at] === "<") {
    const isComment = text.startsWith("<!--", at);
    if (!isComment && text[at + 1] !== "?" && text[at + 1] !== "!") break;
    if (/^<!doctype\s+html/i.test(text.slice(at, at + 30))) return "html";
    const close = text.indexOf(isComment ? "-->" : ">", at);
    if (close < 0) return undefined;
    at = close + (isComment ? 3 : 1);
    while (/\s/.test(text[at] ?? "")) at++;
  }
  return /^<(svg|html)[\s>/]/i.exec(text.slice(at, at + 10))?.[1]?.toLowerCase();
}
