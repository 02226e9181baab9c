// Discord keeps what every channel promises, against the peer.
import { testChannel, type ChannelHarness } from "@chela/sdk/testing";
import { discordChannel } from "../src/discord/channel.ts";
import type { DiscordAccount } from "../src/discord/config.ts";
import { ALICE, startPeer, type DiscordPeer } from "./discord-peer.test-support.ts";

async function openHarness(): Promise<ChannelHarness> {
  let peer: DiscordPeer | undefined = await startPeer();
  const { manifest } = peer;
  const port = Number(new URL(manifest.baseUrl).port);
  let name = "alice";
  const running = (): DiscordPeer => {
    if (!peer) throw new Error("the peer is down");
    return peer;
  };
  return {
    channel: {
      ...discordChannel,
      async start(account, host) {
        peer ??= await startPeer({ port });
        return discordChannel.start(account as DiscordAccount, host);
      },
    },
    settings: { token: manifest.botToken, apiRoot: manifest.endpoints.apiRoot },
    peer: {
      nowhere: "channel:299999999999999999",
      redelivers: true,
      async say(text) {
        await running().say(text, { senderName: name });
      },
      async sayInGroup(text) {
        const { channelId, guildId } = manifest.fixture;
        await running().say(text, { channelId, guildId });
      },
      async rename(to) {
        name = to;
      },
      async heard(count) {
        const channelId = await running().directChannel(ALICE);
        for (;;) {
          const texts = (await running().written(channelId)).map(({ content }) => content);
          if (texts.length >= count) return texts;
        }
      },
      async cut() {
        await running()[Symbol.asyncDispose]();
        peer = undefined;
      },
    },
    async [Symbol.asyncDispose]() {
      await peer?.[Symbol.asyncDispose]();
    },
  };
}

testChannel("discord", openHarness);
