// Reads a file line by line with byte positions, holding no more than one line and one block in memory.
import { open } from "node:fs/promises";

export interface FileLine {
  readonly bytes: Buffer;
  /** Byte position of the first byte. */
  readonly start: number;
  /** False for what stands after the last newline of the file. */
  readonly whole: boolean;
}

const BLOCK_BYTES = 256 * 1024;
/** A longer line is handed out in pieces: no transcript entry comes near this. */
const LINE_BYTES = 64 * 1024 * 1024;

export async function* readLines(path: string, from = 0): AsyncGenerator<FileLine> {
  const file = await open(path, "r");
  try {
    let rest: Buffer[] = [];
    let restBytes = 0;
    let start = from;
    for (let position = from; ;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(BLOCK_BYTES), 0, BLOCK_BYTES, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      let block = buffer.subarray(0, bytesRead);
      for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10)) {
        const bytes = joinPieces(rest, block.subarray(0, end));
        rest = [];
        restBytes = 0;
        yield { bytes, start, whole: true };
        start += bytes.length + 1;
        block = block.subarray(end + 1);
      }
      rest.push(block);
      restBytes += block.length;
      if (restBytes > LINE_BYTES) {
        const bytes = Buffer.concat(rest);
        rest = [];
        restBytes = 0;
        yield { bytes, start, whole: false };
        start += bytes.length;
      }
    }
    if (restBytes > 0) yield { bytes: Buffer.concat(rest), start, whole: false };
  } finally {
    await file.close();
  }
}

function joinPieces(pieces: readonly Buffer[], last: Buffer): Buffer {
  return pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
}

/** The object a line holds, or undefined when it holds none. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
