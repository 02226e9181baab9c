// Discord: bots in servers and direct chats. The library is loaded when an account starts.
import type { Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, type DiscordAccount } from "./config.ts";
import { measure } from "./format.ts";
import { policy } from "./policy.ts";
import { discordSection } from "./section.ts";
import { setup } from "./setup.ts";

export const discordChannel: Channel<DiscordAccount> = {
  id: "discord",
  label: "Discord",
  section: discordSection,
  setup,
  traits: {
    chats: ["direct", "group", "channel", "thread"],
    textLimit: 2_000,
    measure,
    dedupe: "receipt",
    // Discord's heart beats every 41 s.
    stallMs: 55_000,
    typingMs: 9_000,
    previewEveryMs: 1_200,
    pace: { perChat: 1 },
    captionLimit: 2_000,
  },
  configure,
  policy,
  readId,
  readTarget,
  async start(account, host) {
    const { start } = await import("./connect.ts");
    return start(account, host);
  },
};
