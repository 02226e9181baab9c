// Takes messages from WhatsApp to the gateway: kept in the journal first, then handed on, chat by chat and in order.
import type { BinaryNode, proto, WAMessage, WASocket } from "baileys";
import { OneAtATime, type ChannelHost } from "@chela/sdk";
import { Recent, untilAccepted } from "@chela/sdk/channel-kit";
import { isHidden, plainJid } from "../address.ts";
import type { InboxJournal, KeptMessage } from "./inbox-journal.ts";
import type { Library } from "../link/library.ts";
import { parseMessage, type Ourselves } from "./parse.ts";
import type { RecentMessages } from "./recent-messages.ts";

export interface InboundParts {
  readonly library: Library;
  readonly socket: WASocket;
  readonly host: ChannelHost;
  readonly journal: InboxJournal;
  readonly recent: RecentMessages;
  /** Older messages were there before the account was linked. */
  readonly since: number;
  readonly sendsReadReceipts: boolean;
  us(): Ourselves;
  /** Nothing can be written down: the connection must end, so that WhatsApp keeps what we could not. */
  fail(): void;
}

const MOST_STANZAS = 500;

export class Inbound {
  readonly #parts: InboundParts;
  readonly #stanzas = new Recent<BinaryNode>(MOST_STANZAS);
  readonly #chats = new OneAtATime();
  readonly #stopped = new AbortController();

  constructor(parts: InboundParts) {
    this.#parts = parts;
  }

  /** First what was left over from before, then what comes. */
  begin(): void {
    for (const kept of this.#parts.journal.waiting) this.#handOn(kept);
    this.#keepBeforeReceipt();
    this.#parts.socket.ev.on("messages.upsert", ({ messages }) => {
      for (const message of messages) this.#unlessUnreadable(() => this.#takeLate(message));
    });
  }

  stop(): void {
    this.#stopped.abort();
  }

  /**
   * The library tells WhatsApp that a message has arrived before it tells us, and WhatsApp then forgets it. What it calls
   * in between is its cache of decrypted messages, so that is where we write the message down.
   */
  #keepBeforeReceipt(): void {
    const { socket } = this.#parts;
    socket.ws.prependListener("CB:message", (node: BinaryNode) => {
      if (node.attrs.id) this.#stanzas.set(node.attrs.id, node);
    });
    const cache = socket.messageRetryManager;
    if (!cache) return;
    const remember = cache.addRecentMessage.bind(cache);
    cache.addRecentMessage = (chat, id, message) => {
      remember(chat, id, message);
      const stanza = this.#stanzas.get(id);
      if (!stanza) return;
      this.#stanzas.delete(id);
      this.#unlessUnreadable(() => this.#takeFresh(stanza, message));
    };
  }

  /** Anybody can send what the library stumbles over: that is passed over, or it would come again for ever. */
  #unlessUnreadable<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#parts.host.log.warn("a message cannot be read and is passed over", { error: String(error) });
      return undefined;
    }
  }

  #takeFresh(stanza: BinaryNode, message: proto.IMessage): void {
    const { library, socket } = this.#parts;
    const { id = "", lid = "" } = socket.user ?? {};
    const { fullMessage } = library.decodeMessageNode({ tag: stanza.tag, attrs: stanza.attrs }, id, lid);
    if (stanza.attrs.category === "peer") return;
    this.#keep(this.#toKept({ ...fullMessage, message }));
  }

  /** What did not pass the cache, such as a message the telephone had to send once more. */
  #takeLate(message: WAMessage): void {
    if (!message.message || this.#parts.recent.find(message.key.id ?? "")) return;
    this.#keep(this.#toKept(message));
  }

  #toKept({ key, messageTimestamp, pushName, message }: WAMessage): KeptMessage {
    const bytes = this.#parts.library.proto.Message.encode(message ?? {}).finish();
    return {
      id: [plainJid(key.remoteJid), plainJid(key.participant), key.id].join("/"),
      key: { ...key, remoteJid: key.remoteJid ?? "", id: key.id ?? "" },
      at: Number(messageTimestamp ?? 0),
      ...(pushName ? { name: pushName } : {}),
      message: Buffer.from(bytes).toString("base64"),
    };
  }

  #toMessage({ key, at, name, message }: KeptMessage): WAMessage {
    const { library, socket } = this.#parts;
    const raw: WAMessage = {
      key: { ...key },
      messageTimestamp: at,
      pushName: name ?? null,
      message: library.proto.Message.decode(Buffer.from(message, "base64")),
    };
    const { id = "", lid = "" } = socket.user ?? {};
    library.cleanMessage(raw, id, lid);
    return raw;
  }

  #keep(kept: KeptMessage): void {
    const { host, journal, since, us } = this.#parts;
    const raw = this.#toMessage(kept);
    this.#noteRecent(raw);
    const parsed = parseMessage(raw, us());
    if (parsed.kind === "dropped") return host.log.debug("a message was passed over", { why: parsed.why });
    if (parsed.event.at < since) return host.log.debug("a message was passed over", { why: "it is an old one" });
    try {
      journal.keep(kept);
    } catch (error) {
      host.log.error("a message cannot be written down; WhatsApp keeps it", { error });
      return this.#parts.fail();
    }
    this.#handOn(kept);
  }

  #noteRecent({ key, message, messageTimestamp }: WAMessage): void {
    if (message) this.#parts.recent.note({ key, message, at: Number(messageTimestamp ?? 0) * 1000 });
  }

  /** One after the other within a chat; chats do not wait for each other. */
  #handOn(kept: KeptMessage): void {
    const chat = plainJid(kept.key.remoteJid);
    this.#chats
      .run(chat, () => this.#deliver(kept))
      // It stays in the journal, and is tried again at the next start.
      .catch((error: unknown) => this.#parts.host.log.error("a message could not be handed on", { error }));
  }

  async #deliver(kept: KeptMessage): Promise<void> {
    const { host, journal, us } = this.#parts;
    const raw = this.#unlessUnreadable(() => this.#toMessage(kept));
    if (!raw) return journal.release(kept.id);
    await this.#addNumber(raw);
    this.#noteRecent(raw);
    const parsed = this.#unlessUnreadable(() => parseMessage(raw, us()));
    if (parsed?.kind !== "event") return journal.release(kept.id);
    const { event } = parsed;
    const handed = await untilAccepted(host, this.#stopped.signal, () => host.receive(event));
    if (handed.kind === "over") return;
    journal.release(kept.id);
    if (handed.value.kind === "accepted") await this.#markRead(raw);
  }

  /** Where WhatsApp gives only a hidden id, the number may be known from before. */
  async #addNumber({ key }: WAMessage): Promise<void> {
    const isGroup = Boolean(key.participant);
    const jid = isGroup ? key.participant : key.remoteJid;
    if (!jid || !isHidden(jid) || (isGroup ? key.participantAlt : key.remoteJidAlt)) return;
    const { lidMapping } = this.#parts.socket.signalRepository;
    const number = await lidMapping.getPNForLID(jid).catch(() => null);
    if (!number) return;
    if (isGroup) key.participantAlt = number;
    else key.remoteJidAlt = number;
  }

  async #markRead({ key }: WAMessage): Promise<void> {
    const { socket, sendsReadReceipts, host } = this.#parts;
    if (!sendsReadReceipts || key.fromMe) return;
    await socket.readMessages([key]).catch(() => host.log.debug("a message could not be marked as read"));
  }
}
