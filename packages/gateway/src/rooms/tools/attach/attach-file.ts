// What the tool `attach` does: hands a file the agent may read to whoever keeps files for sending.
import type { ToolContext, ToolOutput } from "@chela/sdk";
import type { AttachedFile, AttachToolParts } from "./attach-tool.ts";
import { readForSending } from "./read-for-sending.ts";

export async function attachFile(
  path: string,
  parts: AttachToolParts,
  context: Pick<ToolContext, "agentId" | "sessionKey" | "workspace" | "sandbox" | "closedNotes" | "signal">,
): Promise<ToolOutput> {
  const { agentId, sessionKey, signal } = context;
  const maxBytes = parts.maxBytes(agentId);
  const limits = { settings: parts.settings(agentId), seen: context, maxBytes, signal };
  const kept = await readForSending(path, limits, (content, name) =>
    parts.keep(content, { name, sessionKey, maxBytes, signal }),
  );
  return { content: [{ type: "text", text: describe(kept) }], details: { path, ...kept } };
}

function describe({ handle, name, mimeType, bytes }: AttachedFile): string {
  const size = bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
  return `${name} (${mimeType}, ${size}) is ready. To send it, put this on a line of its own in your reply:\nMEDIA:${handle}`;
}
