// A loopback server that speaks openai-completions and answers each key in its own way.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface KeyRules {
  /** What a key gets: the text of an answer, one that is made from the request, or the status of a refusal. */
  [key: string]: string | number | ((request: string) => string);
}

interface CompletionsServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** The keys of all requests so far, oldest first. */
  readonly keys: readonly string[];
}

export async function startCompletionsServer(rules: KeyRules): Promise<CompletionsServer> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    keys.push(key);
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      const rule = rules[key] ?? 401;
      if (typeof rule === "number") {
        // Some providers repeat the key they refuse.
        const error = { message: `Incorrect API key provided: ${key}`, type: "invalid_request_error" };
        response.writeHead(rule, { "content-type": "application/json" });
        return void response.end(JSON.stringify({ error }));
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(partOf({ content: typeof rule === "string" ? rule : rule(body) }, null));
      response.write(partOf({}, "stop"));
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function partOf(delta: object, reason: string | null): string {
  const usage = reason ? { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } } : {};
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return `data: ${JSON.stringify({ id: "part", object: "chat.completion.chunk", created: 0, model: "m", choices, ...usage })}\n\n`;
}
