// Messages for tests, and conversations that chance has made as bad as transcripts can be.
import {
  noUsage,
  type AgentMessage,
  type AssistantMessage,
  type ImageBlock,
  type StopReason,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";

export const image: ImageBlock = { type: "image", data: "A".repeat(1000), mimeType: "image/png" };

export function user(text: string, timestamp = 0): AgentMessage {
  return { role: "user", content: text, timestamp };
}

export function call(id: string, name = "exec", args: Record<string, unknown> = {}): ToolCallBlock {
  return { type: "toolCall", id, name, arguments: args };
}

export function answer(text: string, calls: readonly ToolCallBlock[] = [], stopReason?: StopReason): AssistantMessage {
  return {
    role: "assistant",
    content: [...(text ? [{ type: "text" as const, text }] : []), ...calls],
    api: "demo",
    provider: "p",
    model: "m",
    usage: noUsage(),
    stopReason: stopReason ?? (calls.length > 0 ? "toolUse" : "stop"),
    timestamp: 0,
  };
}

export function result(
  toolCallId: string,
  text: string,
  more: Partial<Pick<ToolResultMessage, "toolName" | "isError" | "timestamp">> & { withImage?: boolean } = {},
): ToolResultMessage {
  const { withImage, ...rest } = more;
  return {
    role: "toolResult",
    toolCallId,
    toolName: "exec",
    content: [{ type: "text", text }, ...(withImage ? [image] : [])],
    isError: false,
    timestamp: 0,
    ...rest,
  };
}

/** The same numbers for the same seed, between 0 and 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Turns of all kinds, with results that are missing, doubled, late or without a call, and answers that broke off. */
export function randomConversation(random: () => number, turns: number): AgentMessage[] {
  const maker = new ConversationMaker(random);
  for (let turn = 0; turn < turns; turn++) maker.addTurn();
  return maker.messages;
}

class ConversationMaker {
  readonly messages: AgentMessage[] = [];
  readonly #random: () => number;
  #calls = 0;
  #time = 1000;

  constructor(random: () => number) {
    this.#random = random;
  }

  addTurn(): void {
    if (this.#chance(0.9)) this.#add(this.#userMessage());
    if (this.#chance(0.05)) this.#add(result("nobody", "a result without a call"));
    for (let step = Math.floor(this.#random() * 4); step > 0; step--) this.#addStep();
    if (this.#chance(0.85)) this.#add(answer(this.#text(80)));
    if (this.#chance(0.1)) this.#add(answer("", [], this.#chance(0.5) ? "error" : "aborted"));
  }

  #addStep(): void {
    const calls = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => call(this.#callId(), "exec", {}));
    const brokenOff = this.#chance(0.1);
    this.#add(answer(this.#chance(0.5) ? this.#text(40) : "", calls, brokenOff ? "aborted" : "toolUse"));
    if (this.#chance(0.1)) this.#add(user("said in between"));
    for (const { id } of calls) {
      if (this.#chance(brokenOff ? 0.8 : 0.1)) continue;
      this.#add(result(id, this.#text(400), { isError: this.#chance(0.1), withImage: this.#chance(0.1) }));
      if (this.#chance(0.05)) this.#add(result(id, "the same result again"));
    }
  }

  #userMessage(): AgentMessage {
    if (this.#chance(0.05)) return user("");
    if (this.#chance(0.1)) return { role: "user", content: [{ type: "text", text: "look" }, image], timestamp: 0 };
    return user(this.#text(60));
  }

  /** Some models count their calls anew in each answer. */
  #callId(): string {
    return this.#chance(0.15) ? "call_0" : `call_${++this.#calls}`;
  }

  #text(words: number): string {
    return "word ".repeat(1 + Math.floor(this.#random() * words)).trim();
  }

  #add(message: AgentMessage): void {
    this.messages.push({ ...message, timestamp: (this.#time += 1000) });
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}
