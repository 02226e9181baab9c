// The tool `image`: gathers the pictures within limits, and hands them to a model that can see.
import { GatewayError, type ImageBlock, type ToolContext, type ToolOutput } from "@chela/sdk";
import { gatherImage, shortName } from "./gather-image.ts";
import type { PictureSources, Vision } from "./image-tool.ts";

export interface ImageArguments {
  readonly prompt?: string | undefined;
  readonly image?: string | undefined;
  readonly images?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly maxBytesMb?: number | undefined;
  readonly maxImages?: number | undefined;
}

const DEFAULT_PROMPT = "Describe what is to be seen.";
const MOST_IMAGES = 20;
const MEGABYTE = 1024 * 1024;
const MOST_BYTES_EACH = 10 * MEGABYTE;
const MOST_BYTES_TOGETHER = 40 * MEGABYTE;

export async function lookAtImages(
  args: ImageArguments,
  parts: PictureSources & Pick<Vision, "look">,
  context: ToolContext,
): Promise<ToolOutput> {
  const sources = sourcesOf(args);
  const images: ImageBlock[] = [];
  const seen: { source: string; mimeType: string; bytes: number }[] = [];
  let room = MOST_BYTES_TOGETHER;
  for (const source of sources) {
    const maxBytes = Math.min(MOST_BYTES_EACH, Math.floor((args.maxBytesMb ?? Infinity) * MEGABYTE), room);
    const image = await gatherImage(source, maxBytes, parts, context);
    room -= image.bytes.length;
    images.push({ type: "image", data: image.bytes.toString("base64"), mimeType: image.mimeType });
    seen.push({ source: shortName(source), mimeType: image.mimeType, bytes: image.bytes.length });
  }
  const { agentId, sessionKey, runId, requester, signal } = context;
  const prompt = args.prompt?.trim() || DEFAULT_PROMPT;
  const text = await parts.look({
    images,
    prompt,
    ...(args.model ? { model: args.model } : {}),
    agentId,
    sessionKey,
    runId,
    requester,
    signal,
  });
  return { content: [{ type: "text", text }], details: { images: seen, ...(args.model ? { model: args.model } : {}) } };
}

/** Each picture once, in the order given. */
function sourcesOf(args: ImageArguments): readonly string[] {
  const given = [args.image ?? "", ...(args.images ?? [])].map((source) => source.trim()).filter(Boolean);
  const sources = [...new Set(given)];
  if (sources.length === 0) {
    throw new GatewayError(
      "IMAGE_INPUT",
      'No picture was named. Give "image" or "images": a path, a URL or a data URL.',
    );
  }
  const most = Math.min(args.maxImages ?? MOST_IMAGES, MOST_IMAGES);
  if (sources.length > most) {
    throw new GatewayError(
      "IMAGE_INPUT",
      `${sources.length} pictures were named, but at most ${most} are looked at together.`,
    );
  }
  return sources;
}
