// SMS and MMS through Twilio: signed requests in, plain HTTP calls out.
import type { Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, policy, type SmsAccount } from "./config.ts";
import { measure, TEXT_LIMIT } from "./format.ts";
import { smsSection } from "./section.ts";
import { setup } from "./setup.ts";

export const smsChannel: Channel<SmsAccount> = {
  id: "sms",
  label: "SMS (Twilio)",
  section: smsSection,
  setup,
  traits: {
    chats: ["direct"],
    textLimit: TEXT_LIMIT,
    measure,
    // Twilio takes no key of ours, and of two messages with the same words nobody can tell which one was meant.
    dedupe: "none",
    // Networks do not keep the order of messages that leave at the same instant.
    pace: { perChat: 1 },
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
