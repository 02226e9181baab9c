// Text as it stands in a file: its mark at the beginning and its line endings survive a change.
import { GatewayError } from "@chela/sdk";

/** A larger file is not changed in memory. */
export const MAX_CHANGED_BYTES = 5 * 1024 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

export type LineEnding = "\n" | "\r\n";

export interface TextContent {
  /** Without the byte order mark, line endings as they are. */
  readonly text: string;
  readonly hasMark: boolean;
  /** The ending most lines have. */
  readonly ending: LineEnding;
}

/** Undefined when the bytes are not UTF-8 text: writing them back would damage them. */
export function decodeText(bytes: Uint8Array): TextContent | undefined {
  if (bytes.includes(0)) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const hasMark = text.startsWith(BYTE_ORDER_MARK);
  if (hasMark) text = text.slice(1);
  return { text, hasMark, ending: endingOf(text) };
}

export function encodeText(content: TextContent, text: string): Buffer {
  return Buffer.from(content.hasMark ? BYTE_ORDER_MARK + text : text);
}

/** The text of a file that is to be changed. */
export function textToChange(bytes: Uint8Array, written: string): TextContent {
  const content = decodeText(bytes);
  if (content) return content;
  throw new GatewayError(
    "TOOL_FILE",
    `"${written}" is not UTF-8 text, so it was left as it is. Change it with a command, or write it anew.`,
  );
}

function endingOf(text: string): LineEnding {
  const windows = text.split("\r\n").length - 1;
  return windows > 0 && windows * 2 > text.split("\n").length - 1 ? "\r\n" : "\n";
}
