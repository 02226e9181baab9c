// The agent loop: ask the model, run the tools it calls, ask again, until it answers. Everything it touches is an argument.
import {
  noUsage,
  type AgentMessage,
  type AssistantMessage,
  type ModelEvent,
  type ModelFailure,
  type ModelInfo,
  type ModelRequest,
  type ModelTool,
  type StopReason,
  type ThinkingLevel,
  type ToolCallBlock,
  type ToolResultMessage,
  type Usage,
} from "@chela/sdk";

export type LoopEvent =
  | { readonly kind: "text"; readonly delta: string }
  | { readonly kind: "thinking"; readonly delta: string }
  /** A new assistant message begins; what follows is not part of the one before. */
  | { readonly kind: "step" }
  | { readonly kind: "tool-start"; readonly call: ToolCallBlock }
  | { readonly kind: "tool-update"; readonly call: ToolCallBlock; readonly partial: string }
  | { readonly kind: "tool-result"; readonly call: ToolCallBlock; readonly result: ToolResultMessage };

export interface LoopParts {
  readonly model: ModelInfo;
  readonly system: string;
  /** Chooses what the model sees of the conversation. */
  readonly fit: (messages: readonly AgentMessage[]) => AgentMessage[];
  readonly tools: readonly ModelTool[];
  readonly thinking: ThinkingLevel;
  readonly sessionId: string;
  readonly maxSteps: number;
  now(): number;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Never rejects: a tool's failure is a result. */
  runTool(call: ToolCallBlock, signal: AbortSignal, update: (partial: string) => void): Promise<ToolResultMessage>;
  /** Makes a step durable before the next one begins. */
  record(message: AssistantMessage | ToolResultMessage): Promise<void>;
  emit(event: LoopEvent): void;
}

export type LoopOutcome =
  | { readonly kind: "answered"; readonly message: AssistantMessage }
  | { readonly kind: "aborted"; readonly message: AssistantMessage }
  | { readonly kind: "failed"; readonly message: AssistantMessage; readonly failure: ModelFailure }
  /** It called tools until nobody wanted to wait any longer. */
  | { readonly kind: "exhausted"; readonly message: AssistantMessage; readonly steps: number };

/** The last message of the outcome is not recorded yet: the turn commits it together with its delivery. */
export async function runLoop(
  history: readonly AgentMessage[],
  parts: LoopParts,
  signal: AbortSignal,
): Promise<LoopOutcome> {
  const messages = [...history];
  for (let step = 1; ; step++) {
    parts.emit({ kind: "step" });
    const { message, failure } = await askModel(parts, messages, signal);
    if (failure) return { kind: "failed", message: withoutCalls(message), failure };
    if (signal.aborted) return { kind: "aborted", message: withStop(message, "aborted") };
    const calls = message.content.filter((block): block is ToolCallBlock => block.type === "toolCall");
    if (calls.length === 0) return { kind: "answered", message };
    if (step >= parts.maxSteps) return tooManySteps(message, parts.maxSteps);
    await parts.record(message);
    messages.push(message);
    for (const call of calls) {
      const result = await runOne(parts, call, signal);
      await parts.record(result);
      messages.push(result);
    }
  }
}

async function runOne(parts: LoopParts, call: ToolCallBlock, signal: AbortSignal): Promise<ToolResultMessage> {
  parts.emit({ kind: "tool-start", call });
  const result = await parts.runTool(call, signal, (partial) => parts.emit({ kind: "tool-update", call, partial }));
  parts.emit({ kind: "tool-result", call, result });
  return result;
}

async function askModel(
  parts: LoopParts,
  messages: readonly AgentMessage[],
  signal: AbortSignal,
): Promise<{ message: AssistantMessage; failure?: ModelFailure }> {
  const request: ModelRequest = {
    model: parts.model,
    system: parts.system,
    messages: parts.fit(messages),
    tools: parts.tools,
    thinking: parts.thinking,
    sessionId: parts.sessionId,
  };
  const draft = new Draft();
  for await (const event of parts.stream(request, signal)) {
    draft.add(event);
    if (event.kind === "text" || event.kind === "thinking") parts.emit(event);
    if (event.kind === "failure") {
      return { message: finished(parts, draft, "error", noUsage(), event.failure.message), failure: event.failure };
    }
    if (event.kind === "finish") return { message: finished(parts, draft, event.stopReason, event.usage) };
  }
  const failure: ModelFailure = { reason: "malformed", message: "the stream ended without a finish", retry: "now" };
  return { message: finished(parts, draft, "error", noUsage(), failure.message), failure };
}

/** The assistant message as it grows. */
class Draft {
  readonly content: AssistantMessage["content"] = [];

  add(event: ModelEvent): void {
    const last = this.content.at(-1);
    switch (event.kind) {
      case "text":
        if (last?.type === "text") last.text = String(last.text) + event.delta;
        else this.content.push({ type: "text", text: event.delta });
        break;
      case "thinking":
        if (last?.type === "thinking") last.thinking = String(last.thinking) + event.delta;
        else this.content.push({ type: "thinking", thinking: event.delta });
        break;
      case "thinking-end":
        if (last?.type !== "thinking") break;
        if (event.signature !== undefined) last.thinkingSignature = event.signature;
        if (event.redacted) last.redacted = true;
        break;
      case "tool-call":
        this.content.push({
          type: "toolCall",
          id: event.id,
          name: event.name,
          arguments: event.arguments,
          ...(event.signature === undefined ? {} : { thoughtSignature: event.signature }),
        });
        break;
    }
  }
}

function finished(
  parts: LoopParts,
  draft: Draft,
  stopReason: StopReason,
  usage: Usage,
  errorMessage?: string,
): AssistantMessage {
  return {
    role: "assistant",
    content: draft.content,
    api: parts.model.api,
    provider: parts.model.provider,
    model: parts.model.id,
    usage,
    stopReason,
    ...(errorMessage === undefined ? {} : { errorMessage }),
    timestamp: parts.now(),
  };
}

/** Calls that will not be run must not stay in the message: a provider would wait for their results. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((block) => block.type !== "toolCall") };
}

function withStop(message: AssistantMessage, stopReason: StopReason): AssistantMessage {
  return { ...withoutCalls(message), stopReason };
}

function tooManySteps(message: AssistantMessage, steps: number): LoopOutcome {
  const errorMessage = `${steps} steps without an answer`;
  return { kind: "exhausted", message: { ...withStop(message, "error"), errorMessage }, steps };
}
