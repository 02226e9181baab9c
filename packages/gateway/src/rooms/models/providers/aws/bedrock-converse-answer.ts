// Understands a streamed answer of Bedrock's Converse API.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { once, type ModelEvent, type ModelInfo, type Parsed } from "@chela/sdk";
import { CallsMeter } from "../answer-limits.ts";
import { AwsEventReader, type AwsFrame } from "./aws-event-stream.ts";
import { readArguments } from "../call-arguments.ts";
import { makeFailure, type FailureContext } from "../failure.ts";
import type { AnswerReader } from "../http-wire.ts";
import { parseEvent } from "../json-object.ts";
import { toUsage, type TokenCounts } from "../usage.ts";

/** One event of any type: they have few fields and none in common that differs. */
const Event = once(() =>
  z.looseObject({
    contentBlockIndex: z.number().optional(),
    start: z.looseObject({ toolUse: z.looseObject({ toolUseId: z.string(), name: z.string() }).optional() }).optional(),
    delta: z
      .looseObject({
        text: z.string().optional(),
        toolUse: z.looseObject({ input: z.string() }).optional(),
        reasoningContent: z
          .looseObject({
            text: z.string().optional(),
            signature: z.string().optional(),
            redactedContent: z.string().optional(),
          })
          .optional(),
      })
      .optional(),
    stopReason: z.string().optional(),
    usage: z
      .looseObject({
        inputTokens: z.number(),
        outputTokens: z.number(),
        cacheReadInputTokens: z.number().optional(),
        cacheWriteInputTokens: z.number().optional(),
      })
      .optional(),
  }),
);
type Event = Parsed<typeof Event>;
type Delta = NonNullable<Event["delta"]>;

type Block =
  | { readonly kind: "call"; readonly id: string; readonly name: string; text: string }
  | { readonly kind: "thinking"; signature: string; isRedacted: boolean };

export class ConverseAnswer implements AnswerReader {
  readonly #model: ModelInfo;
  readonly #context: FailureContext;
  readonly #frames = new AwsEventReader();
  readonly #blocks = new Map<number, Block>();
  /** Where the events of the present piece go. */
  #events: ModelEvent[] = [];
  readonly #meter = new CallsMeter();
  readonly #calls: Extract<ModelEvent, { kind: "tool-call" }>[] = [];
  #stopReason: string | undefined;
  #tokens: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

  constructor(model: ModelInfo, context: FailureContext) {
    this.#model = model;
    this.#context = context;
  }

  read(bytes: Uint8Array, events: ModelEvent[]): void {
    this.#events = events;
    for (const frame of this.#frames.push(bytes)) this.#take(frame);
  }

  /** The counts come behind the end, so only the last byte is the end. */
  close(events: ModelEvent[]): void {
    const reason = this.#stopReason;
    if (reason === undefined) return;
    const end = this.#end(reason);
    // What the length limit cut in two is left out.
    const whole = this.#calls.filter(({ unreadable }) => unreadable === undefined || reason !== "max_tokens");
    if (end.kind === "finish") events.push(...whole);
    events.push(end);
  }

  #take({ headers, payload }: AwsFrame): void {
    if (headers[":message-type"] !== "event") throw toError(headers, payload);
    const event = Event().parse(parseEvent(payload));
    const index = event.contentBlockIndex ?? 0;
    switch (headers[":event-type"]) {
      case "contentBlockStart":
        if (event.start?.toolUse) this.#openCall(index, event.start.toolUse);
        return;
      case "contentBlockDelta":
        if (event.delta) this.#takeDelta(index, event.delta);
        return;
      case "contentBlockStop":
        return this.#closeBlock(index);
      case "messageStop":
        this.#stopReason = event.stopReason ?? "end_turn";
        return;
      case "metadata":
        if (event.usage) this.#tokens = toTokens(event.usage);
    }
  }

  #openCall(index: number, { toolUseId, name }: { toolUseId: string; name: string }): void {
    this.#meter.begin();
    this.#blocks.set(index, { kind: "call", id: toolUseId, name, text: "" });
  }

  #takeDelta(index: number, { text, toolUse, reasoningContent }: Delta): void {
    if (text) this.#events.push({ kind: "text", delta: text });
    const block = this.#blocks.get(index);
    if (toolUse && block?.kind === "call") {
      this.#meter.add(toolUse.input);
      block.text += toolUse.input;
    }
    if (reasoningContent) this.#takeThinking(index, reasoningContent);
  }

  #takeThinking(index: number, piece: NonNullable<Delta["reasoningContent"]>): void {
    let block = this.#blocks.get(index);
    if (block?.kind !== "thinking") {
      block = { kind: "thinking", signature: "", isRedacted: false };
      this.#blocks.set(index, block);
    }
    if (piece.text) this.#events.push({ kind: "thinking", delta: piece.text });
    if (piece.signature) block.signature += piece.signature;
    if (piece.redactedContent === undefined) return;
    block.signature += piece.redactedContent;
    block.isRedacted = true;
  }

  #closeBlock(index: number): void {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block?.kind === "thinking") {
      this.#events.push({
        kind: "thinking-end",
        ...(block.signature === "" ? {} : { signature: block.signature }),
        ...(block.isRedacted ? { redacted: true } : {}),
      });
    }
    if (block?.kind !== "call") return;
    this.#calls.push({ kind: "tool-call", id: block.id, name: block.name, ...readArguments(block.text) });
  }

  #end(reason: string): ModelEvent {
    const { provider } = this.#context;
    const usage = toUsage(this.#tokens, this.#model);
    if (reason === "guardrail_intervened" || reason === "content_filtered") {
      return { kind: "failure", failure: makeFailure("refused", `${provider} declined to answer`) };
    }
    if (reason === "model_context_window_exceeded") {
      const message = `${provider}: the conversation is longer than the model's context window`;
      return { kind: "failure", failure: makeFailure("context-overflow", message) };
    }
    if (reason === "max_tokens") return { kind: "finish", stopReason: "length", usage };
    if (reason.startsWith("malformed")) {
      return { kind: "failure", failure: makeFailure("malformed", `${provider}: the model wrote a call that is none`) };
    }
    return { kind: "finish", stopReason: this.#calls.length > 0 ? "toolUse" : "stop", usage };
  }
}

/** Here the cached tokens are counted apart from the others. */
function toTokens(usage: NonNullable<Event["usage"]>): TokenCounts {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens ?? 0,
    cacheWrite: usage.cacheWriteInputTokens ?? 0,
  };
}

/** What an exception is called on AWS, and the status it would have had before the answer began. */
const STATUS: Readonly<Record<string, number>> = {
  throttlingException: 429,
  serviceUnavailableException: 503,
  internalServerException: 500,
  modelStreamErrorException: 500,
  modelTimeoutException: 408,
  validationException: 400,
};

function toError(headers: AwsFrame["headers"], payload: string): Error {
  const type = headers[":exception-type"] ?? headers[":error-code"] ?? "";
  const status = STATUS[type];
  const responseBody = payload || JSON.stringify({ message: headers[":error-message"] ?? type });
  return Object.assign(new Error(type), { responseBody, ...defined({ statusCode: status }) });
}
