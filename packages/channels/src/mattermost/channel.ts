// Mattermost: a bot account over REST and a WebSocket, with a small client of our own.
import type { Channel } from "@chela/sdk";
import { readMattermostId, readMattermostTarget } from "./address.ts";
import { configureMattermost, readMattermostPolicy, type MattermostAccount } from "./config.ts";
import { measureMattermost, POST_LIMIT } from "./format.ts";
import { mattermostSection } from "./section.ts";
import { setup } from "./setup.ts";

export const mattermostChannel: Channel<MattermostAccount> = {
  id: "mattermost",
  label: "Mattermost",
  section: mattermostSection,
  setup,
  traits: {
    chats: ["direct", "group", "channel", "thread"],
    textLimit: POST_LIMIT,
    measure: measureMattermost,
    dedupe: "receipt",
    stallMs: 55_000,
    typingMs: 5000,
    previewEveryMs: 1500,
    // Servers allow ten requests a second unless told otherwise.
    pace: { perAccount: 5 },
    captionLimit: 4000,
  },
  configure: configureMattermost,
  policy: readMattermostPolicy,
  readId: readMattermostId,
  readTarget: readMattermostTarget,
  async start(account, host) {
    const { connectMattermost } = await import("./connect.ts");
    return connectMattermost(account, host);
  },
};
