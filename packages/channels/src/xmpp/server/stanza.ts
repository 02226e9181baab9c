// The names of the extensions we speak, and how their parts are written and read.
import type { xml, XmlElement } from "@xmpp/client";

export const NS = {
  carbons: "urn:xmpp:carbons:2",
  correct: "urn:xmpp:message-correct:0",
  data: "jabber:x:data",
  delay: "urn:xmpp:delay",
  discoInfo: "http://jabber.org/protocol/disco#info",
  discoItems: "http://jabber.org/protocol/disco#items",
  fallback: "urn:xmpp:fallback:0",
  forward: "urn:xmpp:forward:0",
  hints: "urn:xmpp:hints",
  mam: "urn:xmpp:mam:2",
  markers: "urn:xmpp:chat-markers:0",
  muc: "http://jabber.org/protocol/muc",
  mucUser: "http://jabber.org/protocol/muc#user",
  nick: "http://jabber.org/protocol/nick",
  occupant: "urn:xmpp:occupant-id:0",
  oob: "jabber:x:oob",
  ping: "urn:xmpp:ping",
  reactions: "urn:xmpp:reactions:0",
  reference: "urn:xmpp:reference:0",
  reply: "urn:xmpp:reply:0",
  roster: "jabber:iq:roster",
  rsm: "http://jabber.org/protocol/rsm",
  sid: "urn:xmpp:sid:0",
  stanzas: "urn:ietf:params:xml:ns:xmpp-stanzas",
  states: "http://jabber.org/protocol/chatstates",
  upload: "urn:xmpp:http:upload:0",
} as const;

/** Builds an element; the library's own function, which comes with the library. */
export type WriteXml = typeof xml;

/** The word for what went wrong, such as `item-not-found`, in a stanza of type "error". */
export function conditionOf(stanza: XmlElement): string {
  const error = stanza.getChild("error");
  const named = error?.getChildElements().find((child) => child.attrs["xmlns"] === NS.stanzas && child.name !== "text");
  return named?.name ?? "undefined-condition";
}

/** Undefined unless it is a time. */
export function stampOf(delay: XmlElement | undefined): number | undefined {
  const at = Date.parse(delay?.attrs["stamp"] ?? "");
  return Number.isNaN(at) ? undefined : at;
}
