// Finds the parts of a mail that are its text, and its files.
import { defined } from "@chela/sdk/base";
import type { MessageStructureObject } from "imapflow";
import type { InboundMedia, MediaKind } from "@chela/sdk";

export interface TextPart {
  /** What the server calls it when asked for it. */
  readonly key: string;
  readonly type: "text/plain" | "text/html";
  readonly charset: string;
  readonly encoding: string;
  readonly isFlowed: boolean;
  readonly dropsBlanks: boolean;
}

/** One stretch of text, written in one or two ways. */
export interface Section {
  readonly plain?: TextPart;
  readonly html?: TextPart;
}

export interface FilePart {
  readonly part: string;
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly name?: string;
  /** Roughly: it is counted before decoding. */
  readonly bytes?: number;
}

export interface Layout {
  readonly sections: readonly Section[];
  readonly files: readonly FilePart[];
}

const MOST_DEPTH = 20;
const MOST_SECTIONS = 20;
const MOST_FILES = 30;
const NOTHING: Layout = { sections: [], files: [] };
/** They prove something to mail programs and say nothing to people. */
const SIGNATURES = new Set([
  "application/pgp-signature",
  "application/pkcs7-signature",
  "application/x-pkcs7-signature",
]);

export function readLayout(structure: MessageStructureObject | undefined): Layout {
  const { sections, files } = structure ? walk(structure, 0) : NOTHING;
  return { sections: sections.slice(0, MOST_SECTIONS), files: files.slice(0, MOST_FILES) };
}

function walk(node: MessageStructureObject, depth: number): Layout {
  const type = node.type.toLowerCase();
  if (!type.startsWith("multipart/")) return readLeaf(node, type, depth);
  if (depth >= MOST_DEPTH) return NOTHING;
  const children = (node.childNodes ?? []).map((child) => walk(child, depth + 1));
  const sections = children.flatMap((child) => child.sections);
  const files = children.flatMap((child) => child.files);
  return { sections: type === "multipart/alternative" ? [joinAlternatives(sections)] : sections, files };
}

function joinAlternatives(sections: readonly Section[]): Section {
  const plain = sections.find((section) => section.plain)?.plain;
  const html = sections.find((section) => section.html)?.html;
  return { ...(plain ? { plain } : {}), ...(html ? { html } : {}) };
}

function readLeaf(node: MessageStructureObject, type: string, depth: number): Layout {
  const isText = type === "text/plain" || type === "text/html";
  if (isText && node.disposition?.toLowerCase() !== "attachment" && nameOf(node) === undefined) {
    const text = readText(node, type, depth);
    return { sections: [type === "text/plain" ? { plain: text } : { html: text }], files: [] };
  }
  return SIGNATURES.has(type) ? NOTHING : { sections: [], files: [readFile(node, type)] };
}

function readText(node: MessageStructureObject, type: TextPart["type"], depth: number): TextPart {
  const { parameters = {}, encoding = "7bit", part = "1" } = node;
  return {
    // A mail that has only one part has no number for it everywhere.
    key: depth === 0 ? "text" : part,
    type,
    charset: parameters["charset"] ?? "utf-8",
    encoding,
    isFlowed: parameters["format"]?.toLowerCase() === "flowed",
    dropsBlanks: parameters["delsp"]?.toLowerCase() === "yes",
  };
}

function readFile(node: MessageStructureObject, type: string): FilePart {
  const name = nameOf(node);
  const { size, encoding } = node;
  const bytes = size === undefined ? undefined : encoding?.toLowerCase() === "base64" ? Math.floor(size * 0.73) : size;
  return {
    part: node.part ?? "1",
    kind: kindOf(type),
    mimeType: type,
    ...defined({ name, bytes }),
  };
}

function nameOf({ dispositionParameters, parameters }: MessageStructureObject): string | undefined {
  const written = dispositionParameters?.["filename"] ?? parameters?.["name"];
  const name = written?.replace(/\p{C}/gu, "").split(/[/\\]/).at(-1)?.trim().slice(-150).toWellFormed();
  return name || undefined;
}

function kindOf(type: string): MediaKind {
  const [family] = type.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}

/** Where a file is, for fetching it later. */
export function toMedia({ part, ...file }: FilePart, mail: { uidValidity: string; uid: number }): InboundMedia {
  return { ...file, ref: JSON.stringify({ uidValidity: mail.uidValidity, uid: mail.uid, part }) };
}
