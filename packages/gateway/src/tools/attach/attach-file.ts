// What the tool `attach` does: hands a file the agent may read to whoever keeps files for sending.
import { GatewayError, type ToolContext, type ToolOutput } from "@chela/sdk";
import { fileFailure } from "../files/file-failure.ts";
import { locate } from "../files/locate.ts";
import { openFile, type OpenFile } from "../files/open-file.ts";
import type { AttachedFile, AttachToolParts } from "./attach-tool.ts";

const CHUNK_BYTES = 256 * 1024;

export async function attachFile(
  path: string,
  parts: AttachToolParts,
  context: Pick<ToolContext, "agentId" | "sessionKey" | "workspace" | "signal">,
): Promise<ToolOutput> {
  const { agentId, sessionKey, workspace, signal } = context;
  const { workspaceOnly = true, forbidden } = parts.settings(agentId);
  const maxBytes = parts.maxBytes(agentId);
  using place = locate(path, { workspace, workspaceOnly, forbidden });
  await using file = await openFile(place);
  if (file.size > maxBytes) throw tooLarge(path, maxBytes);
  const request = { name: place.name, sessionKey, maxBytes, signal };
  const kept = await parts.keep(contentOf(file, path, signal), request);
  return { content: [{ type: "text", text: describe(kept) }], details: { path, ...kept } };
}

async function* contentOf({ handle }: OpenFile, path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null).catch((error: unknown) => {
      throw fileFailure(error, "TOOL_FILE", `"${path}" cannot be read`);
    });
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

function describe({ handle, name, mimeType, bytes }: AttachedFile): string {
  const size = bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
  return `${name} (${mimeType}, ${size}) is ready. To send it, put this on a line of its own in your reply:\nMEDIA:${handle}`;
}

function tooLarge(path: string, maxBytes: number): GatewayError {
  const limit = Math.round((maxBytes / 1024 / 1024) * 10) / 10;
  return new GatewayError(
    "TOOL_FILE",
    `"${path}" is larger than the ${limit} MB that can be sent. Send a smaller file.`,
  );
}
