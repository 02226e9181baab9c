// The messages and records a turn writes besides what the model says. Pure.
import {
  noUsage,
  type AssistantMessage,
  type Change,
  type GatewayError,
  type ModelInfo,
  type SessionEntry,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from "@chela/sdk";
import type { LoopOutcome } from "../agent/room.ts";
import { withTimePrefix } from "../base/time-prefix.ts";
import type { EntryBody } from "../sessions/room.ts";
import type { MessageBody } from "./message-body.ts";
import { THINKING_OF_LAST_TURN } from "./session-after-turn.ts";
import type { StopCause } from "./turn-outcome.ts";

const INTERRUPTED = "The gateway was restarted while this tool ran. Whether it took effect is not known.";

/** What a person wrote, with the time and with what happened meanwhile before it. */
export function userMessage(
  text: string,
  { images, provenance }: MessageBody,
  at: number,
  before: { readonly news: readonly string[]; readonly timeZone: string | undefined },
): UserMessage {
  const timed = withTimePrefix(text, at, before.timeZone);
  const said = before.news.length > 0 ? `${before.news.join("\n")}\n\n${timed}` : timed;
  const content = [{ type: "text" as const, text: said }, ...(images ?? [])];
  return { role: "user", content, timestamp: at, ...(provenance ? { provenance } : {}) };
}

/** No model could be asked: the sender is told, in the transcript too. */
export function refusal(error: GatewayError, model: ModelInfo, timestamp: number): LoopOutcome {
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: noUsage(),
    stopReason: "error",
    errorMessage: error.message,
    timestamp,
  };
  return { kind: "failed", message, failure: { reason: "not-found", message: error.detail, retry: "never" } };
}

/** A tool that was running when the process died must not stay without a result. */
export function interruptedResult({ id, name }: ToolCallBlock, timestamp: number): ToolResultMessage {
  const content = [{ type: "text" as const, text: INTERRUPTED }];
  return { role: "toolResult", toolCallId: id, toolName: name, content, isError: true, timestamp };
}

/** What others read out of a transcript: with which model and how much thinking it goes on. */
export function modelRecords(
  entry: SessionEntry,
  { provider, id, api }: ModelInfo,
  thinkingLevel: string,
  at: number,
): EntryBody[] {
  const isSameModel = entry.model === id && entry.modelProvider === provider;
  const isSameLevel = entry[THINKING_OF_LAST_TURN] === thinkingLevel;
  const data = { timestamp: at, provider, modelApi: api, modelId: id };
  return [
    ...(isSameModel ? [] : [{ type: "model_change", provider, modelId: id }]),
    ...(isSameLevel ? [] : [{ type: "thinking_level_change", thinkingLevel }]),
    ...(isSameModel ? [] : [{ type: "custom", customType: "model-snapshot", data }]),
  ];
}

/** Every call is noted before it runs. */
export function toolStarts({ content }: AssistantMessage, runId: string, at: number): Change[] {
  return content.flatMap((block): Change[] => {
    if (block.type !== "toolCall") return [];
    const { id, name, arguments: args } = block as ToolCallBlock;
    return [{ kind: "tool-start", runId, toolCallId: id, name, args, at }];
  });
}

export function abortMark(stopped: StopCause | undefined, runId: string): object {
  if (!stopped) return {};
  const origin = stopped === "stop" ? "stop-command" : stopped;
  return { openclawAbort: { aborted: true, origin, runId } };
}
