// A Discord account that is connected to the peer through the relay, for the tests of this channel.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelConnection, OutboundMessage } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { discordChannel } from "../src/discord/channel.ts";
import { startPeer, type DiscordPeer } from "./discord-peer.test-support.ts";
import { startRelay, type DiscordRelay } from "./discord-relay.test-support.ts";

export interface Bench extends AsyncDisposable {
  readonly peer: DiscordPeer;
  readonly relay: DiscordRelay;
  readonly directory: string;
  /** Starts the account; the memory of an earlier host plays a restart. */
  start(options?: { settings?: object; memory?: Map<string, string> }): Promise<Started>;
}

export interface Started {
  readonly connection: ChannelConnection;
  readonly host: FakeHost;
}

export async function openBench(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), "chela-discord-bench-"));
  const peer = await startPeer();
  const relay = await startRelay({ baseUrl: peer.manifest.baseUrl, gatewayUrl: peer.gatewayUrl });
  const started: ChannelConnection[] = [];
  return {
    peer,
    relay,
    directory,
    async start({ settings, memory } = {}) {
      const read = discordChannel.configure(
        { token: peer.manifest.botToken, apiRoot: relay.apiRoot, ...settings },
        () => undefined,
      );
      if (read.kind !== "configured") throw new Error(read.why);
      const host = createFakeHost({ directory, ...(memory ? { memory } : {}) });
      const connection = await discordChannel.start(read.account, host);
      started.push(connection);
      return { connection, host };
    },
    async [Symbol.asyncDispose]() {
      for (const connection of started) await connection.close();
      await relay[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function outbound(
  to: string,
  content: string | OutboundMessage["content"],
  more: Partial<OutboundMessage> = {},
) {
  return {
    key: `key:${to}:${JSON.stringify(content)}`,
    target: { to },
    content: typeof content === "string" ? ({ kind: "text", markdown: content } as const) : content,
    mayHaveArrived: false,
    ...more,
  };
}

export const noHurry = new AbortController().signal;
