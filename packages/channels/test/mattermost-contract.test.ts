// The Mattermost channel keeps what channels promise, with crabline's server behind a fixture of ours.
import type { Channel } from "@chela/sdk";
import { testChannel } from "@chela/sdk/testing";
import { mattermostChannel } from "../src/mattermost/channel.ts";
import { openMattermost } from "./mattermost-server.test-support.ts";

testChannel("Mattermost", async () => {
  const peer = await openMattermost();
  let name = "alice";
  const heard = (): string[] =>
    peer.posts.filter(({ user_id: user }) => user === peer.botUserId).map(({ message }) => message);
  return {
    channel: mattermostChannel as Channel,
    settings: { baseUrl: peer.baseUrl, botToken: peer.botToken },
    peer: {
      say: async (text) => void (await peer.post({ sender: "alice", name, text })),
      async heard(count) {
        await peer.until(() => heard().length >= count);
        return heard();
      },
      sayInGroup: async (text) => void (await peer.post({ sender: "alice", name, text, channel: "town" })),
      rename: async (to) => void (name = to.toLowerCase().replaceAll(" ", "_")),
      nowhere: "user:aaaaaaaaaaaaaaaaaaaaaaaaaa",
      cut: async () => peer.cut(),
      redelivers: true,
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
});
