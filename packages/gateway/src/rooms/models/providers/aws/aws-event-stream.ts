// Reads AWS's binary event stream: frames of named headers and a payload, guarded by checksums.
import { crc32 } from "node:zlib";

export interface AwsFrame {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Lengths and the checksum of both. */
const PRELUDE = 12;
const CHECKSUM = 4;
const MAX_FRAME = 4 * 1024 * 1024;
const STRING = 7;
/** How many bytes a header's value has, by its type; those of types 6 and 7 say it themselves. */
const FIXED_SIZE: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

export class AwsEventReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete with these bytes. */
  push(bytes: Uint8Array): AwsFrame[] {
    const all = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    const frames: AwsFrame[] = [];
    let at = 0;
    while (all.length - at >= PRELUDE) {
      const length = all.readUInt32BE(at);
      checkPrelude(all.subarray(at, at + PRELUDE), length);
      if (all.length - at < length) break;
      frames.push(readFrame(all.subarray(at, at + length)));
      at += length;
    }
    this.#rest = all.subarray(at);
    return frames;
  }
}

function checkPrelude(prelude: Buffer, length: number): void {
  const isSound = crc32(prelude.subarray(0, 8)) === prelude.readUInt32BE(8);
  if (!isSound || length < PRELUDE + CHECKSUM || length > MAX_FRAME) throw new SyntaxError("a frame begins wrongly");
}

function readFrame(frame: Buffer): AwsFrame {
  const end = frame.length - CHECKSUM;
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw new SyntaxError("a frame's checksum is wrong");
  const headersEnd = PRELUDE + frame.readUInt32BE(4);
  return {
    headers: readHeaders(frame.subarray(PRELUDE, headersEnd)),
    payload: frame.toString("utf8", headersEnd, end),
  };
}

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    const fixed = FIXED_SIZE[type];
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (type === STRING) headers[name] = bytes.toString("utf8", start, end);
    at = end;
  }
  return headers;
}
