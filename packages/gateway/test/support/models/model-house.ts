// A loopback server that plays a provider of models: lists what it has, looks at keys, and answers in a few words.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface ModelHouseOptions {
  /** Whoever brings another key is refused. Without one, nobody needs a key. */
  readonly key?: string;
  readonly models?: readonly string[];
  /** Answers every call with this status and these words instead. */
  readonly refusal?: { readonly status: number; readonly message: string };
  /** Speaks like Ollama. */
  readonly isOllama?: boolean;
}

interface ModelHouse extends AsyncDisposable {
  /** Without /v1. */
  readonly origin: string;
  readonly seen: Array<{ readonly path: string; readonly key: string; readonly body: string }>;
}

export async function openModelHouse(options: ModelHouseOptions = {}): Promise<ModelHouse> {
  const { models = ["small", "large"], key: wanted, refusal } = options;
  const seen: ModelHouse["seen"] = [];
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      const path = request.url ?? "";
      seen.push({ path, key, body });
      const json = (status: number, answer: object): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(answer));
      };
      if (path === "/api/tags" && options.isOllama) return json(200, { models: models.map((name) => ({ name })) });
      if (wanted !== undefined && key !== wanted) {
        return json(401, { error: { message: `Incorrect API key provided: ${key}` } });
      }
      if (path === "/v1/models") return json(200, { object: "list", data: models.map((id) => ({ id })) });
      if (refusal) return json(refusal.status, { error: { message: refusal.message } });
      if (path !== "/v1/chat/completions") return json(404, { error: { message: "there is nothing here" } });
      const { model } = JSON.parse(body) as { model: string };
      if (!models.includes(model)) return json(404, { error: { message: `The model ${model} does not exist` } });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(partOf(model, { content: `I am ${model}.` }, null));
      response.write(partOf(model, {}, "stop"));
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function partOf(model: string, delta: object, reason: string | null): string {
  const usage = reason ? { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } } : {};
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return `data: ${JSON.stringify({ id: "part", object: "chat.completion.chunk", created: 0, model, choices, ...usage })}\n\n`;
}
