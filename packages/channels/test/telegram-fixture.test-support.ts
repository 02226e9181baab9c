// A fixture, not a peer: a local server that answers calls of the Bot API as a test says, for what no peer has.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "700700700:fixture-SECRET-token";
export const GETS_CUT = "the connection is cut";
export const NO_ANSWER = "there is no answer";

interface Call {
  readonly method: string;
  /** Empty for an upload: `raw` holds that. */
  readonly payload: Record<string, unknown>;
  readonly raw: string;
}
type Answer = { readonly status?: number; readonly body: unknown } | typeof GETS_CUT | typeof NO_ANSWER;
type Answerer = (call: Call) => Answer;

export interface TelegramFixture extends AsyncDisposable {
  readonly apiRoot: string;
  readonly calls: readonly Call[];
  /** All answers to a method from now on. */
  on(method: string, answer: Answerer): void;
  /** The calls of a method; waits until there are `count`. */
  called(method: string, count?: number): Promise<readonly Call[]>;
  /** Updates wait here until they are acknowledged, as at Telegram. */
  readonly updates: Array<{ update_id: number; [key: string]: unknown }>;
}

export const done = (result: unknown): Answer => ({ body: { ok: true, result } });
export const refuse = (code: number, description: string, parameters?: object): Answer => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) },
});
/** What Telegram answers when something was sent. */
export const sentTo = (chat: unknown, messageId = 901): Answer =>
  done({ message_id: messageId, date: 1789000000, chat: { id: Number(chat), type: "private" }, text: "" });

export async function startTelegramFixture(): Promise<TelegramFixture> {
  const calls: Call[] = [];
  const waiting: Array<() => void> = [];
  const updates: TelegramFixture["updates"] = [];
  const answers = new Map<string, Answerer>([
    ["getMe", () => done({ id: 700700700, is_bot: true, first_name: "Chela", username: "chela_bot" })],
    ["deleteWebhook", () => done(true)],
    ["setWebhook", () => done(true)],
  ]);
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readAll(request);
    const url = request.url ?? "";
    if (url.startsWith("/file/")) return answerWith(response, answers.get("file")?.({ method: url, payload: {}, raw }));
    const method = url.split("/").at(-1) ?? "";
    const call = { method, payload: raw.startsWith("{") ? (JSON.parse(raw) as Call["payload"]) : {}, raw };
    calls.push(call);
    for (const wake of waiting.splice(0)) wake();
    const answer = answers.get(method);
    if (answer) return answerWith(response, answer(call));
    if (method === "getUpdates") return void handOut(response, call);
    answerWith(response, refuse(404, "Not Found: method not found"));
  };
  const handOut = (response: ServerResponse, { payload }: Call): void => {
    const offset = Number(payload["offset"] ?? 0);
    updates.splice(0, updates.filter(({ update_id }) => update_id < offset).length);
    if (updates.length > 0) return answerWith(response, done(updates));
    const timer = setInterval(() => {
      if (updates.length === 0) return;
      clearInterval(timer);
      answerWith(response, done(updates));
    }, 5);
    response.once("close", () => clearInterval(timer));
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    updates,
    on: (method, answer) => void answers.set(method, answer),
    async called(method, count = 1) {
      for (;;) {
        const found = calls.filter((call) => call.method === method);
        if (found.length >= count) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}

function answerWith(response: ServerResponse, answer: Answer | undefined): void {
  if (answer === GETS_CUT) return void response.destroy();
  if (answer === NO_ANSWER) return;
  const { status = 200, body } = answer ?? { status: 404, body: "not found" };
  if (typeof body === "string") return void response.writeHead(status, { "content-type": "text/html" }).end(body);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
