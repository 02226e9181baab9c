// The part of a turn in which another agent answers in place of a model: it is asked once, and what it says is told as a model's words.
import {
  noUsage,
  type AssistantMessage,
  type AgentMessage,
  type InboxMessage,
  type Requester,
  type StopReason,
  type ToolCallBlock,
} from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { questionIn, WorkerWords, type WorkerChoice, type WorkerEvent } from "../../rooms/acp/worker-words.ts";
import type { LoopEvent, LoopOutcome } from "../../rooms/agent/room.ts";

export interface WorkerTurnParts {
  readonly house: Pick<House, "acpWorkers" | "clock">;
  readonly choice: WorkerChoice;
  readonly message: InboxMessage;
  readonly requester: Requester;
  readonly sessionId: string;
  readonly history: readonly AgentMessage[];
  /** It was asked before the gateway was started anew. */
  readonly wasAsked: boolean;
  emit(event: LoopEvent): void;
  notice(sentence: string): void;
}

export async function askWorker(parts: WorkerTurnParts, signal: AbortSignal): Promise<LoopOutcome> {
  const { choice, house, message, requester, sessionId } = parts;
  const { agentId, sessionKey, runId } = message;
  if (parts.wasAsked) return failed(parts, "", ENDED);
  const said = new WorkerWords();
  const calls = new Map<string, ToolCallBlock>();
  parts.emit({ kind: "step" });
  const workers = await house.acpWorkers();
  const answer = await workers.answer(
    {
      agentId,
      sessionKey,
      runId,
      requester,
      sessionId,
      choice,
      ...questionIn(parts.history),
      notice: (sentence) => parts.notice(sentence),
      hear(update) {
        for (const event of said.hear(update)) parts.emit(toLoopEvent(event, calls, house.clock.now()));
      },
    },
    signal,
  );
  const text = said.text;
  if (signal.aborted) return { kind: "aborted", message: wordsOf(parts, text, said.thinking, "aborted") };
  if (answer.kind === "failed") return failed(parts, text, answer.why);
  if (answer.stopReason === "refusal") return failed(parts, text, `${choice.worker} refused to go on.`);
  const stopReason = answer.stopReason === "max_tokens" ? "length" : "stop";
  return { kind: "answered", message: wordsOf(parts, text, said.thinking, stopReason) };
}

const ENDED =
  "It was at work when the gateway ended. What it had done by then is not known, so it was not asked again.";

function failed(parts: WorkerTurnParts, text: string, why: string): LoopOutcome {
  const message = wordsOf(parts, text, "", "error");
  return { kind: "failed", message, failure: { reason: "unknown", message: why, retry: "never" } };
}

function wordsOf(
  { choice, house }: WorkerTurnParts,
  text: string,
  thinking: string,
  stopReason: StopReason,
): AssistantMessage {
  const thought = thinking === "" ? [] : [{ type: "thinking" as const, thinking }];
  return {
    role: "assistant",
    content: [...thought, { type: "text", text }],
    api: "acp",
    provider: "acp",
    model: choice.worker || "worker",
    usage: noUsage(),
    stopReason,
    timestamp: house.clock.now(),
  };
}

function toLoopEvent(event: WorkerEvent, calls: Map<string, ToolCallBlock>, now: number): LoopEvent {
  if (event.kind === "text" || event.kind === "thinking") return event;
  if (event.kind === "began") {
    const call: ToolCallBlock = { type: "toolCall", id: event.id, name: event.name, arguments: event.input };
    calls.set(event.id, call);
    return { kind: "tool-start", call };
  }
  const call = calls.get(event.id) ?? { type: "toolCall", id: event.id, name: "tool", arguments: {} };
  const { isError } = event;
  const content = [{ type: "text" as const, text: event.text }];
  const result = {
    role: "toolResult" as const,
    toolCallId: call.id,
    toolName: call.name,
    content,
    isError,
    timestamp: now,
  };
  return { kind: "tool-result", call, result };
}
