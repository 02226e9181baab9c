// Mail addresses: read strictly, and kept in the one form in which they are compared.
import { domainToASCII, domainToUnicode } from "node:url";
import type { WrittenId, WrittenTarget } from "@chela/sdk";

const MOST_LOCAL = 64;
const MOST_DOMAIN = 253;
const LOCAL = /^[\w!#$%&'*+\-/=?^`{|}~.\u0080-\u{10ffff}]+$/u;
const UNSEEN = /[\p{C}\p{Z}]/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** `local@domain` in small ASCII letters, the domain as it is asked for in the DNS; undefined when it is no plain address. */
export function normaliseAddress(written: string): string | undefined {
  const at = written.lastIndexOf("@");
  const local = written.slice(0, Math.max(at, 0));
  const domain = normaliseDomain(written.slice(at + 1));
  if (domain === undefined || !isLocalPart(local)) return undefined;
  return `${lowerAscii(local)}@${domain}`;
}

/** Spellings that only look like another name are refused: what is not ASCII has to be written as it would come back. */
export function normaliseDomain(written: string): string | undefined {
  const lower = lowerAscii(written);
  const ascii = domainToASCII(lower);
  if (ascii === "" || ascii.length > MOST_DOMAIN) return undefined;
  if (!ascii.split(".").every((label) => label.length <= 63 && LABEL.test(label))) return undefined;
  return lower === ascii || domainToUnicode(ascii) === lower ? ascii : undefined;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function isLocalPart(local: string): boolean {
  if (local === "" || local.length > MOST_LOCAL) return false;
  if (!LOCAL.test(local) || UNSEEN.test(local) || local !== local.normalize("NFC")) return false;
  return !local.startsWith(".") && !local.endsWith(".") && !local.includes("..");
}

/** Other letters have relatives among the ASCII ones, such as the sign for kelvin. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function readId(written: string): WrittenId {
  const entry = withoutPrefix(written);
  if (entry === "*") return { kind: "id", id: entry };
  // Whoever writes `*@example.org` means everybody there, and would let in nobody.
  const id = entry.includes("*") ? undefined : normaliseAddress(entry);
  if (id !== undefined) return { kind: "id", id };
  if (entry === "") return { kind: "unusable", why: "The entry is empty, and matches nobody." };
  return { kind: "unusable", why: `"${entry}" is no mail address. Write one whole address, such as ann@example.org.` };
}

export function readTarget(written: string): WrittenTarget {
  const to = normaliseAddress(withoutPrefix(written));
  if (to !== undefined) return { kind: "target", target: { to }, chat: { kind: "direct", id: to } };
  return { kind: "unusable", why: `"${written.trim()}" is no mail address. Write one such as ann@example.org.` };
}

function withoutPrefix(written: string): string {
  return written.trim().replace(/^(?:mailto|email|user):/i, "");
}
