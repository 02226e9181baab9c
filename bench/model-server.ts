// A model server that answers every chat completion at once, in a process of its own so that it shares no event loop.
// GET /took tells how long each marked request took here, and forgets it. Usage: node model-server.ts
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const WORDS = ["All", " is", " well", " here", "."];
const MARK = /#(\d+)#/g;
const KEEP_ALIVE_MS = 120_000;

const took = new Map<string, number>();

const server = createServer((request, response) => {
  const began = performance.now();
  if (request.method === "GET") return answerQuestion(request, response);
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString("utf8");
    complete(body, response);
    // The newest message comes last, so its mark is the last one.
    const mark = Array.from(body.matchAll(MARK)).at(-1)?.[1];
    if (mark !== undefined) took.set(mark, performance.now() - began);
  });
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on("SIGTERM", () => process.exit(0));
// Our parent holds the other end: when it dies, so do we.
process.stdin.on("end", () => process.exit(0)).resume();

function answerQuestion(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/took") {
    response.end(JSON.stringify(Object.fromEntries(took)));
    took.clear();
    return;
  }
  const models = [{ id: "mock-1", object: "model", created: 0, owned_by: "mock" }];
  response.setHeader("content-type", "application/json").end(JSON.stringify({ object: "list", data: models }));
}

function complete(body: string, response: ServerResponse): void {
  const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: WORDS.length };
  const total = { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
  const common = { id: "chatcmpl-bench", created: 0, model: "mock-1" };
  if (!/"stream":\s*true/.test(body)) {
    const message = { role: "assistant", content: WORDS.join("") };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...common, object: "chat.completion", choices, usage: total }));
    return;
  }
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    toEvent({ ...common, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.end(
    [
      chunk({ role: "assistant", content: "" }),
      ...WORDS.map((content) => chunk({ content })),
      chunk({}, "stop"),
      toEvent({ ...common, object: "chat.completion.chunk", choices: [], usage: total }),
      "data: [DONE]\n\n",
    ].join(""),
  );
}

function toEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
