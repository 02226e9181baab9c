// Reads messages out of lines of the IRC server: finds out who wrote them, and answers what needs no agent.
import type { ChannelHost } from "@chela/sdk";
import type { IrcAccount } from "../config.ts";
import { timeOf } from "../server/server-facts.ts";
import type { Inbound } from "./inbound.ts";
import { writeLine, type Line } from "../server/line.ts";
import { isOurs, parseEvent } from "./parse.ts";
import type { People } from "../people.ts";
import type { Sender } from "../send.ts";
import type { Wire } from "../server/wire.ts";

export interface LineReaderNeeds {
  readonly account: IrcAccount;
  readonly host: ChannelHost;
  readonly wire: Wire;
  readonly people: People;
  readonly inbound: Inbound;
  readonly sender: Sender;
}

/** Strangers that ask which program this is are answered at most this often. */
const VERSION_EVERY_MS = 5000;

export function createLineReader(needs: LineReaderNeeds): (line: Line, isReplayed: boolean) => void {
  const { account, host, wire, people, inbound, sender } = needs;
  const { facts, pace } = wire;
  let versionToldAt = -Infinity;

  const tellVersion = (to: string): void => {
    const now = host.clock.now();
    if (now - versionToldAt < VERSION_EVERY_MS || pace.waiting > 0) return;
    versionToldAt = now;
    void wire.writePaced(writeLine("NOTICE", [to, "\u0001VERSION Chela\u0001"]));
  };
  return (line, isReplayed) => {
    const isMessage = line.command === "PRIVMSG" || line.command === "TAGMSG";
    if (!isMessage || !line.source || isOurs(line, facts)) return;
    const chat = facts.fold(facts.roomOf(line.params[0] ?? "") ?? line.source.nick);
    inbound.take(chat, timeOf(line) ?? host.clock.now(), async () => {
      const parsed = parseEvent(line, {
        facts,
        knownRooms: account.knownRooms,
        account: await people.accountOf(line),
        isReplayed,
        isOurMessage: sender.isOurMessage,
        now: () => host.clock.now(),
        newId: () => host.ids.uuid(),
      });
      if (parsed.kind === "version-asked" && !isReplayed) tellVersion(parsed.nick);
      return parsed.kind === "event" ? parsed.event : undefined;
    });
  };
}
