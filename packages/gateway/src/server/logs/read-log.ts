// Reads whole lines from the end of the log file, or from where somebody stopped reading.
import { open } from "node:fs/promises";
import { errnoOf } from "@chela/sdk/files";

export interface LogPart {
  /** Where to read on. */
  readonly cursor: number;
  readonly size: number;
  readonly lines: string[];
  /** Older lines were left out. */
  readonly truncated: boolean;
  /** The file is shorter than the cursor: it is another one by now. */
  readonly reset: boolean;
}

export interface LogRange {
  readonly cursor?: number | undefined;
  /** Nothing behind this byte; the end of the file unless told. */
  readonly end?: number;
  readonly limit: number;
  readonly maxBytes: number;
}

const NOTHING: LogPart = { cursor: 0, size: 0, lines: [], truncated: false, reset: false };

export async function readLog(path: string, range: LogRange): Promise<LogPart> {
  if (!path) return NOTHING;
  let file;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return NOTHING;
    throw error;
  }
  const { cursor, limit, maxBytes } = range;
  try {
    const size = Math.min((await file.stat()).size, range.end ?? Infinity);
    const reset = cursor !== undefined && cursor > size;
    const wanted = cursor === undefined || reset ? 0 : cursor;
    const start = Math.max(wanted, size - maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const text = buffer.toString("utf8", 0, bytesRead);
    // Only whole lines: the rest is read the next time.
    const end = text.lastIndexOf("\n") + 1;
    const lines = text
      .slice(0, end)
      .split("\n")
      .slice(start > wanted ? 1 : 0, -1);
    const truncated = start > wanted || lines.length > limit;
    return {
      cursor: start + Buffer.byteLength(text.slice(0, end)),
      size,
      lines: lines.slice(-limit),
      truncated,
      reset,
    };
  } finally {
    await file.close();
  }
}
