// Writes messages and waits until the server has taken them: a room echoes them, for others a ping comes back behind them.
import { createHash } from "node:crypto";
import type { ChannelHost, OutboundContent, OutboundMessage, SendOutcome, Target } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import type { XmlElement } from "@xmpp/client";
import { parseAddress, readXmppTarget } from "./address.ts";
import { failed, failureFor } from "./failures.ts";
import { toStyling, withoutForbidden } from "./format.ts";
import type { RecentMessages } from "./receive/recent-messages.ts";
import { conditionOf, NS } from "./server/stanza.ts";
import type { Stream } from "./server/stream.ts";
import type { Upload } from "./upload.ts";

export interface Sender {
  /** Never rejects. */
  send(message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome>;
  edit(target: Target, messageId: string, markdown: string): Promise<SendOutcome>;
  /** Hands over something that needs no confirmation. */
  show(target: Target, ...parts: readonly XmlElement[]): Promise<void>;
  hear(message: XmlElement): void;
}

export interface SenderNeeds {
  readonly host: ChannelHost;
  readonly stream: Stream;
  readonly memory: RecentMessages;
  readonly tables: TableMode;
  readonly upload: Upload;
  isInRoom(jid: string): boolean;
}

export interface Place {
  readonly jid: string;
  readonly isRoom: boolean;
}

const CONFIRM_MS = 20_000;

export function createSender(needs: SenderNeeds): Sender {
  const { host, stream, memory } = needs;
  const { xml } = stream;
  const waiting = new Map<string, { readonly jid: string; settle(outcome: SendOutcome): void }>();
  void stream.ended.then(() => {
    const lost = failed("uncertain", "the connection ended before the server confirmed the message");
    for (const { settle } of waiting.values()) settle(lost);
  });

  const write = (place: Place, id: string, ...parts: readonly XmlElement[]): XmlElement =>
    xml("message", { to: place.jid, type: place.isRoom ? "groupchat" : "chat", id }, ...parts);
  const post = async (place: Place, id: string, stanza: XmlElement, signal?: AbortSignal): Promise<SendOutcome> => {
    const { promise, resolve: settle } = Promise.withResolvers<SendOutcome>();
    const lose = (why: string): void => settle(failed("uncertain", why));
    const stop = (): void => lose("sending was stopped before the server confirmed");
    const cancel = host.clock.after(CONFIRM_MS, () => lose("the server did not confirm the message in time"));
    signal?.addEventListener("abort", stop, { once: true });
    waiting.set(id, { jid: place.jid, settle });
    try {
      await stream.send(stanza);
      if (!place.isRoom) void confirm(id, settle);
      return await promise;
    } catch {
      return failed("uncertain", "the connection broke while the message was written");
    } finally {
      cancel();
      signal?.removeEventListener("abort", stop);
      waiting.delete(id);
    }
  };
  /** The server answers in order: what it had to object comes before this. */
  const confirm = async (id: string, settle: (outcome: SendOutcome) => void): Promise<void> => {
    try {
      await stream.ask("get", xml("ping", { xmlns: NS.ping }), parseAddress(stream.fullJid)?.domain);
    } catch (error) {
      // A server that does not know pings has answered all the same.
      if (typeof (error as { condition?: unknown }).condition !== "string") return;
    }
    settle({ kind: "sent", messageId: id });
  };
  const sendText = async (
    place: Place,
    id: string,
    body: string,
    extras: readonly XmlElement[],
    signal?: AbortSignal,
  ): Promise<SendOutcome> => {
    if (body.trim() === "") return failed("rejected", "nothing is left of the message");
    if (place.isRoom && !needs.isInRoom(place.jid)) return failed("unavailable", `not in ${place.jid} at the moment`);
    if (stream.isOver()) return failed("unavailable", "not connected");
    const stanza = write(
      place,
      id,
      xml("body", {}, body),
      xml("origin-id", { xmlns: NS.sid, id }),
      xml("active", { xmlns: NS.states }),
      ...extras,
    );
    const outcome = await post(place, id, stanza, signal);
    if (outcome.kind === "sent") memory.noteOurs(outcome.messageId, id);
    return outcome;
  };

  return {
    async send(message, signal) {
      const place = placeOf(message.target);
      if (!place) return failed("unreachable", `${message.target.to} is no address`);
      if (signal.aborted) return failed("unavailable", "sending was stopped before it began");
      const reply = message.replyTo
        ? [xml("reply", { xmlns: NS.reply, id: message.replyTo, ...(place.isRoom ? {} : { to: place.jid }) })]
        : [];
      const { content } = message;
      if (content.kind !== "media") {
        return sendText(place, idFor(message.key), textOf(content, needs.tables), reply, signal);
      }
      const uploaded = await needs.upload(content.media, signal);
      if (uploaded.kind === "failed") return uploaded;
      const { url } = uploaded;
      const body = content.caption ? `${toStyling(content.caption, needs.tables)}\n${url}` : url;
      const beside = xml("x", { xmlns: NS.oob }, xml("url", {}, url));
      return sendText(place, idFor(message.key), body, [beside, ...reply], signal);
    },
    async edit(target, messageId, markdown) {
      const place = placeOf(target);
      if (!place) return failed("unreachable", `${target.to} is no address`);
      const replace = xml("replace", { xmlns: NS.correct, id: memory.ownIdOf(messageId) });
      const outcome = await sendText(place, host.ids.uuid(), toStyling(markdown, needs.tables), [replace]);
      return outcome.kind === "sent" ? { kind: "sent", messageId } : outcome;
    },
    async show(target, ...parts) {
      const place = placeOf(target);
      if (!place || stream.isOver()) return;
      await stream.send(write(place, host.ids.uuid(), ...parts)).catch(() => {});
    },
    hear(message) {
      const { id = "", type } = message.attrs;
      const from = parseAddress(message.attrs["from"] ?? "");
      const asked = waiting.get(id);
      // Only whoever it was sent to can say what became of it.
      if (!asked || from?.bare !== asked.jid) return;
      if (type === "error") return asked.settle(failureFor(conditionOf(message)));
      if (type !== "groupchat") return;
      const stamped = message.getChildren("stanza-id", NS.sid).find(({ attrs }) => attrs["by"] === asked.jid);
      asked.settle({ kind: "sent", messageId: stamped?.attrs["id"] ?? id });
    },
  };
}

/** The same for each attempt, so that a message is found again in the archive. */
export function idFor(key: string): string {
  return createHash("sha256").update(`xmpp:${key}`).digest("hex").slice(0, 32);
}

export function placeOf({ to }: Target): Place | undefined {
  const read = readXmppTarget(to);
  return read.kind === "target" ? { jid: read.chat.id, isRoom: read.chat.kind === "group" } : undefined;
}

function textOf(content: Exclude<OutboundContent, { kind: "media" }>, tables: TableMode): string {
  if (content.kind === "poll") {
    const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
    return withoutForbidden([content.poll.question, ...options].join("\n"));
  }
  const commands = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
  const lines = commands.map(({ text, data }) => withoutForbidden(`${text}: ${data}`));
  return [toStyling(content.markdown, tables), ...lines].join("\n");
}
