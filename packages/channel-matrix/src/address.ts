// Addresses of people and rooms of Matrix: @person:server, !room:server, #alias:server.
import type { WrittenId, WrittenTarget } from "@chela/sdk";

const MAX_ID = 255;

export function isUserId(text: string): boolean {
  return text.length <= MAX_ID && /^@[\x21-\x39\x3b-\x7e]+:[A-Za-z0-9.\-[\]:]+$/.test(text);
}

/** Newer rooms have an id without a server in it. */
export function isRoomId(text: string): boolean {
  return text.length <= MAX_ID && /^![^\s:/\\]+(:[A-Za-z0-9.\-[\]:]+)?$/.test(text);
}

export function isRoomAlias(text: string): boolean {
  return text.length <= MAX_ID && /^#[^\s:]+:[A-Za-z0-9.\-[\]:]+$/.test(text);
}

export function readId(written: string): WrittenId {
  const entry = bare(written);
  if (entry === "") return { kind: "unusable", why: "an empty entry names nobody" };
  if (entry === "*" || isUserId(entry) || isRoomId(entry)) return { kind: "id", id: entry };
  if (isRoomAlias(entry)) return { kind: "name", name: entry };
  // A display name belongs to whoever takes it: it never stands for a person.
  return { kind: "unusable", why: `write the full id, such as @alice:example.org or !room:example.org` };
}

export function readTarget(written: string): WrittenTarget {
  const address = bare(written);
  if (isUserId(address)) return { kind: "target", target: { to: address }, chat: { kind: "direct", id: address } };
  if (isRoomId(address)) return { kind: "target", target: { to: address }, chat: { kind: "group", id: address } };
  if (isRoomAlias(address)) return { kind: "name", name: address };
  return { kind: "unusable", why: "write @person:server, !room:server or #alias:server" };
}

function bare(written: string): string {
  return written
    .trim()
    .replace(/^matrix:/i, "")
    .replace(/^(user|room|channel|group):/i, "")
    .trim();
}
