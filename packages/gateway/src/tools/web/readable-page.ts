// Makes of an HTML page what a person would read of it: its main text, as markdown or as plain text.
import { removeHidden, type PageElement } from "./hidden-elements.ts";
import { isWorthParsing } from "./parse-budget.ts";
import { plainTextOf, stripTags, withoutMachinery } from "./plain-text.ts";

export type ExtractMode = "markdown" | "text";

export interface ReadablePage {
  readonly title?: string;
  readonly text: string;
  /** "raw" when no main text was found and the whole page was taken. */
  readonly extractor: "readability" | "raw";
}

/** Less than this is hardly the main text of a page that has much more. */
const LEAST_ARTICLE = 200;
const LONGEST_DESERT = 500;

export async function readPage(html: string, url: string, mode: ExtractMode): Promise<ReadablePage> {
  const page = withoutDeserts(withoutMachinery(html));
  if (!isWorthParsing(page)) return { text: stripTags(page), extractor: "raw" };
  try {
    return await readWithDom(page, url, mode);
  } catch {
    // Broken in a way the libraries do not survive; the words are still there.
    return { text: stripTags(page), extractor: "raw" };
  }
}

/** Endless runs of spaces say nothing, and make the patterns of the libraries below slow. */
function withoutDeserts(html: string): string {
  return html.replace(/\s+/g, (run) => (run.length > LONGEST_DESERT ? run.slice(0, LONGEST_DESERT) : run));
}

async function readWithDom(html: string, url: string, mode: ExtractMode): Promise<ReadablePage> {
  const { parseHTML } = await import("linkedom");
  const source = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document } = parseHTML(source) as { readonly document: PageDocument };
  const title = document.querySelector("title")?.textContent?.trim() || undefined;
  removeHidden(document.body);
  makeLinksWhole(document.body, url);
  const whole = document.body.cloneNode(true);
  const article = await findArticle(document);
  const isEnough = article !== undefined && hasEnough(article.content, whole);
  const chosen = isEnough ? article.content : whole;
  const text = mode === "text" ? plainTextOf(chosen) : await toMarkdown(chosen);
  const name = (isEnough ? article.title : undefined) || title;
  return { ...(name ? { title: name } : {}), text, extractor: isEnough ? "readability" : "raw" };
}

interface PageDocument extends Pick<PageElement, "querySelector"> {
  readonly body: PageElement;
}

interface Article {
  readonly title: string | undefined;
  readonly content: PageElement;
}

async function findArticle(document: PageDocument): Promise<Article | undefined> {
  const { Readability } = await import("@mozilla/readability");
  const options = { serializer: (node: unknown) => node, keepClasses: false };
  const found = new Readability(document, options).parse();
  return found?.content
    ? { title: found.title?.trim() || undefined, content: found.content as PageElement }
    : undefined;
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

async function toMarkdown(element: PageElement): Promise<string> {
  const { createMarkdownWriter } = await import("./markdown-writer.ts");
  return tidy((await createMarkdownWriter())(element));
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
