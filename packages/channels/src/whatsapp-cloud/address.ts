// Addresses of people and groups: `+4915112345678`, `group:<id>`, with or without `whatsapp-cloud:`.
import type { WrittenId, WrittenTarget } from "@chela/sdk";

const PHONE_NUMBER = /^\d{7,15}$/;
const GROUP = /^group:[\w.=+/-]+$/;
const HOW_TO_WRITE = "Write a number with its country code, such as +4915112345678.";

export function readId(written: string): WrittenId {
  const bare = written
    .trim()
    .replace(/^whatsapp(-cloud)?:/i, "")
    .trim();
  if (bare === "") return { kind: "unusable", why: `An empty entry names nobody. ${HOW_TO_WRITE}` };
  if (bare === "*" || GROUP.test(bare)) return { kind: "id", id: bare };
  // People write numbers with blanks, dashes and brackets; anything else is no number.
  const digits = bare.replace(/^\+/, "").replace(/[\s().\-/]/g, "");
  if (PHONE_NUMBER.test(digits)) return { kind: "id", id: `+${digits}` };
  return { kind: "unusable", why: `"${written}" is not an id on WhatsApp. ${HOW_TO_WRITE}` };
}

export function readTarget(written: string): WrittenTarget {
  const read = readId(written);
  if (read.kind !== "id") return read;
  const { id } = read;
  if (id === "*") return { kind: "unusable", why: `"*" is no single address. ${HOW_TO_WRITE}` };
  return { kind: "target", target: { to: id }, chat: { kind: id.startsWith("group:") ? "group" : "direct", id } };
}

/** The id of a person from the digits Meta sends, or "" when they are none. */
export function personId(digits: string | undefined): string {
  return digits !== undefined && PHONE_NUMBER.test(digits) ? `+${digits}` : "";
}

export interface Recipient {
  readonly recipient_type: "individual" | "group";
  readonly to: string;
}

export function recipientOf(to: string): Recipient | undefined {
  if (GROUP.test(to)) return { recipient_type: "group", to: to.slice("group:".length) };
  const digits = to.replace(/^\+/, "");
  return PHONE_NUMBER.test(digits) ? { recipient_type: "individual", to: digits } : undefined;
}
