// People on a real IRC server, which keeps nothing: they write only while they see the bot in their channel.
import { setTimeout as pause } from "node:timers/promises";
import { IrcPerson } from "../../../../channels/test/irc-person.test-support.ts";
import { startNgircd } from "../../../../channels/test/irc-servers.test-support.ts";
import type { Crowd, CrowdParts } from "./chaos-crowd.ts";
import { startNetwork } from "./chaos-relay.ts";

const ROOM = "#chaos";
const NICK = "chela";
const LONGEST_PAUSE_MS = 7000;

export async function startIrcCrowd(
  program: string,
  { random, tally, people, messages }: CrowdParts,
  /** Between two messages of a person, compared with the usual. */
  haste: number,
): Promise<Crowd> {
  const server = await startNgircd(program);
  const network = await startNetwork(server.port);
  const all = await Promise.all(
    Array.from({ length: people }, (_, index) =>
      IrcPerson.connect({ host: server.host, port: server.port, nick: `i${index}` }),
    ),
  );
  await Promise.all(all.map((person) => person.join(ROOM)));
  for (const person of all) {
    let read = 0;
    // Never true: it is asked again with every line.
    void person.until(() => {
      const said = person.directly();
      for (const text of said.slice(read)) tally.hear(text);
      read = said.length;
      return false;
    });
  }

  const speak = async (person: IrcPerson, index: number): Promise<void> => {
    const self = { channel: "irc", prefix: `i${index}` };
    for (let count = 0; count < messages; count++) {
      await pause(random.below(LONGEST_PAUSE_MS / haste));
      await person.until(() => isBotThere(person.lines));
      person.say(NICK, tally.say(self).text);
    }
  };
  return {
    channel: "irc",
    settings: { host: "127.0.0.1", port: network.port, tls: false, nick: NICK, channels: [ROOM] },
    speak: async () => void (await Promise.all(all.map(speak))),
    cut: network.cut,
    restore: network.restore,
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((person) => person[Symbol.asyncDispose]()));
      await network[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** By what was last heard of it. */
function isBotThere(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => /^:chela!\S+ (?:JOIN|PART|QUIT|NICK) /.test(line));
  return last?.includes(" JOIN ") ?? false;
}
