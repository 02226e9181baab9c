// First bytes of files: enough to tell their type without believing what anybody says about them.

/** Bytes as latin1, where `?` stands for any byte. */
type Signature = string;

const ANY = "?";

/** The first that fits holds, so the particular ones come before the general ones. */
const SIGNATURES: ReadonlyArray<readonly [mimeType: string, ...begins: Signature[]]> = [
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/gif", "GIF87a", "GIF89a"],
  ["image/webp", "RIFF????WEBP"],
  ["image/tiff", "II*\0", "MM\0*"],
  ["image/bmp", "BM????\0\0\0\0"],
  ["image/x-icon", "\0\0\x01\0?\0"],
  ["image/jxl", "\0\0\0\x0cJXL \r\n\x87\n"],
  ["image/vnd.adobe.photoshop", "8BPS\0"],
  ["audio/wav", "RIFF????WAVE"],
  ["audio/flac", "fLaC"],
  ["audio/amr-wb", "#!AMR-WB\n"],
  ["audio/amr", "#!AMR\n"],
  ["audio/aiff", "FORM????AIFF", "FORM????AIFC"],
  ["audio/x-caf", "caff\0\x01"],
  ["audio/midi", "MThd\0\0\0\x06"],
  ["audio/basic", ".snd\0"],
  ["audio/mpeg", "ID3"],
  ["video/x-msvideo", "RIFF????AVI "],
  ["video/mpeg", "\0\0\x01\xba", "\0\0\x01\xb3"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04", "PK\x05\x06"],
  ["application/x-cfb", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
  ["application/rtf", "{\\rtf"],
  ["application/gzip", "\x1f\x8b\x08"],
  ["application/x-bzip2", "BZh?1AY&SY"],
  ["application/x-xz", "\xfd7zXZ\0"],
  ["application/zstd", "\x28\xb5\x2f\xfd"],
  ["application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"],
  ["application/vnd.rar", "Rar!\x1a\x07"],
  ["application/vnd.sqlite3", "SQLite format 3\0"],
  ["application/wasm", "\0asm"],
  ["application/x-tar", `${ANY.repeat(257)}ustar`],
  // Boxes that hold many things; what is inside decides.
  ["box/iso", "????ftyp"],
  ["box/ogg", "OggS\0"],
  ["box/ebml", "\x1a\x45\xdf\xa3"],
];

/** A type, or the kind of box it is in. */
export function findSignature(latin1: string): string | undefined {
  return SIGNATURES.find(([, ...begins]) => begins.some((signature) => beginsWith(latin1, signature)))?.[0];
}

function beginsWith(latin1: string, signature: Signature): boolean {
  if (latin1.length < signature.length) return false;
  for (let index = 0; index < signature.length; index++) {
    if (signature[index] !== ANY && signature[index] !== latin1[index]) return false;
  }
  return true;
}
