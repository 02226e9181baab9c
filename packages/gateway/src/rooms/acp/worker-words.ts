// What a worker says in one turn, gathered from its updates: its text, its thoughts and its calls, with a bound on all of them. Pure.
import type { SessionUpdate, ToolFacts } from "./wire/agent-frames.ts";

export { questionIn } from "./workers/question.ts";
export type { WorkerChoice } from "./workers/settings.ts";

export type WorkerEvent =
  | { readonly kind: "text"; readonly delta: string }
  | { readonly kind: "thinking"; readonly delta: string }
  | { readonly kind: "began"; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | { readonly kind: "ended"; readonly id: string; readonly text: string; readonly isError: boolean };

const MOST_CHARS = 400_000;
const MOST_CALLS = 1_000;
const RESULT_CHARS = 20_000;
const CUT = "\n… (the worker said more than is kept)";

export class WorkerWords {
  #text = "";
  #thinking = "";
  #calls = 0;
  readonly #open = new Set<string>();
  #needsBreak = false;
  #isFull = false;

  get text(): string {
    return this.#text;
  }

  get thinking(): string {
    return this.#thinking;
  }

  /** What is to be told of it. */
  hear(update: SessionUpdate): WorkerEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#say(textIn(update));
      case "agent_thought_chunk":
        return this.#think(textIn(update));
      case "tool_call":
      case "tool_call_update":
        return this.#call(update as unknown as ToolFacts);
      default:
        return [];
    }
  }

  #say(chunk: string): WorkerEvent[] {
    if (chunk === "" || this.#isFull) return [];
    // Words before a call and behind it are two messages.
    const delta = this.#needsBreak && this.#text !== "" ? `\n\n${chunk}` : chunk;
    this.#needsBreak = false;
    this.#isFull = this.#text.length + delta.length > MOST_CHARS;
    const told = this.#isFull ? delta.slice(0, MOST_CHARS - this.#text.length) + CUT : delta;
    this.#text += told;
    return [{ kind: "text", delta: told }];
  }

  #think(delta: string): WorkerEvent[] {
    if (delta === "" || this.#thinking.length >= MOST_CHARS) return [];
    this.#thinking += delta.slice(0, MOST_CHARS - this.#thinking.length);
    return [{ kind: "thinking", delta }];
  }

  #call({ toolCallId: id, title, kind, status, content, rawInput }: ToolFacts): WorkerEvent[] {
    const events: WorkerEvent[] = [];
    if (!this.#open.has(id)) {
      if (status === "completed" || status === "failed" || this.#calls >= MOST_CALLS) return [];
      this.#calls += 1;
      this.#open.add(id);
      this.#needsBreak = true;
      const isObject = typeof rawInput === "object" && rawInput !== null && !Array.isArray(rawInput);
      const input = isObject ? (rawInput as Record<string, unknown>) : {};
      events.push({ kind: "began", id, name: title ?? kind ?? "tool", input });
    }
    if (status !== "completed" && status !== "failed") return events;
    this.#open.delete(id);
    const text = (content ?? []).map(shown).filter(Boolean).join("\n").slice(0, RESULT_CHARS);
    return [...events, { kind: "ended", id, text, isError: status === "failed" }];
  }
}

function textIn(update: SessionUpdate): string {
  const content = update["content"] as { readonly type?: unknown; readonly text?: unknown } | undefined;
  return content?.type === "text" ? String(content.text) : "";
}

function shown(part: NonNullable<ToolFacts["content"]>[number]): string {
  if (part.type === "diff") return `changed ${String(part["path"])}`;
  const content = part["content"] as { readonly type?: unknown; readonly text?: unknown } | undefined;
  return content?.type === "text" ? String(content.text) : "";
}
