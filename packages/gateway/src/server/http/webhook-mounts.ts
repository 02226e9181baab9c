// Paths on the gateway's port that belong to channels for as long as they are connected. A channel checks signatures itself.
import type { HttpCall, WebhookAnswer, WebhookDesk, WebhookHead } from "@chela/sdk";
import type { BodyRoom } from "./body-room.ts";
import { flatHeaders } from "../../base/http/request.ts";

export class WebhookMounts {
  readonly #desks = new Map<string, WebhookDesk>();
  readonly #bodies: Pick<BodyRoom, "read">;

  constructor(bodies: Pick<BodyRoom, "read">) {
    this.#bodies = bodies;
  }

  serve(path: string, desk: WebhookDesk): Disposable {
    const clean = path.startsWith("/") ? path : `/${path}`;
    // Two accounts on one path would read each other's mail.
    if (this.#desks.has(clean)) throw new TypeError(`the path ${clean} is taken by another account`);
    this.#desks.set(clean, desk);
    return { [Symbol.dispose]: () => void (this.#desks.get(clean) === desk && this.#desks.delete(clean)) };
  }

  has(path: string): boolean {
    return this.#desks.has(path);
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
    const desk = this.#desks.get(head.path);
    if (!desk) return { status: 404 };
    return (
      desk.answerHead(head) ?? desk.answer({ ...head, body: await this.#bodies.read(request, client, desk.mostBytes) })
    );
  }
}
