// Reads the size of a picture from its header: nothing is decoded.

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Undefined when the header is not in `head`, or of a type we do not read. */
export function readImageSize(head: Buffer, mimeType: string): ImageSize | undefined {
  switch (mimeType) {
    case "image/png":
      return head.length < 24 ? undefined : { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
    case "image/gif":
      return head.length < 10 ? undefined : { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
    case "image/webp":
      return head.length < 30 ? undefined : sizeOfWebp(head);
    case "image/jpeg":
      return sizeOfJpeg(head);
    default:
      return undefined;
  }
}

function sizeOfWebp(head: Buffer): ImageSize | undefined {
  switch (head.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** Walks from segment to segment until one begins a frame. */
function sizeOfJpeg(head: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0;
    if (isFrame(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
    // A marker may be preceded by any number of filling bytes.
    if (marker === 0xff) at += 1;
    else at += 2 + Math.max(2, head.readUInt16BE(at + 2));
  }
  return undefined;
}

/** Frames are C0 to CF, but for three that are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
