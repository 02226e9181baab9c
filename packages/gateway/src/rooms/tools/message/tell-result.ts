// Tells a model what became of its call of `message`, in few words.
import type { Ids, ToolOutput } from "@chela/sdk";
import { wrapExternalContent } from "../../../base/text/external-content.ts";
import type { MessageToolResult } from "./message-tool.ts";

const QUEUED = "It is not there yet; it is sent as soon as that is possible. Do not send it again.";

export function tellResult(result: MessageToolResult, isBestEffort: boolean, ids: Pick<Ids, "secretHex">): ToolOutput {
  if (result.kind === "done") {
    const text = JSON.stringify(result.found);
    // What people wrote is data; a bare "ok" needs no frame.
    const isPlain = result.found["ok"] === true || result.found["dryRun"] === true;
    const shown = isPlain ? text : wrapExternalContent(text, { source: result.from }, ids);
    return { content: [{ type: "text", text: shown }], details: result.found };
  }
  const { deliveries } = result;
  const isLost = deliveries.some(({ state }) => state === "undeliverable");
  const isWaiting = deliveries.some(({ state }) => state === "queued");
  const [only] = deliveries;
  const told = { ...(deliveries.length === 1 ? only : { deliveries }), ...(isWaiting ? { note: QUEUED } : {}) };
  return {
    content: [{ type: "text", text: JSON.stringify(told) }],
    details: { deliveries },
    ...(isLost && !isBestEffort ? { isError: true } : {}),
  };
}
