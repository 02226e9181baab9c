// The tool `attach`: hands a file the agent may read to whoever keeps files for sending.
import type { ToolContext, ToolOutput } from "@chela/sdk";
import type { AttachedFile, AttachHouse } from "./attach-tool.ts";
import { readForSending } from "./read-for-sending.ts";

const SENT_MEGABYTES = 5;

export async function attachFile(
  path: string,
  house: AttachHouse,
  context: Pick<ToolContext, "agentId" | "sessionKey" | "workspace" | "sandbox" | "closedNotes" | "signal">,
): Promise<ToolOutput> {
  const { agentId, sessionKey, signal } = context;
  const maxBytes = (house.config.current().agents?.defaults?.mediaMaxMb ?? SENT_MEGABYTES) * 1024 * 1024;
  const limits = { settings: house.fileSettings(agentId), seen: context, maxBytes, signal };
  const kept = await readForSending(path, limits, async (content, name) => {
    const media = await house.media();
    const stored = await media.take(content, { direction: "outbound", name, maxBytes, signal });
    return { ...stored, handle: media.mintHandle(sessionKey, stored.id) };
  });
  return { content: [{ type: "text", text: describe(kept) }], details: { path, ...kept } };
}

function describe({ handle, name, mimeType, bytes }: AttachedFile): string {
  const size = bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
  return `${name} (${mimeType}, ${size}) is ready. To send it, put this on a line of its own in your reply:\nMEDIA:${handle}`;
}
