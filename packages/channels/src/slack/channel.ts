// The Slack channel: Socket Mode or the Events API, and the Web API for answers.
import type { Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, policy, type SlackAccount } from "./config.ts";
import { measure } from "./format.ts";
import { slackSection } from "./section.ts";
import { setup } from "./setup.ts";

export const slackChannel: Channel<SlackAccount> = {
  id: "slack",
  label: "Slack",
  section: slackSection,
  setup,
  traits: {
    chats: ["direct", "group", "channel", "thread"],
    textLimit: 4_000,
    measure,
    dedupe: "receipt",
    stallMs: 55_000,
    typingMs: 90_000,
    previewEveryMs: 1_200,
    pace: { perChat: 1 },
    captionLimit: 4_000,
  },
  configure,
  policy,
  readId,
  readTarget,
  async start(account, host) {
    const { connect } = await import("./connect.ts");
    return connect(account, host);
  },
};
