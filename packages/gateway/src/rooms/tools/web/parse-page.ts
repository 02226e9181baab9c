// Parses a page and finds its main text, as markdown or as plain text. Heavy: load it when a page is at hand.
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { removeHidden, type PageElement } from "./hidden-elements.ts";
import { createMarkdownWriter } from "./markdown-writer.ts";
import { plainTextOf } from "./plain-text.ts";
import type { ExtractMode, ReadablePage } from "./readable-page.ts";

/** Less than this is hardly the main text of a page that has much more. */
const LEAST_ARTICLE = 200;

interface PageDocument extends Pick<PageElement, "querySelector"> {
  readonly body: PageElement;
}

export function parsePage(html: string, url: string, mode: ExtractMode): ReadablePage {
  const source = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document } = parseHTML(source) as { readonly document: PageDocument };
  const title = document.querySelector("title")?.textContent?.trim() || undefined;
  removeHidden(document.body);
  makeLinksWhole(document.body, url);
  const whole = document.body.cloneNode(true);
  const article = findArticle(document);
  const isEnough = article !== undefined && hasEnough(article.content, whole);
  const chosen = isEnough ? article.content : whole;
  const text = mode === "text" ? plainTextOf(chosen) : tidy(createMarkdownWriter()(chosen));
  const name = (isEnough ? article.title : undefined) || title;
  return { ...(name ? { title: name } : {}), text, extractor: isEnough ? "readability" : "raw" };
}

interface Article {
  readonly title: string | undefined;
  readonly content: PageElement;
}

function findArticle(document: PageDocument): Article | undefined {
  const options = { serializer: (node: unknown) => node, keepClasses: false };
  const found = new Readability(document, options).parse();
  if (!found?.content) return undefined;
  return { title: found.title?.trim() || undefined, content: found.content as PageElement };
}

function hasEnough(article: PageElement, whole: PageElement): boolean {
  const length = lengthOf(article);
  return length >= LEAST_ARTICLE || length * 2 >= lengthOf(whole);
}

function lengthOf(element: PageElement): number {
  return (element.textContent ?? "").replace(/\s+/g, " ").trim().length;
}

/** Links are of use only when they can be followed from anywhere. */
function makeLinksWhole(body: PageElement, base: string): void {
  for (const link of Array.from(body.querySelectorAll("a[href]"))) {
    const target = URL.parse(link.getAttribute("href") ?? "", base);
    if (target && ["http:", "https:", "mailto:"].includes(target.protocol)) link.setAttribute("href", target.href);
    else link.removeAttribute("href");
  }
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
