// Paths on the gateway's port that belong to channels for as long as they are connected. A channel checks signatures itself.
import type { WebhookAnswer, WebhookCall } from "@chela/sdk";
import { readRawBody } from "./request.ts";
import type { HttpCall, Route } from "./router.ts";

type Answer = (call: WebhookCall) => Promise<WebhookAnswer>;

const MAX_BODY_BYTES = 5 * 1024 * 1024;

export class WebhookMounts {
  readonly #answers = new Map<string, Answer>();

  serve(path: string, answer: Answer): Disposable {
    const clean = path.startsWith("/") ? path : `/${path}`;
    // Two accounts on one path would read each other's mail.
    if (this.#answers.has(clean)) throw new TypeError(`the path ${clean} is taken by another account`);
    this.#answers.set(clean, answer);
    return { [Symbol.dispose]: () => void (this.#answers.get(clean) === answer && this.#answers.delete(clean)) };
  }

  route(): Route {
    return {
      methods: ["GET", "POST", "PUT"],
      path: (path) => this.#answers.has(path),
      auth: "own-secret",
      handle: (call) => this.#handle(call),
    };
  }

  async #handle({ request, response, url }: HttpCall): Promise<void> {
    const answer = this.#answers.get(url.pathname);
    const body = await readRawBody(request, MAX_BODY_BYTES);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
    );
    const {
      status,
      body: text = "",
      type = "text/plain; charset=utf-8",
    } = (await answer?.({
      method: request.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers,
      body,
    })) ?? { status: 404 };
    response.writeHead(status, { "content-type": type }).end(text);
  }
}
