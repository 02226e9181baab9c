// Actions besides sending: typing, reactions, history, who is there.
import {
  GatewayError,
  type ChannelConnection,
  type ChannelHost,
  type ChatMessage,
  type DirectoryEntry,
} from "@chela/sdk";
import { parseAddress } from "./address.ts";
import { isFromUs, type Archive, type ArchivedMessage, type ArchiveQuery } from "./receive/archive.ts";
import type { XmppAccount } from "./config.ts";
import { failed } from "./failures.ts";
import { downloadMedia } from "./media.ts";
import type { RecentMessages } from "./receive/recent-messages.ts";
import { ownIdOf } from "./receive/parse.ts";
import type { Rooms } from "./rooms.ts";
import { idFor, placeOf, type Place, type Sender } from "./send.ts";
import type { Services } from "./server/services.ts";
import { NS } from "./server/stanza.ts";
import type { Stream } from "./server/stream.ts";

export interface AbilityNeeds {
  readonly account: XmppAccount;
  readonly host: ChannelHost;
  readonly stream: Stream;
  readonly services: Services;
  readonly archive: Archive;
  readonly rooms: Rooms;
  readonly sender: Sender;
  readonly memory: RecentMessages;
}

type Abilities = Omit<ChannelConnection, "ended" | "close" | "send">;

const SEARCH_PAGE = 100;

export function createAbilities(needs: AbilityNeeds): Abilities {
  const { account, host, stream, services, archive, rooms, sender, memory } = needs;
  const { xml } = stream;
  const hasArchive = ({ jid, isRoom }: Place): boolean => (isRoom ? rooms.hasArchive(jid) : services.hasArchive);
  const whereIn = ({ jid, isRoom }: Place): Pick<ArchiveQuery, "room" | "with"> =>
    isRoom ? { room: jid } : { with: jid };
  const isOurs = ({ message }: ArchivedMessage, place: Place): boolean => {
    if (!place.isRoom) return isFromUs(message, account.jid);
    const occupant = message.getChild("occupant-id", NS.occupant)?.attrs["id"];
    const nick = parseAddress(message.attrs["from"] ?? "")?.resource ?? "";
    return rooms.view(place.jid)?.isUs(nick, occupant, true) === true;
  };
  const asChatMessage = (item: ArchivedMessage, place: Place): ChatMessage[] => {
    const from = parseAddress(item.message.attrs["from"] ?? "");
    const text = item.message.getChildText("body") ?? "";
    if (!from || text === "") return [];
    const occupant = item.message.getChild("occupant-id", NS.occupant)?.attrs["id"];
    const sender = place.isRoom
      ? rooms.view(place.jid)?.senderOf(from.resource ?? "", occupant, true)
      : { id: from.bare, name: from.node ?? from.bare };
    const id = place.isRoom ? item.id : (ownIdOf(item.message) ?? item.id);
    memory.noteArchiveId(place.jid, id, item.id);
    return sender ? [{ id, at: item.at, sender, text, isOurs: isOurs(item, place) }] : [];
  };
  const archiveIdOf = (place: Place, messageId: string): string => {
    const id = memory.archiveIdOf(place.jid, messageId) ?? (place.isRoom ? messageId : undefined);
    if (id !== undefined) return id;
    throw new GatewayError("CHANNEL_REFUSED", `the message ${messageId} is not known well enough to look around it`);
  };

  return {
    edit: sender.edit,
    async findSent(message) {
      const place = placeOf(message.target);
      if (!place || !hasArchive(place)) return undefined;
      const page = await archive.query({ ...whereIn(place), before: "", most: SEARCH_PAGE });
      if (page.kind !== "page") return undefined;
      const id = idFor(message.key);
      const found = page.items.find((item) => ownIdOf(item.message) === id && isOurs(item, place));
      if (!found) return page.isComplete ? failed("unavailable", "it is not in the archive of the chat") : undefined;
      const messageId = place.isRoom ? found.id : id;
      memory.noteOurs(messageId, id);
      return { kind: "sent", messageId };
    },
    typing: (target) =>
      sender.show(target, xml("composing", { xmlns: NS.states }), xml("no-store", { xmlns: NS.hints })),
    async markRead(target, messageId) {
      await sender.show(target, xml("displayed", { xmlns: NS.markers, id: messageId }));
    },
    async react(target, messageId, emoji, isRemoved) {
      const chat = placeOf(target)?.jid ?? target.to;
      const others = memory.reactionsOf(chat, account.jid, messageId).filter((known) => known !== emoji);
      const now = isRemoved ? others : [...others, emoji];
      memory.noteReactions(chat, account.jid, messageId, now);
      await sender.show(
        target,
        xml("reactions", { xmlns: NS.reactions, id: messageId }, ...now.map((each) => xml("reaction", {}, each))),
        xml("store", { xmlns: NS.hints }),
      );
    },
    async history(target, { limit, before, after }) {
      const place = placeOf(target);
      if (!place || !hasArchive(place)) throw new GatewayError("CHANNEL_REFUSED", `${target.to} has no archive for us`);
      const page = await archive.query({
        ...whereIn(place),
        ...(after === undefined ? {} : { after: archiveIdOf(place, after) }),
        ...(after !== undefined && before === undefined ? {} : { before: before ? archiveIdOf(place, before) : "" }),
        // Not everything in an archive is a text.
        most: SEARCH_PAGE,
      });
      if (page.kind !== "page")
        throw new GatewayError("CHANNEL_REFUSED", `the archive of ${target.to} gives nothing out`);
      const messages = page.items.flatMap((item) => asChatMessage(item, place));
      return after !== undefined && before === undefined ? messages.slice(0, limit) : messages.slice(-limit);
    },
    directory: {
      self: async () => ({ kind: "user", id: account.jid, name: account.nick }),
      users: async (query, limit) => matching(await readRoster(stream), query).slice(0, limit),
      groups: async (query, limit) =>
        matching(
          rooms.list().map((id) => ({ kind: "group", id })),
          query,
        ).slice(0, limit),
      members: async (groupId, limit) =>
        rooms
          .members(groupId)
          .slice(0, limit)
          .map(({ id, name }) => ({ kind: "user", id, ...(name ? { name } : {}) })),
    },
    download: (ref, signal) => downloadMedia(ref, host, account.maxMediaBytes, signal),
    probe: async () => ({
      jid: stream.fullJid,
      rooms: rooms.list(),
      archive: services.hasArchive,
      upload: services.upload?.jid ?? "none",
    }),
  };
}

async function readRoster(stream: Stream): Promise<DirectoryEntry[]> {
  const answer = await stream.ask("get", stream.xml("query", { xmlns: NS.roster })).catch(() => undefined);
  const items = answer?.getChild("query", NS.roster)?.getChildren("item") ?? [];
  return items.flatMap(({ attrs }) => {
    const address = parseAddress(attrs["jid"] ?? "");
    return address ? [{ kind: "user", id: address.bare, ...(attrs["name"] ? { name: attrs["name"] } : {}) }] : [];
  });
}

function matching(entries: readonly DirectoryEntry[], query: string): DirectoryEntry[] {
  const wanted = query.trim().toLowerCase();
  return entries.filter(({ id, name }) => [id, name].some((known) => known?.toLowerCase().includes(wanted)));
}
