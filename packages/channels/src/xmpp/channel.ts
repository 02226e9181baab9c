// XMPP: one account on any server, direct chats and rooms, over @xmpp/client.
import type { Channel } from "@chela/sdk";
import { readXmppId, readXmppTarget } from "./address.ts";
import { configureXmpp, readXmppPolicy, type XmppAccount } from "./config.ts";
import { measureStyling } from "./format.ts";
import { xmppSection } from "./section.ts";
import { setup } from "./setup.ts";

export const xmppChannel: Channel<XmppAccount> = {
  id: "xmpp",
  label: "XMPP",
  section: xmppSection,
  setup,
  traits: {
    chats: ["direct", "group"],
    textLimit: 4000,
    measure: measureStyling,
    dedupe: "receipt",
    stallMs: 55_000,
    typingMs: 25_000,
    previewEveryMs: 2000,
    captionLimit: 1000,
  },
  configure: configureXmpp,
  policy: readXmppPolicy,
  readId: readXmppId,
  readTarget: readXmppTarget,
  async start(account, host) {
    const { connectXmpp } = await import("./connect.ts");
    return connectXmpp(account, host);
  },
};
