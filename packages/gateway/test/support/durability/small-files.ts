// The smallest files that are what they say, as base64.

/** One red point. */
export const SMALL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** The beginning of what a browser records of a voice. */
export const SMALL_WEBM = Buffer.concat([
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84]),
  Buffer.from("webm"),
  Buffer.alloc(64, 7),
]).toString("base64");
export const SMALL_PDF = Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64");
