// The one gate of tools: watch, policy, arguments, objections, sandbox, run, cut, record. Whatever goes wrong is a result.
import {
  GatewayError,
  isBug,
  UNFORESEEN,
  type ToolCallBlock,
  type ToolContext,
  type ToolOutput,
  type ToolResultMessage,
} from "@chela/sdk";
import { neutralizeExternal } from "../../base/text/external-content.ts";
import { admitCall } from "./gate/admit-call.ts";
import { carryOut } from "./gate/carry-out.ts";
import type { Ending, Gate } from "./gate/gate.ts";
import { redactDeep, withoutSecrets } from "./gate/without-secrets.ts";
import { resultLimit, shortenContent } from "./gate/shorten-content.ts";

/** Never rejects. */
export async function runTool(call: ToolCallBlock, context: ToolContext, gate: Gate): Promise<ToolResultMessage> {
  const startedAt = gate.clock.now();
  const ending = await reachEnding(call, context, gate);
  const output = withoutSecrets(outputOf(ending), gate);
  const { warning } = ending.kind === "refused" && ending.decidedBy === "loop" ? {} : gate.watch.after(call, output);
  const content = shortenContent(output.content, resultLimit(gate.limits.maxResultChars, context.model));
  const result: ToolResultMessage = {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: warning ? [...content, { type: "text", text: warning }] : content,
    ...(output.details === undefined ? {} : { details: output.details }),
    isError: output.isError === true,
    timestamp: gate.clock.now(),
  };
  if (ending.kind !== "refused")
    gate.afterRun?.(
      { name: call.name, args: call.arguments, durationMs: result.timestamp - startedAt },
      result,
      context,
    );
  gate.onRun?.({
    name: call.name,
    runId: context.runId,
    toolCallId: call.id,
    startedAt,
    endedAt: result.timestamp,
    isError: result.isError,
    ...(ending.kind === "refused" ? { decidedBy: ending.decidedBy } : {}),
    ...(ending.kind === "failed" && isBug(ending.error) ? { isUnforeseen: true as const } : {}),
  });
  return result;
}

async function reachEnding(call: ToolCallBlock, context: ToolContext, gate: Gate): Promise<Ending> {
  let running = true;
  const update: ToolContext["update"] = (partial, details) => {
    // A tool that was left behind must not talk into a turn that has gone on.
    if (running) context.update(gate.redact(partial), redactDeep(details, gate.redact));
  };
  try {
    const admitted = admitCall(call, gate);
    if (admitted.kind === "refused") return admitted;
    return await carryOut(admitted, { ...context, toolCallId: call.id, update }, gate);
  } catch (error) {
    if (isBug(error)) {
      const { stack } = error as Error;
      gate.log.error("a tool failed in a way nobody foresaw", { tool: call.name, error: stack });
    }
    return { kind: "failed", error };
  } finally {
    running = false;
  }
}

/** Every ending as the model sees it. */
function outputOf(ending: Ending): ToolOutput {
  if (ending.kind === "refused") return errorOutput(sentence(new GatewayError(ending.code, ending.detail).message));
  if (ending.kind === "failed") return errorOutput(messageOf(ending.error));
  const { output } = ending;
  if (!isReadable(output?.content)) return errorOutput("The tool returned something that cannot be read.");
  return output.content.length > 0 ? output : { ...output, content: [{ type: "text", text: "(no output)" }] };
}

/** A tool may come from anywhere, so its output is looked at before it becomes part of a conversation. */
function isReadable(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.every((block) =>
      block?.type === "image"
        ? typeof block.data === "string"
        : block?.type === "text" && typeof block.text === "string",
    )
  );
}

/** A refusal may quote what somebody outside called themselves, or what a server said. */
function errorOutput(text: string): ToolOutput {
  return { content: [{ type: "text", text: neutralizeExternal(text) }], isError: true };
}

function messageOf(error: unknown): string {
  if (isBug(error)) return `The tool failed: ${UNFORESEEN}.`;
  const message = error instanceof Error ? error.message : String(error);
  return message || "The tool failed without saying why.";
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
