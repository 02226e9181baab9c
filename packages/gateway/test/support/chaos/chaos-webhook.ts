// Programs that use the webhook channel: they send again until they are told that it was accepted, and know what they have.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createFates, MOST_WAITING, type Crowd, type CrowdParts } from "./chaos-crowd.ts";
import { startNetwork } from "./chaos-relay.ts";
import type { Json } from "../wire-client.ts";

const WEBHOOK_SECRET = "a secret of both sides of the webhook";
const AGAIN_MS = 50;

export async function startWebhookCrowd({ random, tally, people, messages }: CrowdParts): Promise<Crowd> {
  const fateOf = createFates(random);
  const known = new Set<string>();
  const server = await startReceiver((key, text, response) => {
    const fate = fateOf(key);
    if (fate === "too many") return void response.writeHead(429, { "retry-after": "1" }).end();
    if (fate === "broken") return void response.writeHead(503).end();
    // The other half of the agreement: what came with this key before is not taken a second time.
    if (!known.has(key)) tally.hear(text);
    known.add(key);
    if (fate === "taken") response.end("{}");
    else response.destroy();
  });
  const network = await startNetwork(server.port);

  const speak = async (port: number, index: number): Promise<void> => {
    const person = { channel: "webhook", prefix: `w${index}` };
    for (let count = 0; count < messages; count++) {
      await tally.untilFewWait(person, MOST_WAITING);
      const { mark, text } = tally.say(person);
      await insist(port, JSON.stringify({ id: mark, from: { id: person.prefix }, text }));
    }
  };
  return {
    channel: "webhook",
    settings: settingsFor(network.port),
    speak: async (port) => void (await Promise.all(Array.from({ length: people }, (_, index) => speak(port, index)))),
    cut: network.cut,
    restore: network.restore,
    async [Symbol.asyncDispose]() {
      await network[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

interface WebhookPeer extends AsyncDisposable {
  readonly settings: Json;
  readonly received: ReadonlyArray<{ readonly key: string; readonly text: string; readonly to: string }>;
  /** Called when something was received, before that is confirmed. */
  onReceive(task: () => void): void;
  say(gatewayPort: number, message: object): Promise<void>;
}

/** One program that takes everything. */
export async function startWebhookPeer(): Promise<WebhookPeer> {
  const received: Array<{ key: string; text: string; to: string }> = [];
  let hear = (): void => undefined;
  const server = await startReceiver((key, text, response, to) => {
    received.push({ key, text, to });
    hear();
    response.end("{}");
  });
  return {
    settings: settingsFor(server.port),
    received,
    onReceive: (task) => void (hear = task),
    say: (port, message) => insist(port, JSON.stringify(message)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

type Receive = (key: string, text: string, response: ServerResponse, to: string) => void;

async function startReceiver(receive: Receive): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { text, to } = JSON.parse(body) as { text: string; to: string };
      receive(String(request.headers["idempotency-key"]), text, response, to);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function settingsFor(port: number): Json {
  return { secret: WEBHOOK_SECRET, outboundUrl: `http://127.0.0.1:${port}/answers` };
}

/** Sends it until it is accepted: the gateway may be away, or not be ready. */
async function insist(port: number, body: string): Promise<void> {
  while (!(await isAccepted(port, body))) await pause(AGAIN_MS);
}

async function isAccepted(port: number, body: string): Promise<boolean> {
  const stamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", WEBHOOK_SECRET).update(`v1:${stamp}:${body}`).digest("hex");
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/channel`, {
      method: "POST",
      headers: { "x-chela-timestamp": stamp, "x-chela-signature": `v1=${signature}` },
      body,
    });
    await answer.text();
    if (answer.status >= 400 && ![404, 429, 503].includes(answer.status)) throw new TypeError(String(answer.status));
    return answer.ok;
  } catch (error) {
    if (error instanceof TypeError && /^\d/.test(error.message)) throw error;
    return false;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return text;
}
