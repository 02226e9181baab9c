// IRC: a thin client of our own over TCP or TLS.
import type { Channel } from "@chela/sdk";
import { configureIrc, readIrcPolicy, type IrcAccount } from "./config.ts";
import { measureIrc } from "./format.ts";
import { readIrcId, readIrcTarget } from "./identity.ts";
import { ircSection } from "./section.ts";
import { setup } from "./setup.ts";

export const ircChannel: Channel<IrcAccount> = {
  id: "irc",
  label: "IRC",
  section: ircSection,
  setup,
  traits: {
    chats: ["direct", "group"],
    textLimit: 350,
    measure: measureIrc,
    dedupe: "none",
    stallMs: 55_000,
    typingMs: 6000,
    chatIdsArePerAccount: true,
  },
  configure: configureIrc,
  policy: readIrcPolicy,
  readId: readIrcId,
  readTarget: readIrcTarget,
  async start(account, host) {
    const { connectIrc } = await import("./connect.ts");
    return connectIrc(account, host);
  },
};
