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

/** A text that names more people wants to reach everybody, and nobody's telephone shall ring for the rest. */
const MOST_MENTIONS = 20;

export function writeText(markdown: string, tables: TableMode = "bullets"): WrittenText {
  const rendered = writeSimpleMarks(markdown, tables);
  const mentions = new Set<string>();
  const text = rendered.replace(/(?<![\w@])@\+(\d{7,15})(?!\d)/g, (written, digits: string) => {
    const jid = `${digits}@s.whatsapp.net`;
    if (mentions.size >= MOST_MENTIONS && !mentions.has(jid)) return written;
    mentions.add(jid);
    return `@${digits}`;
  });
  return { text, mentions: [...mentions] };
}

export function measure(markdown: string): number {
  return writeText(markdown).text.length;
}
