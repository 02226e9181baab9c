// Tells by its first bytes what a file is: names lie, bytes do not.

export type FileKind =
  | { readonly kind: "text" }
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "binary"; readonly name: string };

export const HEAD_BYTES = 8192;

/** Bytes as Latin-1 letters; "?" stands for any one. */
type Signature = string;

const IMAGES: readonly (readonly [mimeType: string, begins: Signature])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF????WEBP"],
];

const BINARIES: readonly (readonly [name: string, ...begins: Signature[]])[] = [
  ["a PDF document", "%PDF-"],
  ["a ZIP archive or an Office document", "PK\x03\x04", "PK\x05\x06"],
  ["gzip-compressed data", "\x1f\x8b"],
  ["bzip2-compressed data", "BZh?1AY&SY"],
  ["xz-compressed data", "\xfd7zXZ\0"],
  ["zstd-compressed data", "\x28\xb5\x2f\xfd"],
  ["a 7z archive", "7z\xbc\xaf\x27\x1c"],
  ["a RAR archive", "Rar!\x1a\x07"],
  ["a tar archive", `${"?".repeat(257)}ustar`],
  ["an SQLite database", "SQLite format 3\0"],
  ["an executable program", "\x7fELF", "MZ\x90\0", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"],
  ["a WebAssembly module", "\0asm"],
  ["an audio file", "ID3", "OggS", "fLaC", "RIFF????WAVE", "\xff\xfb", "\xff\xf3", "\xff\xf2"],
  ["a video or audio file", "????ftyp", "\x1a\x45\xdf\xa3", "RIFF????AVI "],
  ["a TIFF or raw image", "II*\0", "MM\0*"],
  ["a BMP image", "BM????\0\0\0\0"],
  ["UTF-16 text", "\xff\xfe", "\xfe\xff"],
];

export function kindOfFile(head: Buffer): FileKind {
  const bytes = head.toString("latin1");
  const image = IMAGES.find(([, begins]) => beginsWith(bytes, begins));
  if (image) return { kind: "image", mimeType: image[0] };
  const binary = BINARIES.find(([, ...signatures]) => signatures.some((begins) => beginsWith(bytes, begins)));
  if (binary) return { kind: "binary", name: binary[0] };
  return head.includes(0) ? { kind: "binary", name: "binary data" } : { kind: "text" };
}

function beginsWith(bytes: string, begins: Signature): boolean {
  return (
    bytes.length >= begins.length && [...begins].every((letter, index) => letter === "?" || letter === bytes[index])
  );
}
