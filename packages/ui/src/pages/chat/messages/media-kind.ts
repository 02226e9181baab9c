// Chooses how a file is shown, by its type: only what a browser shows without running it is shown in place.

type MediaKind = "image" | "audio" | "video" | "document" | "file";

/** Drawings (SVG) can hold scripts: they are documents. */
const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;
const DOCUMENTS = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)$/;
const DOCUMENT_NAMES = /\.(?:html?|svg)$/i;

/** The type is by the bytes, and for those a page without a head is a text: there the name helps. */
export function mediaKindOf(mimeType: string, fileName = ""): MediaKind {
  const [type = ""] = mimeType.toLowerCase().split(";", 1);
  if (IMAGES.test(type)) return "image";
  if (DOCUMENTS.test(type) || (type.startsWith("text/") && DOCUMENT_NAMES.test(fileName))) return "document";
  if (type.startsWith("audio/")) return "audio";
  return type.startsWith("video/") ? "video" : "file";
}

/** Larger pictures are fetched when somebody wants to see them. */
export const MOST_UNASKED_BYTES = 6 * 1024 * 1024;
