// Markdown as plain text: telephones show no marks in an SMS.
import { parseMarkdown, plainDialect, renderBlocks } from "@chela/sdk/markdown";

/** Twilio takes 1600; some is left for words that are put around. */
export const TEXT_LIMIT = 1500;

export function writeText(markdown: string): string {
  return renderBlocks(parseMarkdown(clean(markdown)), { ...plainDialect, tables: "bullets" });
}

export function measure(markdown: string): number {
  return writeText(markdown).length;
}

/** Half characters and control characters may not come through. */
function clean(markdown: string): string {
  // eslint-disable-next-line no-control-regex
  return markdown.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ");
}
