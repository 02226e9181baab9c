// Actions on this server besides sending: asked of the server, or told by client tags where it passes them on.
import { GatewayError, type ChannelConnection, type Target } from "@chela/sdk";
import type { IrcAccount } from "./config.ts";
import type { History } from "./receive/history.ts";
import { accountId } from "./identity.ts";
import { writeLine, type Tags } from "./server/line.ts";
import { lowerAscii } from "./server/names.ts";
import { roomId } from "./receive/parse.ts";
import type { People } from "./people.ts";
import type { Rooms } from "./rooms.ts";
import type { Wire } from "./server/wire.ts";

export interface AbilityNeeds {
  readonly account: IrcAccount;
  readonly wire: Wire;
  readonly people: People;
  readonly rooms: Rooms;
  readonly history: History;
}

type Abilities = Omit<ChannelConnection, "ended" | "close" | "send">;

export function createAbilities(needs: AbilityNeeds): Abilities {
  const { facts } = needs.wire;
  return {
    ...everywhere(needs),
    ...(facts.has("message-tags") ? withTags(needs) : {}),
    ...(facts.has("draft/chathistory") ? withHistory(needs) : {}),
    ...(facts.has("draft/message-redaction") ? withRedaction(needs) : {}),
  };
}

export function describeSelf({
  account,
  wire: { facts },
}: Pick<AbilityNeeds, "account" | "wire">): Record<string, string> {
  return { nick: facts.nick, server: account.host, ...(facts.account ? { account: facts.account } : {}) };
}

function everywhere({ account, wire, people, rooms }: AbilityNeeds): Abilities {
  const { facts } = wire;
  return {
    directory: {
      self: async () => ({
        kind: "user",
        id: facts.account ? accountId(facts.account) : lowerAscii(facts.nick),
        name: facts.nick,
      }),
      groups: async (query, limit) =>
        rooms
          .list()
          .filter((name) => lowerAscii(name).includes(lowerAscii(query)))
          .slice(0, limit)
          .map((name) => ({ kind: "group", id: roomId(name, facts, account.knownRooms), name })),
      members: people.members,
    },
    async resolveName(name, kind) {
      if (kind === "user") return people.resolve(name);
      return roomId(facts.isRoom(name) ? name : `#${name}`, facts, account.knownRooms);
    },
    probe: async () => ({
      ...describeSelf({ account, wire }),
      channels: rooms.list(),
      capabilities: [...facts.capabilities.keys()],
    }),
  };
}

function withTags({ account, wire }: AbilityNeeds): Pick<Abilities, "typing" | "react"> {
  const tell = async (to: string, tags: Tags): Promise<void> => {
    if (!(await wire.writePaced(writeLine("TAGMSG", [to], tags)))) throw offline(account);
  };
  return {
    async typing({ to }: Target) {
      // A sign that comes late is of no use.
      if (wire.pace.waiting === 0) await tell(to, { "+typing": "active" });
    },
    react: ({ to }, messageId, emoji, isRemoved) =>
      tell(to, { [isRemoved ? "+draft/unreact" : "+draft/react"]: emoji, "+draft/reply": firstOf(messageId) }),
  };
}

function withHistory({ wire, history }: AbilityNeeds): Pick<Abilities, "history" | "findSent"> {
  return {
    history: ({ to }, range) => history.read(to, range),
    ...(wire.facts.has("message-tags") ? { findSent: history.findSent } : {}),
  };
}

function withRedaction({ account, wire }: AbilityNeeds): Pick<Abilities, "unsend"> {
  return {
    async unsend({ to }, messageId) {
      for (const id of messageId.split(",")) {
        if (!(await wire.writePaced(writeLine("REDACT", [to, id])))) throw offline(account);
      }
    },
  };
}

/** A message of several lines has several ids; people react to the first. */
const firstOf = (messageId: string): string => messageId.split(",", 1)[0] ?? "";
const offline = ({ host }: IrcAccount): GatewayError => new GatewayError("CHANNEL_OFFLINE", host);
