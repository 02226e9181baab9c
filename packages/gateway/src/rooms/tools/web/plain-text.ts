// The words of a page without any markup; blocks stand on lines of their own.
import type { PageElement, PageNode } from "./hidden-elements.ts";

const TEXT = 3;
const BLOCKS =
  /^(?:address|article|aside|blockquote|body|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|br)$/i;

/** Walks without recursion: pages may be nested as deeply as they like. */
export function plainTextOf(root: PageElement): string {
  const parts: string[] = [];
  const waiting: (PageNode | "\n")[] = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next === "\n") parts.push("\n");
    else if (next.nodeType === TEXT) parts.push((next.textContent ?? "").replace(/\s+/g, " "));
    else {
      const isBlock = BLOCKS.test((next as PageElement).tagName ?? "");
      if (isBlock) {
        parts.push("\n");
        waiting.push("\n");
      }
      for (const child of Array.from(next.childNodes).toReversed()) waiting.push(child);
    }
  }
  return tidyLines(parts.join(""));
}

/** Comments and whatever is not meant to be read, taken out in one pass, as a browser would end them. */
const MACHINERY =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg|iframe|object|canvas)\b[\s\S]*?(?:<\/\1\s{0,9}>|$)/gi;

export function withoutMachinery(html: string): string {
  return html.replace(MACHINERY, " ");
}

/** For pages no parser can take: everything between angle brackets goes. */
export function stripTags(html: string): string {
  return tidyLines(html.replace(/<[^<>]*>/g, "\n"));
}

function tidyLines(text: string): string {
  return text
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
