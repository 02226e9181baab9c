// Takes one stream of a command apart: its text, and the note our own wrapper adds when the command has ended.
import { StringDecoder } from "node:string_decoder";

export interface MarkedText {
  take(piece: Buffer): void;
  /** No more will come. */
  end(): void;
}

const LONGEST_CODE = 3;

/**
 * The note is NUL, the mark, a space, the exit code, NUL. Whatever may be its beginning is held back until more is
 * known. A command could write such a note itself, since it can find the mark; it would only end its own wait.
 */
export function readMarkedText(
  mark: string,
  tell: { onText(text: string): void; onEnded(exitCode: number): void },
): MarkedText {
  const start = Buffer.from(`\0${mark} `);
  const decoder = new StringDecoder("utf8");
  let held: Buffer = Buffer.alloc(0);
  const say = (bytes: Buffer): void => {
    const text = decoder.write(bytes);
    if (text) tell.onText(text);
  };
  return {
    take(piece) {
      let rest = held.length > 0 ? Buffer.concat([held, piece]) : piece;
      held = Buffer.alloc(0);
      for (;;) {
        const at = findStart(rest, start);
        if (at < 0) return say(rest);
        say(rest.subarray(0, at));
        rest = rest.subarray(at);
        const note = readNote(rest, start.length);
        if (note === "more") {
          held = Buffer.from(rest);
          return;
        }
        if (note) tell.onEnded(note.exitCode);
        const taken = note?.length ?? 1;
        if (!note) say(rest.subarray(0, 1));
        rest = rest.subarray(taken);
      }
    },
    end() {
      const text = decoder.write(held) + decoder.end();
      held = Buffer.alloc(0);
      if (text) tell.onText(text);
    },
  };
}

/** Where the whole beginning of a note stands, or as much of it as the piece has left; else -1. */
function findStart(bytes: Buffer, start: Buffer): number {
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) {
    const length = Math.min(start.length, bytes.length - at);
    if (bytes.compare(start, 0, length, at, at + length) === 0) return at;
  }
  return -1;
}

function readNote(bytes: Buffer, from: number): { exitCode: number; length: number } | "more" | undefined {
  const end = bytes.indexOf(0, from);
  if (end < 0) return bytes.length - from > LONGEST_CODE ? undefined : "more";
  const digits = bytes.toString("latin1", from, end);
  return /^\d{1,3}$/.test(digits) ? { exitCode: Number(digits), length: end + 1 } : undefined;
}
