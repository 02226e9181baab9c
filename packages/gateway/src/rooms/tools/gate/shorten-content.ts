// Cuts what a tool returned down to what a model can take in: the beginning and the end stay, the middle goes.
import type { ImageBlock, ModelInfo, TextBlock, ToolOutput } from "@chela/sdk";

type Content = ToolOutput["content"];

/** A model without a known window still gets this much. */
const LEAST_CHARS = 4_000;
const CHARS_PER_TOKEN = 3;
const SHARE_OF_WINDOW = 0.3;

/** How many characters of one result fit: never more than a good part of the model's window. */
export function resultLimit(maxChars: number, { contextWindow }: ModelInfo): number {
  const fits = Math.floor(contextWindow * CHARS_PER_TOKEN * SHARE_OF_WINDOW);
  return Math.min(maxChars, fits > LEAST_CHARS ? fits : LEAST_CHARS);
}

export function shortenContent(content: Content, limit: number): Array<TextBlock | ImageBlock> {
  const total = content.reduce((sum, block) => sum + textLength(block), 0);
  if (total <= limit) return [...content];
  return content.map((block) => {
    if (!isText(block)) return block;
    const share = Math.floor((limit * block.text.length) / total);
    return { ...block, text: shortenText(block.text, share) };
  });
}

function shortenText(text: string, limit: number): string {
  const head = wholeCharacters(text.slice(0, Math.ceil((limit * 2) / 3)));
  const tail = wholeCharacters(text.slice(text.length - Math.floor(limit / 3)));
  return `${head}\n[${text.length - head.length - tail.length} characters were cut here]\n${tail}`;
}

/** Half of a surrogate pair is no text. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}

function isText(block: TextBlock | ImageBlock): block is TextBlock {
  return block.type === "text";
}

function textLength(block: TextBlock | ImageBlock): number {
  return isText(block) ? block.text.length : 0;
}
