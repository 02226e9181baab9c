// Reads every stanza of the XMPP server once: presences go to the rooms, answers to who asked, messages to the gateway.
import type { ChannelHost } from "@chela/sdk";
import type { XmlElement } from "@xmpp/client";
import { parseAddress } from "../address.ts";
import type { Archive, ArchivedMessage } from "./archive.ts";
import type { Inbound } from "./inbound.ts";
import type { RecentMessages } from "./recent-messages.ts";
import { emojisIn, ownIdOf, parseMessage, type Archived, type ParseContext, type ParsedStanza } from "./parse.ts";
import type { Rooms } from "../rooms.ts";
import type { Sender } from "../send.ts";
import { NS } from "../server/stanza.ts";
import type { Stream } from "../server/stream.ts";

export interface StanzaReaderNeeds {
  readonly host: ChannelHost;
  readonly self: string;
  readonly stampsIds: boolean;
  readonly stream: Stream;
  readonly archive: Archive;
  readonly inbound: Inbound;
  readonly memory: RecentMessages;
  readonly sender: Sender;
  rooms(): Rooms;
}

export interface StanzaReader {
  hear(stanza: XmlElement): void;
  takeArchived(archive: string, item: ArchivedMessage): Promise<void>;
}

export function createStanzaReader(needs: StanzaReaderNeeds): StanzaReader {
  const { host, inbound, memory, self } = needs;
  const context: ParseContext = {
    self,
    stampsIds: needs.stampsIds,
    room: (jid) => needs.rooms().view(jid),
    isOurMessage: memory.isOurs,
    messageIdOf: memory.messageIdOf,
    reactionsOf: memory.reactionsOf,
    now: () => host.clock.now(),
    newId: () => host.ids.uuid(),
  };
  const parse = (message: XmlElement, archived?: Archived): ParsedStanza => {
    const parsed = parseMessage(message, context, archived);
    if (parsed.kind === "events") remember(message, parsed, memory);
    else host.log.debug("passed over", { why: parsed.why });
    return parsed;
  };
  const hearMessage = (message: XmlElement): void => {
    const parsed = parse(message);
    if (parsed.kind === "none") return;
    const [first] = parsed.events;
    if (!first) return;
    const cursor = cursorFor(parsed, first.at);
    inbound.take({ archive: parsed.isRoom ? first.chat.id : self, cursor, events: parsed.events }, needs.stream.hold());
  };
  return {
    hear(stanza) {
      host.alive();
      if (stanza.is("presence")) return needs.rooms().hear(stanza);
      if (!stanza.is("message") || needs.archive.hear(stanza)) return;
      needs.sender.hear(stanza);
      hearMessage(stanza);
    },
    async takeArchived(archive, { id, at, message }) {
      const parsed = isFor(archive, message, self) ? parse(message, { id, at }) : undefined;
      await inbound.takeArchived({
        archive,
        cursor: { id, at },
        events: parsed?.kind === "events" ? parsed.events : [],
      });
    },
  };
}

/** An archive tells only of its own chats: a room not of others, and our own not of rooms. */
function isFor(archive: string, message: XmlElement, self: string): boolean {
  const isRoomMessage = message.attrs["type"] === "groupchat";
  if (archive === self) return !isRoomMessage;
  return isRoomMessage && parseAddress(message.attrs["from"] ?? "")?.bare === archive;
}

/** Rooms without an archive are asked for what they still know since a time. */
function cursorFor(parsed: ParsedStanza & { kind: "events" }, at: number): { id: string; at: number } | undefined {
  if (parsed.archiveId !== undefined) return { id: parsed.archiveId, at };
  return parsed.isRoom ? { id: "", at } : undefined;
}

function remember(
  message: XmlElement,
  { events, archiveId }: ParsedStanza & { kind: "events" },
  memory: RecentMessages,
): void {
  const [event] = events;
  if (!event) return;
  const { chat, sender, messageId } = event;
  const ownId = ownIdOf(message);
  if (ownId && messageId) memory.noteMessage(chat.id, sender.id, ownId, messageId);
  if (archiveId && messageId) memory.noteArchiveId(chat.id, messageId, archiveId);
  const reactions = message.getChild("reactions", NS.reactions);
  const on = reactions?.attrs["id"];
  if (reactions && on) memory.noteReactions(chat.id, sender.id, on, emojisIn(reactions));
}
