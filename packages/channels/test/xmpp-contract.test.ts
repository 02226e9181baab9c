// The promises of a channel, kept on a real server: prosody, which keeps an archive.
import { describe } from "vitest";
import type { Channel } from "@chela/sdk";
import { testChannel, type ChannelHarness } from "@chela/sdk/testing";
import { xml } from "@xmpp/client";
import { xmppChannel } from "../src/xmpp/channel.ts";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { startRelay } from "./relay.test-support.ts";
import { XmppPerson } from "./xmpp-person.test-support.ts";
import { findProsody, PASSWORD, startProsody } from "./xmpp-server.test-support.ts";

async function open(program: string): Promise<ChannelHarness> {
  const server = await startProsody(program);
  const relay = await startRelay(server.port);
  const alice = await XmppPerson.connect(server, "alice");
  await alice.join(server.openRoom, "Alice");
  let nick: string | undefined;
  return {
    channel: xmppChannel as Channel,
    settings: {
      jid: "chela@localhost",
      password: PASSWORD,
      service: `xmpp://127.0.0.1:${relay.port}`,
      tlsCa: server.certificate,
      rooms: [server.openRoom],
    },
    peer: {
      async say(text) {
        const named = nick === undefined ? [] : [xml("nick", { xmlns: "http://jabber.org/protocol/nick" }, nick)];
        await alice.say("chela@localhost", text, ...named);
      },
      async heard(count) {
        if (alice.texts().length < count) await alice.until(() => alice.texts().length >= count);
        return alice.texts();
      },
      async sayInGroup(text) {
        await alice.sayInRoom(server.openRoom, text);
      },
      rename: async (name) => void (nick = name),
      nowhere: "nobody@localhost",
      cut: async () => relay.cut(),
      redelivers: true,
    },
    async [Symbol.asyncDispose]() {
      await alice[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const program = findProsody();
if (!program) warnNotTested("the promises of a channel, by XMPP", "prosody cannot be installed here");
describe.skipIf(!program)("prosody", () => testChannel("XMPP on prosody", () => open(program ?? "")));
