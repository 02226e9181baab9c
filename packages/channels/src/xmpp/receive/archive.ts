// Asks for what was said before (XEP-0313): in our own archive for direct chats, in that of a room for the room.
import type { XmlElement } from "@xmpp/client";
import { parseAddress } from "../address.ts";
import type { Archived } from "./parse.ts";
import { NS, stampOf } from "../server/stanza.ts";
import type { Stream } from "../server/stream.ts";

export interface ArchiveQuery {
  /** A room; absent: our own archive. */
  readonly room?: string;
  /** Only messages from and to this address. */
  readonly with?: string;
  readonly start?: number;
  /** After this id. */
  readonly after?: string;
  /** Before this id; "" for the newest. */
  readonly before?: string;
  readonly most: number;
}

export interface ArchivedMessage extends Archived {
  readonly message: XmlElement;
}

export type ArchivePage =
  /** The oldest first. */
  | { readonly kind: "page"; readonly items: readonly ArchivedMessage[]; readonly isComplete: boolean }
  /** The id that was named is not there any more. */
  | { readonly kind: "unknown-id" }
  /** There is no archive for us. */
  | { readonly kind: "refused" }
  | { readonly kind: "silent" };

export interface Archive {
  query(query: ArchiveQuery): Promise<ArchivePage>;
  /** Whether the stanza belongs to an answer; then nobody else needs to hear it. */
  hear(stanza: XmlElement): boolean;
}

interface Question {
  /** Who may answer. */
  readonly room: string | undefined;
  readonly items: ArchivedMessage[];
}

export function createArchive(stream: Stream, self: string, newId: () => string): Archive {
  const { xml } = stream;
  const questions = new Map<string, Question>();

  const writeQuery = (query: ArchiveQuery, queryid: string): XmlElement => {
    const fields = [
      field("FORM_TYPE", NS.mam),
      ...(query.with === undefined ? [] : [field("with", query.with)]),
      ...(query.start === undefined ? [] : [field("start", new Date(query.start).toISOString())]),
    ];
    return xml(
      "query",
      { xmlns: NS.mam, queryid },
      xml("x", { xmlns: NS.data, type: "submit" }, ...fields),
      xml(
        "set",
        { xmlns: NS.rsm },
        xml("max", {}, String(query.most)),
        ...(query.after === undefined ? [] : [xml("after", {}, query.after)]),
        ...(query.before === undefined ? [] : [xml("before", {}, query.before)]),
      ),
    );
  };
  const field = (name: string, value: string): XmlElement =>
    xml("field", { var: name, ...(name === "FORM_TYPE" ? { type: "hidden" } : {}) }, xml("value", {}, value));

  return {
    async query(query) {
      const queryid = newId();
      const question: Question = { room: query.room, items: [] };
      questions.set(queryid, question);
      try {
        const answer = await stream.ask("set", writeQuery(query, queryid), query.room);
        const isComplete = answer.getChild("fin", NS.mam)?.attrs["complete"] === "true";
        return { kind: "page", items: question.items, isComplete };
      } catch (error) {
        return pageFor(error);
      } finally {
        questions.delete(queryid);
      }
    },
    hear(stanza) {
      const result = stanza.is("message") ? stanza.getChild("result", NS.mam) : undefined;
      if (!result) return false;
      const question = questions.get(result.attrs["queryid"] ?? "");
      // Anybody can send something that looks like an answer.
      const from = stanza.attrs["from"];
      const isFromArchive = question?.room === undefined ? from === undefined || from === self : from === question.room;
      const item = question && isFromArchive ? readItem(result) : undefined;
      if (item) question?.items.push(item);
      return true;
    },
  };
}

function readItem(result: XmlElement): ArchivedMessage | undefined {
  const forwarded = result.getChild("forwarded", NS.forward);
  const message = forwarded?.getChild("message");
  const at = stampOf(forwarded?.getChild("delay", NS.delay));
  const { id } = result.attrs;
  return message && id && at !== undefined ? { id, at, message } : undefined;
}

function pageFor(error: unknown): ArchivePage {
  const { condition } = (error ?? {}) as { condition?: unknown };
  if (condition === "item-not-found") return { kind: "unknown-id" };
  return typeof condition === "string" ? { kind: "refused" } : { kind: "silent" };
}

/** Whether we wrote it, in a direct chat. */
export function isFromUs(message: XmlElement, self: string): boolean {
  return parseAddress(message.attrs["from"] ?? "")?.bare === self;
}
