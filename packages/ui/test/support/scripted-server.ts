// A model for browser tests: a loopback server that speaks openai-completions and says what a test wrote, as slowly as it likes.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Speech {
  say(text: string): void;
  think(text: string): void;
  call(name: string, args: object): void;
  /** Ends the answer with an error in the provider's words. */
  fail(message: string): void;
  /** Answers with an error instead, as a provider does before anything is said. */
  refuse(status: number, message: string): void;
  /** What was asked: the request's messages as text. */
  readonly asked: string;
}

type Step = string | ((speech: Speech) => void | Promise<void>);

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Answers in order; when there is none left the model repeats what was said last. */
  readonly script: Step[];
  /** Bodies of all requests so far. */
  readonly requests: readonly string[];
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const script: Step[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      if (request.method === "GET") return void response.end(JSON.stringify({ data: [{ id: "test" }] }));
      requests.push(body);
      void answer(script.shift() ?? `You said: ${lastWords(body)}`, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(step: Step, asked: string, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "text/event-stream");
  let calls = 0;
  const speech: Speech = {
    asked,
    say: (content) => void response.write(partOf({ content })),
    think: (reasoning_content) => void response.write(partOf({ reasoning_content })),
    call(name, args) {
      const call = {
        index: calls,
        id: `call_${Date.now()}_${calls}`,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      };
      calls += 1;
      response.write(partOf({ tool_calls: [call] }));
    },
    refuse(status, message) {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message } }));
    },
    fail: (message) =>
      void response.end(
        `data: ${JSON.stringify({ error: { message, type: "invalid_request_error", code: 400 } })}\n\n`,
      ),
  };
  if (typeof step === "string") speech.say(step);
  else await step(speech);
  if (response.writableEnded) return;
  response.write(partOf({}, calls > 0 ? "tool_calls" : "stop"));
  response.end("data: [DONE]\n\n");
}

function partOf(delta: object, reason: string | null = null): string {
  const usage = reason ? { usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 } } : {};
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return `data: ${JSON.stringify({ id: "part", object: "chat.completion.chunk", created: 0, model: "test", choices, ...usage })}\n\n`;
}

function lastWords(body: string): string {
  const { messages = [] } = JSON.parse(body) as { messages?: Array<{ role: string; content: unknown }> };
  const content = messages.findLast(({ role }) => role === "user")?.content;
  if (typeof content === "string") return content;
  const parts = (content ?? []) as Array<{ text?: string }>;
  return parts.map(({ text = "" }) => text).join(" ");
}
