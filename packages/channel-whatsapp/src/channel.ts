// WhatsApp over WhatsApp Web, as a device that is linked to a telephone.
import type { Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, policy, type WhatsAppAccount } from "./config.ts";
import { CAPTION_LIMIT, measure, TEXT_LIMIT } from "./format.ts";
import { whatsappSection } from "./section.ts";
import { setup } from "./setup.ts";

export const channel: Channel<WhatsAppAccount> = {
  id: "whatsapp",
  label: "WhatsApp",
  section: whatsappSection,
  setup,
  traits: {
    chats: ["direct", "group"],
    textLimit: TEXT_LIMIT,
    measure,
    // A message is known by an id we choose; a second one with the same id is not shown.
    dedupe: "key",
    stallMs: 55_000,
    typingMs: 10_000,
    pace: { perChat: 1 },
    captionLimit: CAPTION_LIMIT,
  },
  configure,
  policy,
  readId,
  readTarget,
  async start(account, host) {
    const { connect } = await import("./connect.ts");
    return connect(account, host);
  },
  async login(account, host, signal) {
    const { linkAccount } = await import("./link/login.ts");
    await linkAccount(account, host, signal);
  },
};
