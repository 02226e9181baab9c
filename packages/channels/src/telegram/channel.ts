// The Telegram channel: what the gateway knows of it before an account is started.
import { commonPolicy, type Channel } from "@chela/sdk";
import { readId, readTarget } from "./addresses.ts";
import { configure, type TelegramAccount } from "./config.ts";
import { MAX_CAPTION, measure, TEXT_LIMIT } from "./format.ts";
import { telegramSection } from "./section.ts";
import { setup } from "./setup.ts";

export const telegramChannel: Channel<TelegramAccount> = {
  id: "telegram",
  label: "Telegram",
  section: telegramSection,
  setup,
  traits: {
    chats: ["direct", "group", "channel", "thread"],
    textLimit: TEXT_LIMIT,
    measure,
    // Telegram has no key against duplicates, and bots cannot read what they sent.
    dedupe: "none",
    stallMs: 55_000,
    typingMs: 5_000,
    previewEveryMs: 1_000,
    pace: { perChat: 1, perAccount: 30 },
    threadWord: "topic",
    captionLimit: MAX_CAPTION,
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
