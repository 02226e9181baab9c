// Says what an answer from the web is, by its type and its first bytes: a page, JSON, text, or nothing this tool can read.
import { GatewayError } from "@chela/sdk";
import { HEAD_BYTES, kindOfFile } from "../files/file-kind.ts";

export type PageKind = "html" | "json" | "markdown" | "text";

const TEXT_TYPES =
  /^(?:text\/.*|application\/(?:.*\+)?(?:xml|yaml|x-yaml|javascript|ecmascript|x-sh|toml|sql|graphql|x-ndjson))$/;

/** Throws FETCH_KIND for what is no text. */
export function kindOfPage(contentType: string, bytes: Buffer): PageKind {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const head = bytes.subarray(0, HEAD_BYTES);
  refuseBinary(type, head);
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type === "text/markdown") return "markdown";
  if (TEXT_TYPES.test(type)) return "text";
  return looksLikeHtml(head) ? "html" : "text";
}

function refuseBinary(type: string, head: Buffer): void {
  if (isUtf16(head)) return;
  const kind = kindOfFile(head);
  if (kind.kind === "image" || type.startsWith("image/")) {
    const known = kind.kind === "image" ? kind.mimeType : type;
    throw refuse(`This address is a picture (${known}), not a page. The image tool can look at it.`);
  }
  if (kind.kind === "binary")
    throw refuse(`This address is ${kind.name}, not a page; web_fetch reads pages, JSON and text.`);
  if (/^(?:audio|video|font)\//.test(type) || type === "application/pdf") {
    throw refuse(`This address is of the kind ${type}; web_fetch reads pages, JSON and text.`);
  }
}

function isUtf16(head: Buffer): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

function looksLikeHtml(head: Buffer): boolean {
  return /^\s*<(?:!doctype html|html|head|body|!--)/i.test(head.toString("latin1", 0, 512));
}

function refuse(why: string): GatewayError {
  return new GatewayError("FETCH_KIND", why);
}
