// WhatsApp Web through the library, against a server that speaks the real wire protocol.
import { testChannel } from "@chela/sdk/testing";
import type { Channel } from "@chela/sdk";
import { channel } from "../src/channel.ts";
import { startCrabline } from "./crabline.test-support.ts";

testChannel("WhatsApp (crabline)", async () => {
  const crabline = await startCrabline();
  let pushName = "Ada";
  return {
    channel: channel as Channel,
    settings: crabline.settings,
    prepare: async (directory) => crabline.link(directory),
    peer: {
      say: (text) => crabline.say({ text, pushName }),
      heard: (count) => crabline.heard(count),
      sayInGroup: (text) => crabline.say({ text, pushName, chatJid: "120363001234567890@g.us" }),
      rename: async (name) => void (pushName = name),
      redelivers: true,
      cut: async () => crabline.cut(),
    },
    [Symbol.asyncDispose]: () => crabline[Symbol.asyncDispose](),
  };
});
