// The Slack channel keeps what channels promise: over HTTP with crabline's server, and over a socket with a fixture before it.
import { testChannel, type ChannelHarness } from "@chela/sdk/testing";
import { slackChannel } from "../src/slack/channel.ts";
import type { Channel } from "@chela/sdk";
import { openEventsPeer } from "./slack-events.test-support.ts";
import { openSocketFixture } from "./slack-socket.test-support.ts";

testChannel("Slack over HTTP", openEventsPeer);

testChannel("Slack over a socket", async (): Promise<ChannelHarness> => {
  const peer = await openEventsPeer();
  const fixture = await openSocketFixture(peer.apiRoot);
  const hand = (channel: string, channel_type: string, text: string, ts: string): void => {
    const event = { type: "message", user: "UALICE", text, ts, event_ts: ts, channel, channel_type };
    void fixture.hand("events_api", { type: "event_callback", team_id: "TCRABLINE", event });
  };
  return {
    channel: slackChannel as Channel,
    settings: { botToken: peer.botToken, appToken: fixture.appToken, apiRoot: fixture.apiRoot },
    peer: {
      ...peer.peer,
      // What is said must be in the workspace, too, so that answers have somewhere to go.
      say: async (text) => hand("DALICE1", "im", text, (await peer.post({ channel: "DALICE1", text })).ts),
      sayInGroup: async (text) =>
        hand("CGENERAL", "channel", text, (await peer.post({ channel: "CGENERAL", text })).ts),
      cut: async () => fixture.cut(),
      redelivers: true,
    },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
});
