// The webhook channel: other programs POST messages in, and answers are POSTed back to them.
import { commonPolicy, type Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, type WebhookAccount } from "./config.ts";
import { measure, TEXT_LIMIT } from "./format.ts";
import { webhookSection } from "./section.ts";
import { setup } from "./setup.ts";

export const webhookChannel: Channel<WebhookAccount> = {
  id: "webhook",
  label: "Webhook",
  section: webhookSection,
  setup,
  traits: {
    chats: ["direct", "group", "channel", "thread"],
    textLimit: TEXT_LIMIT,
    measure,
    // Every message has an Idempotency-Key; dropping a second one is the receiver's part of the agreement.
    dedupe: "key",
    // Each program numbers its people as it likes.
    chatIdsArePerAccount: true,
    captionLimit: TEXT_LIMIT,
  },
  configure,
  policy: commonPolicy,
  readId,
  readTarget,
  async start(account, host) {
    const { connect } = await import("./connect.ts");
    return connect(account, host);
  },
};
