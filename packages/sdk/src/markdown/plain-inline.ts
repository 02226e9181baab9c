// The words of inline parts on one line, without any marks.
import type { Inline } from "./tree.ts";

export function plainInline(parts: readonly Inline[]): string {
  return parts.map(wordsOf).join("").replace(/\s+/g, " ").trim();
}

function wordsOf(part: Inline): string {
  switch (part.kind) {
    case "text":
    case "code":
      return part.text;
    case "break":
      return " ";
    case "image":
      return describeLink(part.alt, part.href);
    case "link":
      return describeLink(part.inline.map(wordsOf).join(""), part.href);
    default:
      return part.inline.map(wordsOf).join("");
  }
}

/** `label (url)`, or one of them where the other says nothing new. */
export function describeLink(label: string, href: string): string {
  const words = label.trim();
  if (words === "" || href === "") return words || href;
  const saysTheSame = ["", "http://", "https://", "mailto:", "tel:"].some((scheme) => scheme + words === href);
  return saysTheSame ? words : `${label} (${href})`;
}
