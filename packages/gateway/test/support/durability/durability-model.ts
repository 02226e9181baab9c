// A model server that answers each question with its own name, at a pace, so that every answer can be told apart.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pace } from "node:timers/promises";

export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  /** Calls `listener` with each step of each answer; returns the way to stop that. */
  onStep(listener: (step: ModelStep) => void): () => void;
  /** The answer to this question stops in the middle until it is released. */
  hold(question: string): HeldAnswer;
}

interface ModelStep {
  readonly kind: "asked" | "token" | "called" | "answered";
  readonly question: string;
}

interface HeldAnswer {
  /** Resolves when half of the answer was sent. */
  readonly reached: Promise<void>;
  release(): void;
}

export interface AskedMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: ReadonlyArray<{ readonly id: string }>;
  readonly tool_call_id?: string;
}

interface Ask {
  readonly messages: readonly AskedMessage[];
  readonly tools?: readonly unknown[];
}

export interface PlannedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model does beyond answering. Memory flushes and summaries are the questions "flush" and "summary". */
export interface ModelScript {
  /** The calls it makes before it answers, step by step; none when it answers now. */
  calls?(question: string, step: number): readonly PlannedCall[];
  /** What it says it has read. */
  promptTokens?(question: string): number;
  onAsk?(question: string, messages: readonly AskedMessage[]): void;
}

const TOKEN_PAUSE_MS = 3;
const PROMPT_TOKENS = 10;

/** What to send to the gateway. With `tools` the model calls that many tools before it answers. */
export function questionText(question: string, tools = 0): string {
  return tools > 0 ? `Question ${question}, with ${tools} tools.` : `Question ${question}.`;
}

export function answerText(question: string): string {
  return `This is the whole answer to ${question}.`;
}

/** The questions that a text asks or answers. */
export function questionsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:Question|answer to) (q[\w-]+)/g)].map((found) => found[1] ?? "");
}

export async function startModelServer(script: ModelScript = {}): Promise<ModelServer> {
  const listeners = new Set<(step: ModelStep) => void>();
  const held = new Map<string, { reached: () => void; released: Promise<void> }>();
  const tell = (kind: ModelStep["kind"], question: string): void => {
    for (const listener of listeners) listener({ kind, question });
  };

  async function answer(ask: Ask, response: ServerResponse): Promise<void> {
    const at = ask.messages.findLastIndex(({ role }) => role === "user");
    const text = JSON.stringify(ask.messages[at]?.content ?? "");
    const question = nameOf(ask, text);
    const step = ask.messages.slice(at).filter(({ tool_calls: calls = [] }) => calls.length > 0).length;
    const calls = script.calls ? script.calls(question, step) : statusCalls(text, step);
    const promptTokens = script.promptTokens?.(question) ?? PROMPT_TOKENS;
    script.onAsk?.(question, ask.messages);
    tell("asked", question);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (calls.length > 0) {
      for (const [index, call] of calls.entries()) sendPart(response, { tool_calls: [toolCall(call, index)] });
      sendPart(response, {}, { reason: "tool_calls", promptTokens });
      tell("called", question);
    } else {
      await speak(question, response);
      sendPart(response, {}, { reason: "stop", promptTokens });
      tell("answered", question);
    }
    response.end("data: [DONE]\n\n");
  }

  async function speak(question: string, response: ServerResponse): Promise<void> {
    const tokens = answerText(question).match(/\S+\s?/g) ?? [];
    for (const [index, token] of tokens.entries()) {
      if (response.destroyed) return;
      sendPart(response, { content: token });
      tell("token", question);
      const gate = index === tokens.length >> 1 ? held.get(question) : undefined;
      gate?.reached();
      await gate?.released;
      await pace(TOKEN_PAUSE_MS);
    }
  }

  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data: Buffer) => (body += String(data)));
    request.on("end", () => void answer(JSON.parse(body) as Ask, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    onStep(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hold(question) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      held.set(question, { reached: () => reached.resolve(), released: released.promise });
      return {
        reached: reached.promise,
        release() {
          held.delete(question);
          released.resolve();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function nameOf({ tools = [] }: Ask, text: string): string {
  if (tools.length === 0) return "summary";
  if (text.includes("memory flush")) return "flush";
  return questionsIn(text)[0] ?? "nothing";
}

function statusCalls(text: string, step: number): PlannedCall[] {
  const count = step === 0 ? Number(/with (\d) tools/.exec(text)?.[1] ?? 0) : 0;
  return Array.from({ length: count }, () => ({ name: "session_status", arguments: {} }));
}

/** Numbered anew in each answer, as some models do: an id alone does not tell which call a result belongs to. */
function toolCall({ name, arguments: args }: PlannedCall, index: number): object {
  return { index, id: `call_${index}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
}

function sendPart(
  response: ServerResponse,
  delta: object,
  end?: { readonly reason: string; readonly promptTokens: number },
): void {
  const part = {
    id: "part",
    object: "chat.completion.chunk",
    created: 0,
    model: "paced",
    choices: [{ index: 0, delta, finish_reason: end?.reason ?? null }],
    ...(end ? { usage: usageOf(end.promptTokens) } : {}),
  };
  response.write(`data: ${JSON.stringify(part)}\n\n`);
}

function usageOf(promptTokens: number): object {
  return { prompt_tokens: promptTokens, completion_tokens: 10, total_tokens: promptTokens + 10 };
}
