// Who is who on each channel: ids as its platform writes them, and how its settings say who may do what.
import { CHANNELS } from "../../../src/rooms/channels/index.ts";
import type { Json } from "../wire-client.ts";

export interface Cast {
  /** Somebody who is named in lists, and one who never is. */
  readonly known: string;
  readonly stranger: string;
  /** A place where people talk that is listed, one that is not, and what they belong to. */
  readonly room: string;
  readonly otherRoom: string;
  readonly guild?: string;
  /** What the known person is called there, as anybody else can be. */
  readonly names: readonly string[];
  /** "people": settings name people for all groups. "none": there are no groups, and nothing can be set about them. */
  readonly groups?: "people" | "none";
  /** Rules of the world in the words of this channel. */
  settings(world: World, cast: Cast): Json;
}

/** What an account lets in; "known" and "room" are those of the cast. */
export interface World {
  readonly name: string;
  readonly direct: "pairing" | "allowlist" | "open" | "disabled";
  /** Whether the known person, or everybody, is in the list for direct chats. */
  readonly listed: "known" | "everybody" | "nobody";
  readonly group: "allowlist" | "open" | "disabled";
  /** Who may speak in the listed room; absent: nothing is said about rooms. */
  readonly inRoom?: "known" | "nobody" | "everybody";
}

const listOf = (who: World["listed"], { known, room, guild }: Cast): string[] => {
  if (who === "everybody") return ["*"];
  // A place in a list of people lets nobody in, and neither does an entry that is empty.
  return who === "known" ? [known, "", " ", room, ...(guild ? [guild] : [])] : [];
};

const direct = (world: World, cast: Cast): Json => ({
  dmPolicy: world.direct,
  allowFrom: listOf(world.listed, cast),
  groupPolicy: world.group,
  reactionNotifications: "all",
});

/** Rooms by their ids, people in a list of the account. */
const plain: Cast["settings"] = (world, cast) => ({
  ...direct(world, cast),
  ...(world.inRoom
    ? { groupAllowFrom: listOf(world.inRoom, cast), groups: { [cast.room]: { requireMention: false } } }
    : {}),
});

/** People who may speak, wherever it is. */
const byPeople: Cast["settings"] = (world, cast) => ({
  ...direct(world, cast),
  ...(world.inRoom ? { groupAllowFrom: listOf(world.inRoom, cast) } : {}),
});

const directAlone: Cast["settings"] = (world, cast) => ({
  dmPolicy: world.direct,
  allowFrom: listOf(world.listed, cast),
});

/** People in a list of the room. */
const byRoom: Cast["settings"] = (world, cast) => ({
  ...direct(world, cast),
  ...(world.inRoom
    ? { groups: { [cast.room]: { requireMention: false, allowFrom: listOf(world.inRoom, cast) } } }
    : {}),
});

const inGuild: Cast["settings"] = (world, cast) => ({
  ...direct(world, cast),
  ...(world.inRoom
    ? {
        guilds: {
          [cast.guild ?? ""]: {
            channels: { [cast.room]: { requireMention: false, users: listOf(world.inRoom, cast) } },
          },
        },
      }
    : {}),
});

const inSlack: Cast["settings"] = (world, cast) => ({
  ...direct(world, cast),
  ...(world.inRoom ? { channels: { [cast.room]: { requireMention: false, users: listOf(world.inRoom, cast) } } } : {}),
});

const numbers = { known: "+15551230001", stranger: "+15551230002", names: ["Ann", "15551230001", "5551230001"] };

/** One for each channel of the gateway: a channel that is missing here fails the suites. */
export const CASTS: Readonly<Record<string, Cast>> = {
  telegram: {
    known: "123456789",
    stranger: "987654321",
    room: "-1001234567890",
    otherRoom: "-1009876543210",
    names: ["ann", "@ann", "Ann Moss"],
    settings: plain,
  },
  irc: {
    known: "account:ann",
    stranger: "account:mallory",
    room: "#garden",
    otherRoom: "#cellar",
    names: ["ann", "ann!~ann@host.example", "ann_"],
    settings: plain,
  },
  discord: {
    known: "200000000000000001",
    stranger: "200000000000000002",
    room: "300000000000000001",
    otherRoom: "300000000000000002",
    guild: "500000000000000001",
    names: ["ann", "@ann", "ann#0001"],
    settings: inGuild,
  },
  slack: {
    known: "U0ANN00001",
    stranger: "U0MALLORY1",
    room: "C0GARDEN01",
    otherRoom: "C0CELLAR01",
    guild: "T0TEAM0001",
    names: ["ann", "@ann", "ann@example.org"],
    settings: inSlack,
  },
  whatsapp: { ...numbers, room: "120363001234567890@g.us", otherRoom: "120363009876543210@g.us", settings: plain },
  "whatsapp-cloud": { ...numbers, room: "group:Y2FwaQ", otherRoom: "group:b3RoZXI", settings: plain },
  signal: {
    known: "uuid:7ccae375-cd51-4c82-8b1e-7be3280aa485",
    stranger: "uuid:11111111-2222-4333-8444-555555555555",
    room: "VGhpc0lzQUdyb3VwSWQ=",
    otherRoom: "T3RoZXJHcm91cElkAAAA",
    names: ["Ann", "u:ann.01", "7ccae375-cd51-4c82-8b1e-7be3280aa485"],
    groups: "people",
    settings: byPeople,
  },
  matrix: {
    known: "@ann:example.org",
    stranger: "@mallory:example.org",
    room: "!garden:example.org",
    otherRoom: "!cellar:example.org",
    names: ["Ann", "@ann:evil.example", "ann"],
    settings: byRoom,
  },
  email: {
    known: "ann@example.org",
    stranger: "mallory@example.org",
    room: "list@example.org",
    otherRoom: "others@example.org",
    names: ["Ann <ann@example.org>", "ann@example.org.evil.example", '"ann@example.org"'],
    groups: "none",
    settings: directAlone,
  },
  webhook: {
    known: "ann",
    stranger: "mallory",
    room: "garden",
    otherRoom: "cellar",
    names: ["Ann", "user:ann"],
    settings: plain,
  },
  xmpp: {
    known: "ann@example.org",
    stranger: "mallory@example.org",
    room: "garden@rooms.example.org",
    otherRoom: "cellar@rooms.example.org",
    names: ["ann", "garden@rooms.example.org/ann", "ann@example.org/phone"],
    settings: byRoom,
  },
  mattermost: {
    known: "a1ice000000000000000000000",
    stranger: "ma11ory0000000000000000000",
    room: "garden00000000000000000000",
    otherRoom: "ce11ar00000000000000000000",
    names: ["ann", "@ann", "webhook:a1ice000000000000000000000"],
    settings: plain,
  },
  sms: { ...numbers, room: "12345", otherRoom: "54321", groups: "none", settings: directAlone },
};

export const CHANNEL_IDS: readonly string[] = CHANNELS.map(({ id }) => id);

export function castOf(channel: string): Cast {
  const cast = CASTS[channel];
  if (!cast) throw new Error(`nobody is cast for the channel ${channel}: add a line to chat-cast.ts`);
  return cast;
}
