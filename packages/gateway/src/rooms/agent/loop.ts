// The agent loop: ask the model, run the tools it calls, ask again, until it answers. Everything it touches is an argument.
import { defined } from "@chela/sdk/base";
import {
  noUsage,
  type AgentMessage,
  type AssistantMessage,
  type ModelEvent,
  type ModelFailure,
  type ModelInfo,
  type StopReason,
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
  | { readonly kind: "tool-update"; readonly call: ToolCallBlock; readonly partial: string; readonly details?: unknown }
  | { readonly kind: "tool-result"; readonly call: ToolCallBlock; readonly result: ToolResultMessage };

/** What a call of a model tells: its events, and which model they come from. */
type AskEvent =
  | ModelEvent
  /** A new attempt begins, perhaps with another model: what came before it in this call is void. */
  | { readonly kind: "attempt"; readonly model: ModelInfo };

export interface LoopParts {
  /** The model that is asked first. */
  readonly model: ModelInfo;
  readonly maxSteps: number;
  /** Of calls this turn made before a restart. */
  readonly usedIds?: Iterable<string>;
  now(): number;
  ask(messages: readonly AgentMessage[], signal: AbortSignal): AsyncIterable<AskEvent>;
  /** The conversation was too long for the model: a shorter one to go on with, or undefined when there is none. */
  relieve(): Promise<readonly AgentMessage[] | undefined>;
  /** Never rejects: a tool's failure is a result. */
  runTool(
    call: ToolCallBlock,
    model: ModelInfo,
    signal: AbortSignal,
    update: (partial: string, details?: unknown) => void,
  ): Promise<ToolResultMessage>;
  /** Whether this call changes nothing, so that it may run beside others of its kind. */
  isHarmless(call: ToolCallBlock): boolean;
  /** After the calls of a step: why there should not be another, if so. */
  verdict?(): string | undefined;
  /** Makes a step durable before the next one begins. */
  record(message: AssistantMessage | ToolResultMessage): Promise<void>;
  /** What was said to the agent meanwhile, made durable; asked for between two steps. */
  interject?(): Promise<readonly AgentMessage[]>;
  emit(event: LoopEvent): void;
}

export type LoopOutcome =
  | { readonly kind: "answered"; readonly message: AssistantMessage }
  | { readonly kind: "aborted"; readonly message: AssistantMessage }
  | { readonly kind: "failed"; readonly message: AssistantMessage; readonly failure: ModelFailure }
  /** It called tools until nobody wanted to wait any longer. */
  | { readonly kind: "exhausted"; readonly message: AssistantMessage; readonly steps: number }
  /** It would not stop repeating itself. */
  | { readonly kind: "in-circles"; readonly message: AssistantMessage; readonly why: string };

/** The last message of the outcome is not recorded yet: the turn commits it together with its delivery. */
export async function runLoop(
  history: readonly AgentMessage[],
  parts: LoopParts,
  signal: AbortSignal,
): Promise<LoopOutcome> {
  let messages = [...history];
  const usedIds = new Set<string>(parts.usedIds);
  for (let step = 1; ; step++) {
    const { message, model, failure } = await askModel(parts, messages, signal);
    nameApart(message, usedIds);
    if (signal.aborted) return { kind: "aborted", message: withStop(message, "aborted") };
    if (failure?.reason === "context-overflow") {
      const shorter = await parts.relieve();
      if (shorter) {
        messages = [...shorter];
        continue;
      }
    }
    if (failure) return { kind: "failed", message: withoutCalls(shortened(message, failure)), failure };
    const calls = message.content.filter((block): block is ToolCallBlock => block.type === "toolCall");
    if (calls.length === 0) return { kind: "answered", message };
    if (step >= parts.maxSteps) return tooManySteps(message, parts.maxSteps);
    await parts.record(message);
    messages.push(message);
    messages.push(...(await runCalls(parts, calls, model, signal)));
    const why = signal.aborted ? undefined : parts.verdict?.();
    if (why !== undefined) return { kind: "in-circles", why, message: silent(model, parts.now(), why) };
    if (parts.interject && !signal.aborted) messages.push(...(await parts.interject()));
  }
}

/** Some models number their calls anew in each answer; within a turn every call has an id of its own. */
function nameApart({ content }: AssistantMessage, usedIds: Set<string>): void {
  for (const block of content) {
    if (block.type !== "toolCall") continue;
    const id = String(block["id"]);
    let free = id;
    for (let count = 2; usedIds.has(free); count++) free = `${id}_${count}`;
    block["id"] = free;
    usedIds.add(free);
  }
}

/** Runs the calls in order; neighbours that change nothing run side by side. Results are recorded in the order of the calls. */
async function runCalls(
  parts: LoopParts,
  calls: readonly ToolCallBlock[],
  model: ModelInfo,
  signal: AbortSignal,
): Promise<ToolResultMessage[]> {
  const results: ToolResultMessage[] = [];
  for (const group of groupCalls(calls, (call) => parts.isHarmless(call))) {
    const running = group.map((call) => runOne(parts, call, model, signal));
    for (const one of running) {
      const result = await one;
      await parts.record(result);
      results.push(result);
    }
  }
  return results;
}

function groupCalls(calls: readonly ToolCallBlock[], isHarmless: (call: ToolCallBlock) => boolean): ToolCallBlock[][] {
  const groups: ToolCallBlock[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const harmless = isHarmless(call);
    if (harmless && isOpen) groups.at(-1)?.push(call);
    else groups.push([call]);
    isOpen = harmless;
  }
  return groups;
}

async function runOne(
  parts: LoopParts,
  call: ToolCallBlock,
  model: ModelInfo,
  signal: AbortSignal,
): Promise<ToolResultMessage> {
  parts.emit({ kind: "tool-start", call });
  const update = (partial: string, details?: unknown) => parts.emit({ kind: "tool-update", call, partial, details });
  const result = await parts.runTool(call, model, signal, update);
  parts.emit({ kind: "tool-result", call, result });
  return result;
}

async function askModel(
  parts: LoopParts,
  messages: readonly AgentMessage[],
  signal: AbortSignal,
): Promise<{ message: AssistantMessage; model: ModelInfo; failure?: ModelFailure }> {
  let { model } = parts;
  let draft = new Draft();
  parts.emit({ kind: "step" });
  const end = (stopReason: StopReason, usage: Usage, failure?: ModelFailure) => ({
    message: finished(draft, model, parts.now(), stopReason, usage, failure?.message),
    model,
    ...(failure ? { failure } : {}),
  });
  for await (const event of parts.ask(messages, signal)) {
    if (event.kind === "attempt") {
      model = event.model;
      if (draft.content.length > 0) parts.emit({ kind: "step" });
      draft = new Draft();
      continue;
    }
    draft.add(event);
    if (event.kind === "text" || event.kind === "thinking") parts.emit(event);
    if (event.kind === "failure") return end("error", noUsage(), event.failure);
    if (event.kind === "finish") {
      const { message, ...rest } = end(event.stopReason, event.usage);
      const { responseId } = event;
      return { message: responseId === undefined ? message : { ...message, responseId }, ...rest };
    }
  }
  return end("error", noUsage(), {
    reason: "malformed",
    message: "the stream ended without a finish",
    retry: "now",
  });
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
          ...(event.unreadable === undefined ? {} : { unreadable: event.unreadable }),
          ...(event.signature === undefined ? {} : { thoughtSignature: event.signature }),
        });
        break;
    }
  }
}

function finished(
  draft: Draft,
  model: ModelInfo,
  timestamp: number,
  stopReason: StopReason,
  usage: Usage,
  errorMessage?: string,
): AssistantMessage {
  return {
    role: "assistant",
    content: draft.content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage,
    stopReason,
    ...defined({ errorMessage }),
    timestamp,
  };
}

/** Of an answer without end only the beginning is kept: nobody reads the rest, and every later request would carry it. */
const KEPT_OF_ENDLESS = 4_000;

function shortened(message: AssistantMessage, { reason }: ModelFailure): AssistantMessage {
  if (reason !== "endless") return message;
  const texts = message.content.filter((block) => block.type === "text");
  return {
    ...message,
    content: texts.map((block) => ({ type: "text", text: `${String(block.text).slice(0, KEPT_OF_ENDLESS)}…` })),
  };
}

/** Calls that will not be run must not stay in the message: a provider would wait for their results. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((block) => block.type !== "toolCall") };
}

function withStop(message: AssistantMessage, stopReason: StopReason): AssistantMessage {
  return { ...withoutCalls(message), stopReason };
}

/** Ends a turn whose model was not asked again. */
function silent(model: ModelInfo, at: number, why: string): AssistantMessage {
  return finished(new Draft(), model, at, "error", noUsage(), why);
}

function tooManySteps(message: AssistantMessage, steps: number): LoopOutcome {
  const errorMessage = `${steps} steps without an answer`;
  return { kind: "exhausted", message: { ...withStop(message, "error"), errorMessage }, steps };
}
