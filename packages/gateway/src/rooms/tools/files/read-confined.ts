// Reads a whole file for another tool, from where the agent may read and nowhere else.
import { GatewayError, type ToolContext } from "@chela/sdk";
import type { FileHouse } from "./file-tools.ts";
import { locate } from "./locate.ts";
import { readWhole } from "./open-file.ts";
import { readingRules } from "./reading-rules.ts";

export async function readConfined(
  path: string,
  { fileSettings }: FileHouse,
  context: Pick<ToolContext, "agentId" | "workspace" | "sandbox" | "closedNotes" | "signal">,
  maxBytes: number,
): Promise<Uint8Array> {
  using place = locate(path, readingRules(path, fileSettings(context.agentId), context));
  if (place.kind !== "file") throw new GatewayError("TOOL_FILE", `"${path}" is not a file.`);
  return (await readWhole(place, maxBytes, context.signal)).bytes;
}
