// Makes of an HTML page what a person would read of it; the parser is loaded with the first page that is worth it.
import { isWorthParsing } from "./parse-budget.ts";
import { stripTags, withoutMachinery } from "./plain-text.ts";

export type ExtractMode = "markdown" | "text";

export interface ReadablePage {
  readonly title?: string;
  readonly text: string;
  /** "raw" when no main text was found and the whole page was taken. */
  readonly extractor: "readability" | "raw";
}

const LONGEST_DESERT = 500;

export async function readPage(html: string, url: string, mode: ExtractMode): Promise<ReadablePage> {
  const page = withoutDeserts(withoutMachinery(html));
  if (!isWorthParsing(page)) return { text: stripTags(page), extractor: "raw" };
  const { parsePage } = await import("./parse-page.ts");
  try {
    return parsePage(page, url, mode);
  } catch {
    // Broken in a way the libraries do not survive; the words are still there.
    return { text: stripTags(page), extractor: "raw" };
  }
}

/** Endless runs of spaces say nothing, and make the patterns of the libraries slow. */
function withoutDeserts(html: string): string {
  return html.replace(/\s+/g, (run) => (run.length > LONGEST_DESERT ? run.slice(0, LONGEST_DESERT) : run));
}
