// Reads the headers of a mail: who wrote it, in which thread, and why it is passed over if it is.
import { defined } from "@chela/sdk/base";
import { createHash } from "node:crypto";
import { decodeWords } from "postal-mime";
import { findAutomatic } from "./automatic.ts";
import { readFrom } from "./from.ts";
import { firstOf, messageIdsOf, type Headers } from "./headers.ts";
import { judgeSender, type TrustRules } from "./trust.ts";

export interface Envelope {
  readonly sender: { readonly id: string; readonly name?: string };
  /** Without brackets; absent where the mail has none. */
  readonly messageId?: string;
  /** The same for the same mail of the same sender, however often it is read. */
  readonly eventId: string;
  /** The first mail of the thread. */
  readonly threadId: string;
  readonly inReplyTo?: string;
  /** The mails before this one, oldest first. */
  readonly references: readonly string[];
  readonly subject: string;
}

export type ReadEnvelope =
  | { readonly kind: "mail"; readonly envelope: Envelope }
  /** `level` says how much an operator should care. */
  | { readonly kind: "dropped"; readonly why: string; readonly level: "debug" | "info" | "warn" };

export interface EnvelopeRules extends TrustRules {
  readonly ourAddress: string;
  readonly requireDmarc: boolean;
}

const MOST_SUBJECT = 300;
const MOST_REFERENCES = 50;

export function readEnvelope(headers: Headers, rules: EnvelopeRules): ReadEnvelope {
  const automatic = findAutomatic(headers);
  if (automatic) return dropped(automatic.why, automatic.kind === "bounce" ? "warn" : "info");
  const from = readFrom(headers);
  if (from.kind === "unusable") return dropped(from.why, "info");
  if (from.address === rules.ourAddress) return dropped("it is from our own address", "debug");
  const trust = judgeSender(headers, from.address, rules);
  if (rules.requireDmarc && trust.kind === "untrusted") return dropped(trust.why, "info");
  const sender = { id: from.address, ...(from.name === undefined ? {} : { name: from.name }) };
  return { kind: "mail", envelope: { sender, ...readThread(headers, from.address), subject: readSubject(headers) } };
}

const dropped = (why: string, level: "debug" | "info" | "warn"): ReadEnvelope => ({ kind: "dropped", why, level });

function readThread(headers: Headers, sender: string): Omit<Envelope, "sender" | "subject"> {
  const [messageId] = messageIdsOf(firstOf(headers, "message-id"));
  const [inReplyTo] = messageIdsOf(firstOf(headers, "in-reply-to"));
  const listed = messageIdsOf(firstOf(headers, "references"));
  const known = listed.length > 0 || inReplyTo === undefined ? listed : [inReplyTo];
  const own = messageId ?? digestOf(headers);
  return {
    ...defined({ messageId }),
    // Whoever writes chooses the id: with the address in it nobody can use up somebody else's.
    eventId: `${sender} ${own}`,
    threadId: known[0] ?? own,
    ...defined({ inReplyTo }),
    references: known.length <= MOST_REFERENCES ? known : [known[0] ?? own, ...known.slice(1 - MOST_REFERENCES)],
  };
}

function digestOf(headers: Headers): string {
  const written = headers.map(({ name, value }) => `${name}:${value}`).join("\n");
  return createHash("sha256").update(written).digest("hex").slice(0, 32);
}

function readSubject(headers: Headers): string {
  const words = decodeWords(firstOf(headers, "subject") ?? "").replace(/[\p{C}\s]+/gu, " ");
  return words.trim().slice(0, MOST_SUBJECT).toWellFormed();
}
