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
      waiting.push(...Array.from(next.childNodes).toReversed());
    }
  }
  return tidyLines(parts.join(""));
}

/** For pages no parser can take: everything between angle brackets goes, in one pass. */
export function stripTags(html: string): string {
  const quiet = html.replace(/<(script|style|noscript|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ");
  return tidyLines(quiet.replace(/<!--[\s\S]*?(?:-->|$)/g, " ").replace(/<[^<>]*>/g, "\n"));
}

function tidyLines(text: string): string {
  return text
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
