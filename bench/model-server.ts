// A model server that answers every chat completion at once, in a process of its own so that it shares no event loop.
// GET /took tells how long the requests of each mark took here, GET /arrived when they came; both are forgotten then. GET /size
// tells the bytes of the newest request. A message that asks for a tool gets a call of it before its answer. Usage: node model-server.ts
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const WORDS = ["All", " is", " well", " here", "."];
const MARK = /#(\d+)#/g;
const KEEP_ALIVE_MS = 120_000;

/** Stands right before the mark of a message that is to be answered with the help of a tool. */
const TOOL_WISH = "Look it up. ";
const TOOL_CALL = { index: 0, id: "call_0", type: "function", function: { name: "session_status", arguments: "{}" } };
const TOOL_RESULT = /"role":\s*"tool"/;

const took = new Map<string, number>();
/** By the clock all processes share. */
const arrived = new Map<string, number>();
let newestSize = 0;

const server = createServer((request, response) => {
  const began = performance.now();
  if (request.method === "GET") return answerQuestion(request, response);
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const bytes = Buffer.concat(parts);
    newestSize = bytes.length;
    const body = bytes.toString("utf8");
    // The newest message comes last, so its mark is the last one.
    const found = Array.from(body.matchAll(MARK)).at(-1);
    complete(body, response, found !== undefined && wantsTool(body, found.index));
    if (found?.[1] !== undefined) arrived.set(found[1], performance.timeOrigin + began);
    if (found?.[1] !== undefined) took.set(found[1], (took.get(found[1]) ?? 0) + performance.now() - began);
  });
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on("SIGTERM", () => process.exit(0));
// Our parent holds the other end: when it dies, so do we.
process.stdin.on("end", () => process.exit(0)).resume();

function answerQuestion(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.url === "/took" ? took : request.url === "/arrived" ? arrived : undefined;
  if (asked) {
    response.end(JSON.stringify(Object.fromEntries(asked)));
    asked.clear();
    return;
  }
  if (request.url === "/size") return void response.end(String(newestSize));
  const models = [{ id: "mock-1", object: "model", created: 0, owned_by: "mock" }];
  response.setHeader("content-type", "application/json").end(JSON.stringify({ object: "list", data: models }));
}

function wantsTool(body: string, markAt: number): boolean {
  return body.slice(0, markAt).endsWith(TOOL_WISH) && !TOOL_RESULT.test(body.slice(markAt));
}

function complete(body: string, response: ServerResponse, wantsCall: boolean): void {
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
      ...(wantsCall ? [chunk({ tool_calls: [TOOL_CALL] })] : WORDS.map((content) => chunk({ content }))),
      chunk({}, wantsCall ? "tool_calls" : "stop"),
      toEvent({ ...common, object: "chat.completion.chunk", choices: [], usage: total }),
      "data: [DONE]\n\n",
    ].join(""),
  );
}

function toEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
