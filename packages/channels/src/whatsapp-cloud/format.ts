// Markdown as the Cloud API takes it.
import { writeSimpleMarks, type TableMode } from "@chela/sdk/markdown";

export const TEXT_LIMIT = 4096;
export const CAPTION_LIMIT = 1024;

/** Falls back to tables that were measured, when those asked for would make the text too long. */
export function writeText(markdown: string, tables: TableMode = "bullets"): string {
  const text = writeSimpleMarks(markdown, tables);
  return tables !== "bullets" && text.length > TEXT_LIMIT ? writeSimpleMarks(markdown, "bullets") : text;
}

export function measure(markdown: string): number {
  return writeText(markdown).length;
}
