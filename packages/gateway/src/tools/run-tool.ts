// Runs one tool call: find the tool, check its arguments, run it, cut what is too long. Whatever goes wrong is a result.
import { ERRORS, type Tool, type ToolCallBlock, type ToolContext, type ToolResultMessage } from "@chela/sdk";

const MAX_RESULT_CHARS = 100_000;

export async function runTool(
  tools: readonly Tool[],
  call: ToolCallBlock,
  context: Omit<ToolContext, "toolCallId">,
  now: () => number,
): Promise<ToolResultMessage> {
  const result = (content: ToolResultMessage["content"], isError: boolean, details?: unknown): ToolResultMessage => ({
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content,
    ...(details === undefined ? {} : { details }),
    isError,
    timestamp: now(),
  });
  const failed = (text: string) => result([{ type: "text", text }], true);

  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(", ");
    return failed(`${ERRORS.TOOL_UNKNOWN.says.replace("{detail}", call.name)}. Tools that exist: ${names}.`);
  }
  const args = tool.parameters().safeParse(call.arguments);
  if (!args.success) {
    const places = args.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
    return failed(`${ERRORS.TOOL_ARGUMENTS.says.replace("{detail}", places.join("; "))}. Correct them and call again.`);
  }
  try {
    const output = await tool.run(args.data, { ...context, toolCallId: call.id });
    return result(output.content.map(shorten), false, output.details);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function shorten<B extends { type: string }>(block: B): B {
  if (block.type !== "text" || !("text" in block) || typeof block.text !== "string") return block;
  if (block.text.length <= MAX_RESULT_CHARS) return block;
  const cut = block.text.length - MAX_RESULT_CHARS;
  return { ...block, text: `${block.text.slice(0, MAX_RESULT_CHARS)}\n[${cut} more characters were cut]` };
}
