// A Slack workspace whose events come by HTTP: crabline's server, and the port it delivers signed events to.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSlackServer, type StartSlackServerParams } from "@openclaw/crabline";
import type { Channel } from "@chela/sdk";
import type { ChannelHarness, FakeHost } from "@chela/sdk/testing";
import { slackChannel } from "../src/slack/channel.ts";

export interface EventsPeer extends ChannelHarness {
  readonly channel: Channel;
  readonly settings: Record<string, unknown>;
  readonly signingSecret: string;
  readonly apiRoot: string;
  readonly botToken: string;
  /** Somebody writes. */
  post(message: {
    channel: string;
    user?: string;
    text: string;
    threadTs?: string;
    ts?: string;
  }): Promise<{ ts: string }>;
  /** The newest messages of a conversation, oldest first, as the workspace keeps them. */
  messages(channel: string, threadTs?: string): Promise<readonly PeerMessage[]>;
  /** Headers of the requests that were delivered to us. */
  readonly delivered: ReadonlyArray<Record<string, string | string[] | undefined>>;
  /** Resolves when this many requests have been delivered and answered. */
  answered(count: number): Promise<void>;
}

interface PeerMessage {
  readonly ts: string;
  readonly text: string;
  readonly bot_id?: string;
  readonly thread_ts?: string;
  readonly blocks?: ReadonlyArray<Record<string, unknown>>;
  readonly metadata?: { readonly event_payload: { readonly key: string } };
}

const ALICE = "UALICE";
const ALICE_DM = "DALICE1";

export async function openEventsPeer(
  options: Pick<StartSlackServerParams, "chatPostMessageRateLimit"> = {},
): Promise<EventsPeer> {
  const directory = mkdtempSync(join(tmpdir(), "chela-slack-"));
  const delivered: Array<IncomingMessage["headers"]> = [];
  const waiting: Array<{ count: number; resolve: () => void }> = [];
  let answers = 0;
  let host: FakeHost | undefined;
  const door = createServer(async (request, response) => {
    delivered.push(request.headers);
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const answer = await host?.call({
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(parts),
    });
    response.writeHead(answer?.status ?? 503).end(answer?.body);
    answers += 1;
    for (const one of waiting.filter(({ count }) => count <= answers)) one.resolve();
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  const server = await startSlackServer({
    host: "127.0.0.1",
    port: 0,
    recorderPath: join(directory, "slack.jsonl"),
    eventsRequestUrl: `http://127.0.0.1:${port}/slack/events`,
    ...options,
  });
  const { manifest } = server;
  const { apiRoot, adminInboundUrl } = manifest.endpoints;

  const ask = async (url: string, headers: Record<string, string>, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (answer["ok"] !== true) throw new Error(`the peer refused: ${JSON.stringify(answer)}`);
    return answer;
  };
  const messages: EventsPeer["messages"] = async (channel, threadTs) => {
    const method = threadTs ? "conversations.replies" : "conversations.history";
    const authorization = `Bearer ${manifest.botToken}`;
    const answer = await ask(
      `${apiRoot}${method}`,
      { authorization },
      { channel, ...(threadTs ? { ts: threadTs } : {}) },
    );
    return (answer["messages"] as PeerMessage[]).toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
  };
  const post: EventsPeer["post"] = async ({ user = ALICE, ...message }) => {
    const headers = { "x-crabline-admin-token": manifest.adminToken };
    return (await ask(adminInboundUrl, headers, { user, ...message }))["message"] as { ts: string };
  };
  return {
    channel: {
      ...(slackChannel as Channel),
      start(account, given) {
        host = given as FakeHost;
        return (slackChannel as Channel).start(account, given);
      },
    },
    settings: { mode: "http", botToken: manifest.botToken, signingSecret: manifest.signingSecret, apiRoot },
    signingSecret: manifest.signingSecret,
    botToken: manifest.botToken,
    apiRoot,
    post,
    messages,
    delivered,
    answered(count) {
      if (answers >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ count, resolve }));
    },
    peer: {
      say: async (text) => void (await post({ channel: ALICE_DM, text })),
      sayInGroup: async (text) => void (await post({ channel: "CGENERAL", text })),
      async heard(count) {
        const ours = (await messages(ALICE_DM).catch(() => [])).filter((message) => message.bot_id !== undefined);
        if (ours.length < count) throw new Error(`only ${ours.length} of ${count} messages have arrived`);
        return ours.map(({ text }) => text);
      },
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
