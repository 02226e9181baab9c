// Paths on the gateway's port that belong to channels for as long as they are connected. A channel checks signatures itself.
import type { HttpCall, WebhookAnswer, WebhookReceiver, WebhookHead } from "@chela/sdk";
import type { BodyRoom } from "./body-room.ts";
import { flatHeaders } from "../../base/http/request.ts";

export class WebhookMounts {
  readonly #receivers = new Map<string, WebhookReceiver>();
  readonly #bodies: Pick<BodyRoom, "read">;

  constructor(bodies: Pick<BodyRoom, "read">) {
    this.#bodies = bodies;
  }

  serve(path: string, receiver: WebhookReceiver): Disposable {
    const clean = path.startsWith("/") ? path : `/${path}`;
    // Two accounts on one path would read each other's mail.
    if (this.#receivers.has(clean)) throw new TypeError(`the path ${clean} is taken by another account`);
    this.#receivers.set(clean, receiver);
    return { [Symbol.dispose]: () => void (this.#receivers.get(clean) === receiver && this.#receivers.delete(clean)) };
  }

  has(path: string): boolean {
    return this.#receivers.has(path);
  }

  async answer(call: HttpCall): Promise<void> {
    const { request, response, url } = call;
    const {
      status,
      body = "",
      type = "text/plain; charset=utf-8",
    } = await this.#ask(call, {
      method: request.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: flatHeaders(request),
    });
    response.writeHead(status, { "content-type": type }).end(body);
  }

  async #ask({ request, client }: HttpCall, head: WebhookHead): Promise<WebhookAnswer> {
    const receiver = this.#receivers.get(head.path);
    if (!receiver) return { status: 404 };
    return (
      receiver.answerHead(head) ??
      receiver.answer({ ...head, body: await this.#bodies.read(request, client, receiver.mostBytes) })
    );
  }
}
