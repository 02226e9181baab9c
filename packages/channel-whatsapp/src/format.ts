// Markdown as WhatsApp writes it, and who is named in it.
import { writeSimpleMarks, type TableMode } from "@chela/sdk/markdown";

/** WhatsApp takes much more; longer messages are folded away on telephones. */
export const TEXT_LIMIT = 4000;
export const CAPTION_LIMIT = 1024;

export interface WrittenText {
  readonly text: string;
  /** Numbers that are named with @+number, as addresses. */
  readonly mentions: readonly string[];
}

export function writeText(markdown: string, tables: TableMode = "bullets"): WrittenText {
  const rendered = writeSimpleMarks(markdown, tables);
  const mentions = new Set<string>();
  const text = rendered.replace(/(?<![\w@])@\+(\d{7,15})(?!\d)/g, (_, digits: string) => {
    mentions.add(`${digits}@s.whatsapp.net`);
    return `@${digits}`;
  });
  return { text, mentions: [...mentions] };
}

export function measure(markdown: string): number {
  return writeText(markdown).text.length;
}
