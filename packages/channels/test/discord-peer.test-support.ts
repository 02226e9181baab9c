// People on the Discord peer who write to the bot and read what it wrote.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDiscordServer } from "@openclaw/crabline";

export const ALICE = "200000000000000001";
export const MALLORY = "200000000000000666";

export interface Said {
  readonly id: string;
  readonly channel_id: string;
  readonly content: string;
  readonly author: { readonly id: string };
  readonly [key: string]: unknown;
}

export interface SayOptions {
  readonly senderId?: string;
  readonly senderName?: string;
  readonly channelId?: string;
  readonly guildId?: string;
  readonly parentChannelId?: string;
  readonly message_reference?: unknown;
}

export type DiscordPeer = Awaited<ReturnType<typeof startPeer>>;

export async function startPeer(options: { port?: number } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "chela-discord-"));
  const server = await startDiscordServer({
    host: "127.0.0.1",
    port: options.port ?? 0,
    recorderPath: join(directory, "record.jsonl"),
  });
  const { manifest } = server;
  const api = `${manifest.endpoints.apiRoot}/v10`;

  const ask = async (method: string, route: string, body?: unknown, token = manifest.botToken): Promise<unknown> => {
    const answer = await fetch(api + route, {
      method,
      headers: { authorization: `Bot ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.status === 204 ? undefined : answer.json();
  };
  const directChannel = async (userId: string): Promise<string> =>
    ((await ask("POST", "/users/@me/channels", { recipient_id: userId })) as { id: string }).id;

  return {
    manifest,
    gatewayUrl: manifest.endpoints.gatewayUrl,
    ask,
    directChannel,
    /** Somebody who is no bot writes: directly, unless a channel is named. */
    async say(content: string, said: SayOptions = {}): Promise<Said> {
      const senderId = said.senderId ?? ALICE;
      const answer = await fetch(manifest.endpoints.adminInboundUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "x-crabline-admin-token": manifest.adminToken },
        body: JSON.stringify({
          senderName: "alice",
          ...said,
          channelId: said.channelId ?? (await directChannel(senderId)),
          senderId,
          content,
        }),
      });
      return ((await answer.json()) as { message: Said }).message;
    },
    /** What the bot wrote in a channel, oldest first. */
    async written(channelId: string): Promise<Said[]> {
      const all = (await ask("GET", `/channels/${channelId}/messages?limit=100`)) as Said[];
      return all.filter(({ author }) => author.id === manifest.botUserId).reverse();
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
