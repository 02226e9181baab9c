// The tools room owns what an agent can do besides talking, and the one place where a tool is run.
import * as z from "zod";
import type { ModelTool, Tool, ToolCallBlock, ToolContext, ToolResultMessage } from "@chela/sdk";
import { runTool } from "./run-tool.ts";

export { sessionStatusTool } from "./session-status.ts";

export interface Toolbox {
  /** The tools as a model is told of them. */
  described(): readonly ModelTool[];
  run(call: ToolCallBlock, context: Omit<ToolContext, "toolCallId">): Promise<ToolResultMessage>;
}

export function createToolbox(tools: readonly Tool[], now: () => number): Toolbox {
  let described: readonly ModelTool[] | undefined;
  return {
    described: () => (described ??= tools.map(describe)),
    run: (call, context) => runTool(tools, call, context, now),
  };
}

function describe(tool: Tool): ModelTool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: z.toJSONSchema(tool.parameters(), { io: "input" }) as Record<string, unknown>,
  };
}
