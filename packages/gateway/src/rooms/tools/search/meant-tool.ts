// Which tool a call is really about, when it was searched for and is called by way of another.
import * as z from "zod";
import { once, type ToolCallBlock } from "@chela/sdk";

export const CALL_TOOL = "tool_call";

export const CallArguments = once(() =>
  z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
);

/** What is asked, refused, written down and counted is that tool and its arguments. */
export function meantTool(call: ToolCallBlock): Pick<ToolCallBlock, "name" | "arguments"> {
  if (call.name !== CALL_TOOL || call.unreadable !== undefined) return call;
  const read = CallArguments().safeParse(call.arguments).data;
  return read ? { name: read.name, arguments: read.arguments ?? {} } : call;
}
