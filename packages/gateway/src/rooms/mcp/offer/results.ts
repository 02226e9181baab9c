// What a server answered, as a model is told of it: texts as somebody else's words, pictures as pictures, the rest by its name.
import type { Ids, ImageBlock, TextBlock, ToolOutput } from "@chela/sdk";
import { wrapExternalContent } from "../../../base/text/external-content.ts";
import { ContentPart, type PromptResult, type ReadResult, type ToolResult } from "../client/protocol.ts";

export interface ResultOrigin {
  readonly server: string;
  readonly ids: Pick<Ids, "secretHex">;
}

const MOST_IMAGES = 20;
const IMAGE_KINDS = ["image/png", "image/jpeg", "image/gif", "image/webp"];

interface Told {
  readonly texts: string[];
  readonly images: ImageBlock[];
}

export function toolOutput({ content, structuredContent, isError }: ToolResult, origin: ResultOrigin): ToolOutput {
  const told: Told = { texts: [], images: [] };
  for (const part of content) addPart(part, told);
  // Servers repeat as text what is structured; one that does not is understood all the same.
  if (structuredContent !== undefined && told.texts.length === 0)
    told.texts.push(JSON.stringify(structuredContent, null, 1));
  return {
    content: blocksOf(told, origin),
    ...(structuredContent === undefined ? {} : { details: { structuredContent } }),
    ...(isError ? { isError: true } : {}),
  };
}

export function readOutput({ contents }: ReadResult, origin: ResultOrigin): ToolOutput {
  const told: Told = { texts: [], images: [] };
  for (const resource of contents) addPart({ type: "resource", resource }, told);
  return { content: blocksOf(told, origin) };
}

export function promptOutput({ messages, description }: PromptResult, origin: ResultOrigin): ToolOutput {
  const told: Told = { texts: description ? [description] : [], images: [] };
  for (const { role, content } of messages) {
    told.texts.push(`[${role}]`);
    for (const part of Array.isArray(content) ? content : [content]) addPart(part, told);
  }
  return { content: blocksOf(told, origin) };
}

export function listOutput(items: readonly object[], origin: ResultOrigin): ToolOutput {
  const lines = items.map((item) => JSON.stringify(item));
  return { content: blocksOf({ texts: [lines.join("\n") || "There are none."], images: [] }, origin) };
}

function addPart(written: unknown, told: Told): void {
  const part = ContentPart().safeParse(written).data;
  switch (part?.type) {
    case "text":
      told.texts.push(part.text);
      break;
    case "image":
      addImage(part.data, part.mimeType, told);
      break;
    case "audio":
      told.texts.push(`[sound, ${part.mimeType}, ${part.data.length} characters of base64]`);
      break;
    case "resource_link":
      told.texts.push(`[${part.title ?? part.name}](${part.uri})${part.description ? `: ${part.description}` : ""}`);
      break;
    case "resource": {
      const { uri, mimeType, text, blob } = part.resource;
      if (text !== undefined) told.texts.push(`${uri}\n${text}`);
      else if (blob !== undefined) addImage(blob, mimeType ?? "", told, uri);
      break;
    }
    default:
      told.texts.push("[something that cannot be shown]");
  }
}

function addImage(data: string, mimeType: string, told: Told, uri?: string): void {
  if (IMAGE_KINDS.includes(mimeType) && told.images.length < MOST_IMAGES)
    told.images.push({ type: "image", data, mimeType });
  else told.texts.push(`[${uri ? `${uri}, ` : ""}${mimeType || "bytes"}, ${data.length} characters of base64]`);
}

function blocksOf({ texts, images }: Told, { server, ids }: ResultOrigin): Array<TextBlock | ImageBlock> {
  if (texts.length === 0) return images;
  const text = wrapExternalContent(texts.join("\n"), { source: `MCP server ${server}` }, ids);
  return [{ type: "text", text }, ...images];
}
