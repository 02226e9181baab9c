// A model server that answers each question with its own name, at a pace, so that every answer can be told apart.
import { randomUUID } from "node:crypto";
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

export interface ModelStep {
  readonly kind: "asked" | "token" | "called" | "answered";
  readonly question: string;
}

export interface HeldAnswer {
  /** Resolves when half of the answer was sent. */
  readonly reached: Promise<void>;
  release(): void;
}

interface Ask {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
}

const TOKEN_PAUSE_MS = 3;

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

export async function startModelServer(): Promise<ModelServer> {
  const listeners = new Set<(step: ModelStep) => void>();
  const held = new Map<string, { reached: () => void; released: Promise<void> }>();
  const tell = (kind: ModelStep["kind"], question: string): void => {
    for (const listener of listeners) listener({ kind, question });
  };

  async function answer(ask: Ask, response: ServerResponse): Promise<void> {
    const at = ask.messages.findLastIndex(({ role }) => role === "user");
    const text = JSON.stringify(ask.messages[at]?.content ?? "");
    const question = questionsIn(text)[0] ?? "nothing";
    const tools = Number(/with (\d) tools/.exec(text)?.[1] ?? 0);
    const hasResults = ask.messages.slice(at).some(({ role }) => role === "tool");
    tell("asked", question);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (tools > 0 && !hasResults) {
      for (let index = 0; index < tools; index++) sendPart(response, { tool_calls: [toolCall(question, index)] });
      sendPart(response, {}, "tool_calls");
      tell("called", question);
    } else {
      await speak(question, response);
      sendPart(response, {}, "stop");
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

/** Each call has an id of its own, also when the same question is asked again after a crash. */
function toolCall(question: string, index: number): object {
  const name = "session_status";
  return { index, id: `call-${question}-${randomUUID()}`, type: "function", function: { name, arguments: "{}" } };
}

function sendPart(response: ServerResponse, delta: object, reason: string | null = null): void {
  const part = {
    id: "part",
    object: "chat.completion.chunk",
    created: 0,
    model: "paced",
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...(reason ? { usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } } : {}),
  };
  response.write(`data: ${JSON.stringify(part)}\n\n`);
}
