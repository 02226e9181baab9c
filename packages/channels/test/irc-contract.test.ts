// The promises of a channel, kept on two real servers: one without anything new, and one with everything.
import { describe } from "vitest";
import { testChannel, type ChannelHarness } from "@chela/sdk/testing";
import { ircChannel } from "../src/irc/channel.ts";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { IrcPerson } from "./irc-person.test-support.ts";
import { startRelay } from "./relay.test-support.ts";
import {
  findErgo,
  findNgircd,
  registerAccount,
  startErgo,
  startNgircd,
  type IrcServer,
} from "./irc-servers.test-support.ts";

const ROOM = "#Contract";
const PASSWORD = "correct-horse";

async function openOn(server: IrcServer, hasServices: boolean): Promise<ChannelHarness> {
  const relay = await startRelay(server.port);
  if (hasServices) {
    await registerAccount(server, "chela", PASSWORD, true);
    await registerAccount(server, "alice", PASSWORD);
  }
  const alice = await IrcPerson.connect({
    ...server,
    nick: "alice",
    ...(hasServices ? { account: { account: "alice", password: PASSWORD } } : {}),
  });
  await alice.join(ROOM);
  return {
    channel: ircChannel,
    settings: {
      host: "127.0.0.1",
      port: relay.port,
      tls: false,
      nick: "chela",
      channels: [ROOM],
      ...(hasServices ? { nickserv: { password: PASSWORD } } : {}),
    },
    peer: {
      say: async (text) => alice.say("chela", text),
      async heard(count) {
        await alice.until(() => alice.directly().length >= count);
        return alice.directly();
      },
      sayInGroup: async (text) => alice.say(ROOM, text),
      rename: (name) => alice.rename(name.split(" ", 1)[0] ?? ""),
      nowhere: "nobody-1",
      cut: async () => relay.cut(),
      redelivers: hasServices,
    },
    async [Symbol.asyncDispose]() {
      await alice[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function testOn(name: string, program: string | undefined, open: (program: string) => Promise<ChannelHarness>): void {
  if (!program) warnNotTested(`the promises of a channel, by IRC on ${name}`, `${name} cannot be installed here`);
  describe.skipIf(!program)(name, () => testChannel(`IRC on ${name}`, () => open(program ?? "")));
}

testOn("ergo", findErgo(), async (program) => openOn(await startErgo(program), true));
testOn("ngircd", findNgircd(), async (program) => openOn(await startNgircd(program), false));
