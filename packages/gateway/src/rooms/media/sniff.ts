// Tells the type of a file by its first bytes; what the sender calls it counts only where the bytes leave a choice.
import { findSignature } from "./signatures.ts";
import { sniffText } from "./sniff-text.ts";
import { UNKNOWN_TYPE } from "./media-types.ts";

/** How much of the beginning is looked at. */
export const HEAD_BYTES = 16 * 1024;

const OFFICE = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** What a type may be said to be more precisely. None of these is run or shown as a page by anything that opens it. */
const CLOSER: Readonly<Record<string, readonly string[]>> = {
  "text/plain": [
    "text/csv",
    "text/tab-separated-values",
    "text/markdown",
    "text/calendar",
    "text/vcard",
    "text/vtt",
    "application/yaml",
  ],
  "application/json": ["application/x-ndjson"],
  "application/zip": [
    `${OFFICE}.wordprocessingml.document`,
    `${OFFICE}.spreadsheetml.sheet`,
    `${OFFICE}.presentationml.presentation`,
    `${OPEN_DOCUMENT}.text`,
    `${OPEN_DOCUMENT}.spreadsheet`,
    `${OPEN_DOCUMENT}.presentation`,
    "application/epub+zip",
  ],
  "application/x-cfb": [
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-outlook",
  ],
  "video/mp4": ["audio/mp4"],
  "video/webm": ["audio/webm"],
  "video/mpeg": ["audio/mpeg"],
  // Sound that may begin anywhere, without a mark of its own.
  [UNKNOWN_TYPE]: ["audio/mpeg", "audio/aac", "video/mp2t"],
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  "audio/mp3": "audio/mpeg",
  "audio/m4a": "audio/mp4",
  "audio/x-m4a": "audio/mp4",
  "text/x-markdown": "text/markdown",
  "text/yaml": "application/yaml",
  "text/x-yaml": "application/yaml",
  "application/x-yaml": "application/yaml",
  "application/jsonl": "application/x-ndjson",
  "text/x-vcard": "text/vcard",
};

export interface SniffedFile {
  /** The first HEAD_BYTES, or all there is. */
  readonly head: Buffer;
  readonly isWhole: boolean;
  readonly declaredType?: string | undefined;
}

export function sniffType({ head, isWhole, declaredType }: SniffedFile): string {
  const found = typeByBytes(head, isWhole);
  const declared = plainType(declaredType ?? "");
  return CLOSER[found]?.includes(declared) ? declared : found;
}

function typeByBytes(head: Buffer, isWhole: boolean): string {
  const latin1 = head.toString("latin1");
  const signed = findSignature(latin1);
  switch (signed) {
    case "application/zip":
      return typeInZip(latin1);
    case "box/iso":
      return typeOfIso(head, latin1);
    case "box/ogg":
      return latin1.slice(0, 200).includes("\x80theora") ? "video/ogg" : "audio/ogg";
    case "box/ebml":
      return latin1.slice(0, 100).includes("webm") ? "video/webm" : "video/x-matroska";
    case undefined:
      return frameType(head) ?? sniffText(head, isWhole) ?? UNKNOWN_TYPE;
    default:
      return signed;
  }
}

const BRANDS: ReadonlyArray<readonly [mimeType: string, brands: RegExp]> = [
  ["image/avif", /avi[fs]/],
  ["image/heic", /hei[cxms]|hev[cxms]/],
  ["audio/mp4", /^M4[AB]/],
  ["video/quicktime", /^qt {2}/],
  ["video/3gpp", /^3g[a-z0-9]{2}/],
  ["image/heic", /^(mif1|msf1)/],
];

/** The first box names the brand of the file, and others it is compatible with. */
function typeOfIso(head: Buffer, latin1: string): string {
  const end = Math.min(head.readUInt32BE(0), 256);
  const brands = latin1.slice(8, 12) + latin1.slice(16, end);
  return BRANDS.find(([, pattern]) => pattern.test(brands))?.[0] ?? "video/mp4";
}

const ENTRY_OF_ZIP = "PK\x03\x04";
const NAME_IN_ZIP = 30;

/** Names of the first files in an archive, as far as the head reaches. */
function typeInZip(latin1: string): string {
  const stated = /^mimetype(application\/[a-z0-9.+-]{1,80})/.exec(latin1.slice(NAME_IN_ZIP))?.[1];
  if (stated && CLOSER["application/zip"]?.includes(stated)) return stated;
  const names = latin1.split(ENTRY_OF_ZIP).map((entry) => entry.slice(NAME_IN_ZIP - ENTRY_OF_ZIP.length, 40));
  const holds = (folder: string): boolean => names.some((name) => name.startsWith(folder));
  if (holds("word/")) return `${OFFICE}.wordprocessingml.document`;
  if (holds("xl/")) return `${OFFICE}.spreadsheetml.sheet`;
  if (holds("ppt/")) return `${OFFICE}.presentationml.presentation`;
  return "application/zip";
}

/** Bare frames of MPEG sound: eleven set bits, then fields with values that are never used. */
function frameType(head: Buffer): string | undefined {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff) return undefined;
  if ((second & 0xf6) === 0xf0 && (third & 0x3c) < 0x34) return "audio/aac";
  const hasVersion = (second & 0x18) !== 0x08 && (second & 0xe0) === 0xe0;
  const isLayerThree = (second & 0x06) === 0x02;
  const hasRates = (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c;
  return hasVersion && isLayerThree && hasRates ? "audio/mpeg" : undefined;
}

function plainType(declared: string): string {
  const plain = (declared.split(";", 1)[0] ?? "").trim().toLowerCase();
  return OTHER_NAMES[plain] ?? plain;
}
