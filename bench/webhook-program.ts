// A program that talks to the gateway through the webhook channel: many chats, each with one message under way at most.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebhookProgram {
  readonly settings: object;
  /** One message of this chat, until its answer is here; resolves with the milliseconds that took. */
  exchange(gatewayPort: number, chat: string, text: string): Promise<number>;
  /** Lets go of idle connections; after a pause the gateway may close them at the moment they are used. */
  hangUp(): void;
  close(): Promise<void>;
}

const SECRET = "the secret of the bench's webhook";
const MOST_SOCKETS = 64;

export async function startWebhookProgram(): Promise<WebhookProgram> {
  const waiting = new Map<string, () => void>();
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_SOCKETS });
  let lastId = 0;
  const server = createServer((incoming, response) => {
    void readText(incoming).then((body) => {
      response.end("{}");
      const { to } = JSON.parse(body) as { to: string };
      waiting.get(to)?.();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const post = async (port: number, body: string): Promise<number> => {
    const stamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", SECRET).update(`v1:${stamp}:${body}`).digest("hex");
    const headers = { "x-chela-timestamp": stamp, "x-chela-signature": `v1=${signature}` };
    const outgoing = request({ port, path: "/hooks/channel", method: "POST", headers, agent });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    await readText(incoming);
    return incoming.statusCode ?? 0;
  };
  return {
    settings: { secret: SECRET, outboundUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
    async exchange(port, chat, text) {
      const began = performance.now();
      const answered = new Promise<void>((resolve) => waiting.set(`user:${chat}`, resolve));
      const status = await post(port, JSON.stringify({ id: `m${++lastId}`, from: { id: chat }, text }));
      if (status !== 202) throw new Error(`a message was answered with status ${status}`);
      await answered;
      return performance.now() - began;
    },
    hangUp: () => agent.destroy(),
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of incoming.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return text;
}
