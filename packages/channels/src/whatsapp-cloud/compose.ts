// An outgoing message in the form the Cloud API takes.
import type { Button, OutboundContent, OutboundMedia } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { writeText } from "./format.ts";

const MEGABYTE = 1024 * 1024;
const MOST_BUTTONS = 3;
const MOST_BUTTON_ID = 256;
const MOST_BUTTON_TITLE = 20;
const MOST_BODY_WITH_BUTTONS = 1024;

export type MediaType = "image" | "audio" | "video" | "document" | "sticker";

/** What WhatsApp shows in place; other kinds and larger files go as documents. */
const SHOWN: ReadonlyArray<{ type: MediaType; bytes: number; mimeTypes: readonly string[] }> = [
  { type: "image", bytes: 5 * MEGABYTE, mimeTypes: ["image/jpeg", "image/png"] },
  { type: "video", bytes: 16 * MEGABYTE, mimeTypes: ["video/mp4", "video/3gpp"] },
  {
    type: "audio",
    bytes: 16 * MEGABYTE,
    mimeTypes: ["audio/aac", "audio/mp4", "audio/mpeg", "audio/amr", "audio/ogg"],
  },
];
export const MOST_DOCUMENT_BYTES = 100 * MEGABYTE;

export function mediaTypeOf({ kind, mimeType, bytes }: OutboundMedia): MediaType {
  if (kind === "file") return "document";
  const plain = mimeType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (kind === "sticker" && plain === "image/webp" && bytes <= MEGABYTE / 10) return "sticker";
  return SHOWN.find((shown) => shown.mimeTypes.includes(plain) && bytes <= shown.bytes)?.type ?? "document";
}

/** Only these have words below them. */
export const hasCaption = (type: MediaType): boolean => ["image", "video", "document"].includes(type);

export function composeMedia(
  type: MediaType,
  id: string,
  content: Extract<OutboundContent, { kind: "media" }>,
  tables: TableMode,
): Record<string, unknown> {
  const { media, caption, asVoice } = content;
  return {
    type,
    [type]: {
      id,
      ...(caption && hasCaption(type) ? { caption: writeText(caption, tables) } : {}),
      ...(type === "document" ? { filename: media.name } : {}),
      ...(type === "audio" && (asVoice || media.kind === "voice") ? { voice: true } : {}),
    },
  };
}

/** Buttons where they fit, else what can be typed instead; polls as a list, because there are none. */
export function composeWords(
  content: Exclude<OutboundContent, { kind: "media" }>,
  tables: TableMode,
): Record<string, unknown> {
  if (content.kind === "poll") {
    const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
    return asText([content.poll.question, "", ...options].join("\n"));
  }
  const text = writeText(content.markdown, tables);
  const buttons = (content.buttons ?? []).flat();
  if (buttons.length === 0) return asText(text);
  if (text.length <= MOST_BODY_WITH_BUTTONS && buttons.length <= MOST_BUTTONS && buttons.every(fits)) {
    const replies = buttons.map(({ data, text: title }) => ({
      type: "reply",
      reply: { id: data, title: shorten(title) },
    }));
    return { type: "interactive", interactive: { type: "button", body: { text }, action: { buttons: replies } } };
  }
  const lines = buttons
    .filter(({ data }) => data.startsWith("/"))
    .map(({ text: title, data }) => `- ${title}: ${data}`);
  return asText([text, "", ...lines].join("\n"));
}

const asText = (body: string): Record<string, unknown> => ({ type: "text", text: { body, preview_url: false } });

const fits = ({ data }: Button): boolean => data.length <= MOST_BUTTON_ID && data.trim() === data;

function shorten(title: string): string {
  const letters = [...title];
  return letters.length <= MOST_BUTTON_TITLE ? title : `${letters.slice(0, MOST_BUTTON_TITLE - 1).join("")}…`;
}
