// Addresses of people and groups: +15551234567, uuid:…, group:… and username:….
import type { Target, WrittenId, WrittenTarget } from "@chela/sdk";

/** Somebody as signal-cli names them; one of the two may be missing. */
export interface Person {
  readonly uuid?: string | null | undefined;
  readonly number?: string | null | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** With its country code; blanks and signs between the digits do not count. */
export function readNumber(written: string): string | undefined {
  const digits = written.replace(/[\s().-]/g, "").replace(/^\+?/, "+");
  return /^\+[1-9]\d{4,14}$/.test(digits) ? digits : undefined;
}

function readUuid(written: string): string | undefined {
  const uuid = written.trim().toLowerCase();
  return UUID.test(uuid) ? uuid : undefined;
}

/** Every id a person has, the one that never changes first. */
export function idsOf({ uuid, number }: Person): string[] {
  const ownUuid = uuid ? readUuid(uuid) : undefined;
  const ownNumber = number ? readNumber(number) : undefined;
  return [...(ownUuid ? [`uuid:${ownUuid}`] : []), ...(ownNumber ? [ownNumber] : [])];
}

/** As signal-cli wants it: a number, or a uuid without its prefix. */
export function bareId(id: string): string {
  return id.replace(/^uuid:/, "");
}

export function readId(written: string): WrittenId {
  const text = withoutChannel(written);
  const uuid = readUuid(text.replace(/^uuid:/i, ""));
  if (uuid) return { kind: "id", id: `uuid:${uuid}` };
  const number = readNumber(text);
  if (number) return { kind: "id", id: number };
  return { kind: "unusable", why: "write a number with its country code, such as +15551234567, or uuid:…" };
}

export function readTarget(written: string): WrittenTarget {
  const text = withoutChannel(written);
  const [, word = "", rest = ""] = /^(group|username|u):(.+)$/i.exec(text) ?? [];
  if (word.toLowerCase() === "group") {
    const id = rest.trim();
    return { kind: "target", target: { to: `group:${id}` }, chat: { kind: "group", id } };
  }
  if (word) {
    const to = `username:${rest.trim()}`;
    return { kind: "target", target: { to }, chat: { kind: "direct", id: to } };
  }
  const read = readId(text);
  if (read.kind === "id") {
    return { kind: "target", target: { to: read.id }, chat: { kind: "direct", id: read.id } };
  }
  if (text === "" || /^(?:group|username|u|uuid):/i.test(text) || /^\+?[\d\s().-]+$/.test(text)) {
    return { kind: "unusable", why: "write +15551234567, uuid:…, group:<id> or username:<name>" };
  }
  return { kind: "name", name: text };
}

function withoutChannel(written: string): string {
  return written
    .trim()
    .replace(/^signal:/i, "")
    .trim();
}

/** The parameters that lead a call of signal-cli to a target. */
export type Recipient =
  | { readonly recipient: readonly [string] }
  | { readonly groupId: string }
  | { readonly username: readonly [string] };

export function recipientOf({ to }: Target): Recipient | undefined {
  const read = readTarget(to);
  if (read.kind !== "target") return undefined;
  const { to: address } = read.target;
  if (address.startsWith("group:")) return { groupId: address.slice("group:".length) };
  if (address.startsWith("username:")) return { username: [address.slice("username:".length)] };
  return { recipient: [bareId(address)] };
}
