// File endings of media types, and as which kind of attachment each is handled.
import type { MediaKind } from "@chela/sdk";

export const UNKNOWN_TYPE = "application/octet-stream";

/** The first ending is the one we write. A type is stored by it, so no two types begin with the same. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png", "apng"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/avif": ["avif"],
  "image/heic": ["heic", "heif"],
  "image/bmp": ["bmp"],
  "image/tiff": ["tif", "tiff"],
  "image/svg+xml": ["svg"],
  "image/x-icon": ["ico"],
  "image/jxl": ["jxl"],
  "image/vnd.adobe.photoshop": ["psd"],
  "audio/ogg": ["ogg", "oga", "opus"],
  "audio/mpeg": ["mp3", "mpga"],
  "audio/mp4": ["m4a", "m4b", "mp4"],
  "audio/aac": ["aac"],
  "audio/wav": ["wav", "wave"],
  "audio/flac": ["flac"],
  "audio/amr": ["amr"],
  "audio/amr-wb": ["awb", "amr"],
  "audio/aiff": ["aiff", "aif", "aifc"],
  "audio/x-caf": ["caf"],
  "audio/midi": ["mid", "midi"],
  "audio/webm": ["weba", "webm"],
  "audio/basic": ["au", "snd"],
  "video/mp4": ["mp4", "m4v"],
  "video/quicktime": ["mov", "qt"],
  "video/webm": ["webm"],
  "video/ogg": ["ogv", "ogg"],
  "video/3gpp": ["3gp", "3gpp"],
  "video/x-matroska": ["mkv", "mka"],
  "video/x-msvideo": ["avi"],
  "video/mp2t": ["ts", "m2ts"],
  "video/mpeg": ["mpg", "mpeg"],
  "application/pdf": ["pdf"],
  "application/zip": ["zip"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "application/vnd.oasis.opendocument.text": ["odt"],
  "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
  "application/vnd.oasis.opendocument.presentation": ["odp"],
  "application/epub+zip": ["epub"],
  "application/x-cfb": ["cfb", "doc", "xls", "ppt", "msg", "msi"],
  "application/msword": ["doc", "dot"],
  "application/vnd.ms-excel": ["xls", "xlt"],
  "application/vnd.ms-powerpoint": ["ppt", "pps"],
  "application/vnd.ms-outlook": ["msg"],
  "application/rtf": ["rtf"],
  "application/gzip": ["gz", "tgz"],
  "application/x-tar": ["tar"],
  "application/x-bzip2": ["bz2", "tbz2"],
  "application/x-xz": ["xz", "txz"],
  "application/zstd": ["zst"],
  "application/x-7z-compressed": ["7z"],
  "application/vnd.rar": ["rar"],
  "application/vnd.sqlite3": ["sqlite", "sqlite3", "db"],
  "application/wasm": ["wasm"],
  "application/json": ["json", "geojson", "webmanifest", "ipynb"],
  "application/x-ndjson": ["ndjson", "jsonl"],
  "application/yaml": ["yaml", "yml"],
  "text/html": ["html", "htm", "xhtml"],
  "text/csv": ["csv"],
  "text/tab-separated-values": ["tsv"],
  "text/markdown": ["md", "markdown"],
  "text/calendar": ["ics"],
  "text/vcard": ["vcf"],
  "text/vtt": ["vtt"],
  "text/plain": ["txt"],
};

/** Drawings in text and layered artwork are sent as they are, never as a picture. */
const NOT_PICTURES: readonly string[] = ["image/svg+xml", "image/vnd.adobe.photoshop", "image/x-icon"];

export function endingOf(mimeType: string): string {
  return ENDINGS[mimeType]?.[0] ?? "bin";
}

/** Whether a file of this type may be called like that. Text and what nobody knows may be called anything. */
export function fitsEnding(mimeType: string, ending: string): boolean {
  if (mimeType === "text/plain" || mimeType === UNKNOWN_TYPE) return true;
  return ENDINGS[mimeType]?.includes(ending.toLowerCase()) ?? true;
}

export function kindOfType(mimeType: string): MediaKind {
  if (NOT_PICTURES.includes(mimeType)) return "file";
  const [family] = mimeType.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}
