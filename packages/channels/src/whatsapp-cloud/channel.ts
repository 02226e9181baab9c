// WhatsApp over Meta's official Cloud API: signed requests in, plain HTTP calls out.
import type { Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, policy, type WhatsAppCloudAccount } from "./config.ts";
import { CAPTION_LIMIT, measure, TEXT_LIMIT } from "./format.ts";
import { whatsappCloudSection } from "./section.ts";
import { setup } from "./setup.ts";

export const whatsappCloudChannel: Channel<WhatsAppCloudAccount> = {
  id: "whatsapp-cloud",
  label: "WhatsApp Cloud API",
  section: whatsappCloudSection,
  setup,
  traits: {
    chats: ["direct", "group"],
    textLimit: TEXT_LIMIT,
    measure,
    // Meta gives messages their ids, and has no key of ours to tell two attempts apart.
    dedupe: "none",
    typingMs: 20_000,
    pace: { perChat: 1, perAccount: 60 },
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
};
