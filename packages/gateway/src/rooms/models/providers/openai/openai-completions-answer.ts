// Understands a streamed answer of the chat completions API. This runs for every token, so it makes few objects.
import type { ModelEvent, ModelFailure, ModelInfo } from "@chela/sdk";
import { namedAnswer } from "../endings.ts";
import { makeFailure, type FailureContext } from "../failure.ts";
import type { AnswerReader } from "../http-wire.ts";
import { refuseDeep } from "../json-object.ts";
import { ChatCalls } from "./openai-completions-calls.ts";
import { readChatUsage } from "./openai-completions-usage.ts";
import { SseReader } from "../sse.ts";
import { toUsage, type TokenCounts } from "../usage.ts";

/** The parts of a chunk we look at. Nothing is checked beforehand: every use checks what it takes. */
interface Chunk {
  readonly id?: unknown;
  readonly error?: unknown;
  readonly choices?: readonly (Choice | undefined)[] | null;
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
}

interface Choice {
  readonly delta?: Delta | null;
  /** Some servers send the whole message in one piece. */
  readonly message?: Delta | null;
  readonly finish_reason?: unknown;
  readonly usage?: unknown;
}

interface Delta {
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_text?: unknown;
  readonly reasoning_details?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
}

export class ChatAnswer implements AnswerReader {
  readonly #model: ModelInfo;
  readonly #context: FailureContext;
  readonly #sse: SseReader;
  /** Where the events of the present piece go. */
  #events: ModelEvent[] = [];
  /** Pieces of the same kind that arrive together leave together. */
  #text = "";
  #thinking = "";
  #isThinking = false;
  #calls: ChatCalls | undefined;
  #refusal = "";
  #finishReason: string | undefined;
  #tokens: TokenCounts | undefined;
  #id: unknown;
  #hasBegun = false;
  #isDone = false;

  constructor(model: ModelInfo, context: FailureContext) {
    this.#model = model;
    this.#context = context;
    this.#sse = new SseReader((data) => this.#take(data));
  }

  read(bytes: Uint8Array, events: ModelEvent[]): void {
    this.#events = events;
    try {
      this.#sse.push(bytes);
    } finally {
      this.#leave();
    }
    if (this.#isDone) this.#end();
  }

  close(events: ModelEvent[]): void {
    this.#events = events;
    const stray = this.#sse.close();
    this.#leave();
    if (this.#finishReason !== undefined || this.#isDone) this.#end();
    else if (!this.#hasBegun && stray.startsWith("{")) throw answeredError(stray);
  }

  #take(data: string): "taken" | "incomplete" {
    if (this.#isDone) return "taken";
    if (data.startsWith("[DONE]")) {
      this.#isDone = this.#hasBegun;
      return "taken";
    }
    refuseDeep(data);
    let chunk: Chunk | null;
    try {
      chunk = JSON.parse(data) as Chunk | null;
    } catch {
      return "incomplete";
    }
    if (typeof chunk !== "object" || chunk === null) throw new SyntaxError("an event of the stream is not an object");
    this.#takeChunk(chunk, data);
    return "taken";
  }

  #takeChunk(chunk: Chunk, data: string): void {
    if (chunk.error) throw answeredError(data);
    const choice = Array.isArray(chunk.choices) ? (chunk.choices[0] as Choice | undefined) : undefined;
    const usage = chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage;
    if (usage) this.#tokens = readChatUsage(usage);
    this.#id ??= chunk.id;
    if (!choice) return;
    this.#hasBegun = true;
    const delta = choice.delta ?? choice.message;
    if (delta) this.#takeDelta(delta);
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
      this.#finishReason = choice.finish_reason;
    }
  }

  #takeDelta(delta: Delta): void {
    const thinking = delta.reasoning_content || delta.reasoning || delta.reasoning_text;
    if (typeof thinking === "string") this.#addThinking(thinking);
    const { content } = delta;
    if (typeof content === "string") this.#addText(content);
    else if (Array.isArray(content)) for (const part of content) this.#takePart(part);
    if (typeof delta.refusal === "string") this.#refusal += delta.refusal;
    if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0) {
      this.#closeThinking();
      (this.#calls ??= new ChatCalls()).take(delta.tool_calls);
    }
    if (Array.isArray(delta.reasoning_details)) this.#calls?.sign(delta.reasoning_details);
  }

  #addText(text: string): void {
    if (text === "") return;
    this.#closeThinking();
    this.#text += text;
  }

  #addThinking(text: string): void {
    if (text === "") return;
    this.#leaveText();
    this.#isThinking = true;
    this.#thinking += text;
  }

  /** Mistral writes the thinking of a model as parts of its content. */
  #takePart(part: unknown): void {
    const { type, text, thinking } = (part ?? {}) as { type?: unknown; text?: unknown; thinking?: unknown };
    if (type === "text" && typeof text === "string") return this.#addText(text);
    if (type !== "thinking" || !Array.isArray(thinking)) return;
    for (const inner of thinking as ({ text?: unknown } | null)[]) {
      if (typeof inner?.text === "string") this.#addThinking(inner.text);
    }
  }

  #leaveText(): void {
    if (this.#text === "") return;
    this.#events.push({ kind: "text", delta: this.#text });
    this.#text = "";
  }

  #leaveThinking(): void {
    if (this.#thinking === "") return;
    this.#events.push({ kind: "thinking", delta: this.#thinking });
    this.#thinking = "";
  }

  #closeThinking(): void {
    if (!this.#isThinking) return;
    this.#leaveThinking();
    this.#isThinking = false;
    this.#events.push({ kind: "thinking-end" });
  }

  #leave(): void {
    this.#leaveText();
    this.#leaveThinking();
  }

  #end(): void {
    this.#closeThinking();
    const reason = this.#finishReason ?? "stop";
    const failure = this.#refusalFor(reason);
    if (failure) return void this.#events.push({ kind: "failure", failure });
    this.#calls?.leave(this.#events, reason === "length");
    const stopReason = reason === "length" ? "length" : this.#calls ? "toolUse" : "stop";
    const tokens = this.#tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const usage = toUsage(tokens, this.#model);
    this.#events.push({ kind: "finish", stopReason, usage, ...namedAnswer(this.#id) });
  }

  #refusalFor(reason: string): ModelFailure | undefined {
    const { provider } = this.#context;
    if (this.#refusal !== "") {
      return makeFailure("refused", `${provider} declined to answer: ${this.#refusal.slice(0, 300)}`);
    }
    if (reason === "content_filter") return makeFailure("refused", `${provider} declined to answer`);
    return reason === "error" ? makeFailure("unknown", `${provider} ended the answer with an error`) : undefined;
  }
}

/** The provider says in the middle of a good answer that something went wrong. */
function answeredError(body: string): Error {
  return Object.assign(new Error("the stream carried an error"), { responseBody: body });
}
