// The tool `read`: text in pages, images as images, and a plain word about everything else.
import { GatewayError, type ModelInfo, type ToolContext, type ToolOutput } from "@chela/sdk";
import { fileFailure } from "./file-failure.ts";
import { HEAD_BYTES, kindOfFile } from "./file-kind.ts";
import { locate, type LocatedPath } from "./locate.ts";
import { openFile, readWhole, type OpenFile } from "./open-file.ts";
import { MAX_LINE_BYTES, PAGE_BYTES, readLines, type LinesRead } from "./read-lines.ts";
import type { Confinement } from "./written-path.ts";

export interface ReadArguments {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

const MAX_READ_BYTES = 512 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const CONTEXT_SHARE = 0.2;
const BYTES_PER_TOKEN = 4;

export async function readFile(
  args: ReadArguments,
  rules: Confinement,
  context: Pick<ToolContext, "signal" | "model">,
): Promise<ToolOutput> {
  using place = locate(args.path, rules);
  try {
    await using file = await openFile(place);
    const kind = kindOfFile(await readHead(file));
    if (kind.kind === "image") return await showImage(place, kind.mimeType, context);
    if (kind.kind === "binary") {
      throw new GatewayError("TOOL_FILE", `"${args.path}" is ${kind.name}, not text; this tool cannot show it.`);
    }
    return await showText(file, args, context);
  } catch (error) {
    throw fileFailure(error, "TOOL_FILE", `"${args.path}" cannot be read`);
  }
}

/** A fifth of what the model can hold, but never less than a page. */
function readBudget(model: Pick<ModelInfo, "contextWindow">): number {
  const share = Math.floor(model.contextWindow * BYTES_PER_TOKEN * CONTEXT_SHARE);
  return Math.min(MAX_READ_BYTES, Math.max(PAGE_BYTES, share));
}

async function readHead(file: OpenFile): Promise<Buffer> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.handle.read(head, 0, HEAD_BYTES, 0);
  return head.subarray(0, bytesRead);
}

async function showText(
  file: OpenFile,
  args: ReadArguments,
  context: Pick<ToolContext, "signal" | "model">,
): Promise<ToolOutput> {
  const first = args.offset ?? 1;
  const request = { first, maxLines: args.limit ?? Infinity, maxBytes: readBudget(context.model) };
  const read = await readLines(file.handle, request, context.signal);
  if (read.lines.length === 0 && first > 1) {
    throw new GatewayError("TOOL_FILE", `"${args.path}" has ${read.seen} lines, so there is no line ${first}.`);
  }
  const text = (first === 1 ? withoutMark(read.lines) : read.lines).join("\n");
  const notices = noticesFor(read, first);
  return {
    content: [{ type: "text", text: notices.length > 0 ? `${text}\n\n[${notices.join(" ")}]` : text }],
    details: {
      path: args.path,
      lines: read.lines.length,
      ...(read.next === undefined ? {} : { nextOffset: read.next }),
    },
  };
}

function withoutMark(lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? line.replace(/^\uFEFF/, "") : line));
}

function noticesFor(read: LinesRead, first: number): string[] {
  const notices: string[] = [];
  if (read.lines.length === 0) notices.push("The file is empty.");
  if (read.lines.some((line) => line.includes("\uFFFD"))) notices.push("Bytes that are not UTF-8 are shown as \uFFFD.");
  if (read.cut.length > 0) {
    const which = read.cut.slice(0, 10).join(", ");
    notices.push(`Cut after ${MAX_LINE_BYTES} bytes because they are longer: line ${which}.`);
  }
  if (read.next !== undefined) {
    notices.push(`Lines ${first}-${read.next - 1} are shown, more follow. Continue with offset ${read.next}.`);
  }
  return notices;
}

async function showImage(
  place: LocatedPath,
  mimeType: string,
  context: Pick<ToolContext, "signal" | "model">,
): Promise<ToolOutput> {
  if (!context.model.input.includes("image")) {
    throw new GatewayError("TOOL_FILE", `"${place.written}" is an image (${mimeType}), and this model sees text only.`);
  }
  const { bytes } = await readWhole(place, MAX_IMAGE_BYTES, context.signal);
  return {
    content: [
      { type: "text", text: `${place.written}: ${mimeType}, ${bytes.length} bytes` },
      { type: "image", data: bytes.toString("base64"), mimeType },
    ],
    details: { path: place.written, mimeType, bytes: bytes.length },
  };
}
