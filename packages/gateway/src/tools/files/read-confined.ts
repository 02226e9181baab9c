// Reads a whole file for another tool, from where the agent may read and nowhere else.
import { GatewayError, type ToolContext } from "@chela/sdk";
import type { FileToolParts } from "./file-tools.ts";
import { locate } from "./locate.ts";
import { readWhole } from "./open-file.ts";

export async function readConfined(
  path: string,
  { settings }: FileToolParts,
  context: Pick<ToolContext, "agentId" | "workspace" | "signal">,
  maxBytes: number,
): Promise<Uint8Array> {
  const { workspaceOnly = true, forbidden } = settings(context.agentId);
  using place = locate(path, { workspace: context.workspace, workspaceOnly, forbidden });
  if (place.kind !== "file") throw new GatewayError("TOOL_FILE", `"${path}" is not a file.`);
  return (await readWhole(place, maxBytes, context.signal)).bytes;
}
