// Tiny files of many types, made here: real ones where that is short, and true beginnings of the others.
import { gzipSync } from "node:zlib";
import sharp, { type AvifOptions, type Sharp } from "sharp";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

/** A picture with something in it, so that its bytes are not all the same. */
export function picture(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let index = 0; index < pixels.length; index++) pixels[index] = (index * 31 + (index >> 7) * 17) & 0xff;
  return sharp(pixels, { raw: { width, height, channels } });
}

const QUICK: AvifOptions = { effort: 0 };
export const avif = (width: number, height: number) => picture(width, height).avif(QUICK).toBuffer();

/** Says to have this many pixels; there are none behind it. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR").copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 2, 0, 0, 0], 24);
  return header;
}

/** An archive of stored files, without the directory at its end: enough for those who look at the beginning. */
function zip(...files: readonly (readonly [name: string, content: string])[]): Buffer {
  return Buffer.concat(
    files.map(([name, content]) => {
      const header = Buffer.alloc(30);
      header.write("PK\x03\x04", "latin1");
      header.writeUInt32LE(content.length, 18);
      header.writeUInt32LE(content.length, 22);
      header.writeUInt16LE(name.length, 26);
      return Buffer.concat([header, bytes(name + content)]);
    }),
  );
}

/** A tenth of a second of silence. */
export function wav(): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF????WAVEfmt ");
  header.writeUInt32LE(36 + 1600, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(1600, 40);
  return Buffer.concat([header, Buffer.alloc(1600)]);
}

export const opus = (): Buffer => oggPage("OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0");

function oggPage(packet: string): Buffer {
  return bytes(`OggS\0\x02${"\0".repeat(20)}\x01${String.fromCharCode(packet.length)}${packet}`);
}

function box(brand: string, ...compatible: readonly string[]): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(16 + 4 * compatible.length);
  return Buffer.concat([size, bytes(`ftyp${brand}\0\0\0\0${compatible.join("")}`), bytes("\0\0\0\x08mdat")]);
}

const tar = (): Buffer => {
  const header = Buffer.alloc(512);
  header.write("a.txt");
  header.write("ustar\x0000", 257);
  return header;
};

const OFFICE = "application/vnd.openxmlformats-officedocument";
const CONTENT_TYPES = ["[Content_Types].xml", "<Types/>"] as const;
const binary = (...values: number[]): Buffer => Buffer.from(values);

export type Sample = readonly [
  what: string,
  mimeType: string,
  content: () => Buffer | Promise<Buffer>,
  declared?: string,
];

export const SAMPLES: readonly Sample[] = [
  ["a JPEG", "image/jpeg", () => picture(8, 8).jpeg().toBuffer()],
  ["a PNG", "image/png", () => picture(8, 8).png().toBuffer()],
  ["a GIF", "image/gif", () => picture(8, 8).gif().toBuffer()],
  ["a WebP", "image/webp", () => picture(8, 8).webp().toBuffer()],
  ["an AVIF", "image/avif", () => avif(16, 16)],
  ["a TIFF", "image/tiff", () => picture(8, 8).tiff().toBuffer()],
  ["a HEIC", "image/heic", () => box("heic", "mif1", "heic")],
  ["a HEIF of another brand first", "image/heic", () => box("mif1", "mif1", "heic")],
  ["a BMP", "image/bmp", () => bytes("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0")],
  ["an icon", "image/x-icon", () => binary(0, 0, 1, 0, 1, 0, 16, 16)],
  ["an SVG", "image/svg+xml", () => bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [
    "an SVG behind declarations",
    "image/svg+xml",
    () => bytes('\n<?xml version="1.0"?>\n<!-- <html> --><!DOCTYPE svg PUBLIC "x">\n<svg width="1"></svg>'),
  ],
  ["a PDF", "application/pdf", () => bytes("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")],
  ["a ZIP", "application/zip", () => zip(["readme.md", "word/ is only mentioned here"])],
  ["a Word document", `${OFFICE}.wordprocessingml.document`, () => zip(CONTENT_TYPES, ["word/document.xml", "<w/>"])],
  ["a spreadsheet", `${OFFICE}.spreadsheetml.sheet`, () => zip(CONTENT_TYPES, ["xl/workbook.xml", "<x/>"])],
  ["slides", `${OFFICE}.presentationml.presentation`, () => zip(CONTENT_TYPES, ["ppt/presentation.xml", "<p/>"])],
  ["an e-book", "application/epub+zip", () => zip(["mimetype", "application/epub+zip"], ["META-INF/a", "x"])],
  [
    "a document whose parts come late",
    `${OFFICE}.wordprocessingml.document`,
    () => zip(CONTENT_TYPES),
    `${OFFICE}.wordprocessingml.document`,
  ],
  ["an old Word document", "application/msword", () => bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "application/msword"],
  ["rich text", "application/rtf", () => bytes("{\\rtf1 hello}")],
  ["a voice note", "audio/ogg", () => opus(), "audio/ogg; codecs=opus"],
  ["a Vorbis file", "audio/ogg", () => oggPage("\x01vorbis\0\0\0\0")],
  ["a Theora film", "video/ogg", () => oggPage("\x80theora\x03\x02")],
  ["an MP3 with tags", "audio/mpeg", () => bytes("ID3\x04\0\0\0\0\0\0")],
  ["a bare MP3", "audio/mpeg", () => binary(0xff, 0xfb, 0x90, 0x64, 0, 0)],
  ["an MP3 from the middle", "audio/mpeg", () => binary(0x12, 0x80, 0x99, 0, 1), "audio/mp3"],
  ["AAC", "audio/aac", () => binary(0xff, 0xf1, 0x50, 0x80, 0, 0x1f)],
  ["an M4A", "audio/mp4", () => box("M4A ", "isom", "mp42")],
  ["sound in an MP4", "audio/mp4", () => box("isom", "mp42"), "audio/x-m4a"],
  ["an MP4", "video/mp4", () => box("isom", "iso2", "avc1", "mp41")],
  ["a QuickTime film", "video/quicktime", () => box("qt  ")],
  ["a film of a telephone", "video/3gpp", () => box("3gp4", "isom")],
  ["a WebM", "video/webm", () => bytes("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm")],
  ["a voice note of a browser", "audio/webm", () => bytes("\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm"), "audio/webm"],
  ["a Matroska film", "video/x-matroska", () => bytes("\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska")],
  ["an AVI", "video/x-msvideo", () => bytes("RIFF\0\0\0\0AVI LIST")],
  ["a WAV", "audio/wav", () => wav()],
  ["a FLAC", "audio/flac", () => bytes("fLaC\0\0\0\x22")],
  ["an AMR", "audio/amr", () => bytes("#!AMR\n\x3c")],
  ["a wide AMR", "audio/amr-wb", () => bytes("#!AMR-WB\n\x04")],
  ["gzip", "application/gzip", () => gzipSync("hello")],
  ["a tar", "application/x-tar", () => tar()],
  ["bzip2", "application/x-bzip2", () => bytes("BZh91AY&SY\0\0")],
  ["xz", "application/x-xz", () => bytes("\xfd7zXZ\0\0\x04")],
  ["zstd", "application/zstd", () => bytes("\x28\xb5\x2f\xfd\0")],
  ["7z", "application/x-7z-compressed", () => bytes("7z\xbc\xaf\x27\x1c\0")],
  ["RAR", "application/vnd.rar", () => bytes("Rar!\x1a\x07\x01\0")],
  ["a database", "application/vnd.sqlite3", () => bytes("SQLite format 3\0\x10\0")],
  ["WebAssembly", "application/wasm", () => bytes("\0asm\x01\0\0\0")],
  ["JSON", "application/json", () => Buffer.from('\ufeff{"a": [1, 2]}')],
  ["long JSON", "application/json", () => bytes(`[${'{"a":1},'.repeat(5000)}0]`)],
  ["JSON in lines", "text/plain", () => bytes('{"a":1}\n{"a":2}\n'), "application/json"],
  ["something in braces", "text/plain", () => bytes("{hello}")],
  ["text", "text/plain", () => Buffer.from("Grüße aus Köln ☕\n")],
  ["text that is cut inside a character", "text/plain", () => Buffer.from(`${"a".repeat(16 * 1024 - 1)}ü more`)],
  ["text of Windows", "text/plain", () => Buffer.from("\ufeffhello", "utf16le")],
  ["a table", "text/csv", () => bytes("a,b\n1,2\n"), "text/csv; charset=utf-8"],
  ["notes", "text/markdown", () => bytes("# Notes\n"), "text/markdown"],
  ["a page", "text/html", () => bytes("<!DOCTYPE html><script>alert(1)</script>"), "text/plain"],
  ["text that is called a page", "text/plain", () => bytes("hello"), "text/html"],
  ["text that is called a program", "text/plain", () => bytes("alert(1)"), "application/javascript"],
  ["a program that is called a picture", "application/octet-stream", () => bytes("\x7fELF\x02\x01\x01\0"), "image/png"],
  ["a program of Windows", "application/octet-stream", () => bytes("MZ\x90\0\x03\0\0\0"), "application/pdf"],
  ["a picture that is called text", "image/gif", () => bytes("GIF89a\x01\0\x01\0"), "text/plain"],
  ["anything else", "application/octet-stream", () => binary(1, 2, 3, 0, 255), "application/x-whatever"],
  ["what is no text", "application/octet-stream", () => binary(0x61, 0xc3, 0x28)],
];
