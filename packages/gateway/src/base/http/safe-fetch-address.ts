// Says which addresses belong to the open internet. Everything else is refused, however it is spelt.
import { isIPv4, isIPv6 } from "node:net";

const V4_NOT_PUBLIC: readonly (readonly [range: string, what: string])[] = [
  ["0.0.0.0/8", "this machine itself"],
  ["10.0.0.0/8", "a private network"],
  ["100.64.0.0/10", "a provider's inner network"],
  ["127.0.0.0/8", "this machine itself"],
  ["168.63.129.16/32", "the inner address of a cloud"],
  ["169.254.0.0/16", "a link-local network, where clouds keep their metadata"],
  ["172.16.0.0/12", "a private network"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "reserved for documentation"],
  ["192.88.99.0/24", "a relay between IPv4 and IPv6"],
  ["192.168.0.0/16", "a private network"],
  ["198.18.0.0/15", "reserved for measurements"],
  ["198.51.100.0/24", "reserved for documentation"],
  ["203.0.113.0/24", "reserved for documentation"],
  ["224.0.0.0/4", "a multicast group"],
  ["240.0.0.0/4", "reserved"],
];

const V6_NOT_PUBLIC: readonly (readonly [range: string, what: string])[] = [
  ["::/128", "this machine itself"],
  ["::1/128", "this machine itself"],
  ["::/96", "an old spelling of an IPv4 address"],
  ["64:ff9b:1::/48", "a private translation to IPv4"],
  ["2001::/32", "a tunnel to IPv4 (Teredo)"],
  ["2001:db8::/32", "reserved for documentation"],
  ["2001::/23", "reserved"],
  ["2002::/16", "a tunnel to IPv4 (6to4)"],
  ["3fff::/20", "reserved for documentation"],
  ["fc00::/7", "a private network"],
  ["fe80::/10", "a link-local network"],
  ["fec0::/10", "a private network"],
  ["ff00::/8", "a multicast group"],
];

/** Where an IPv4 address stands in the last four bytes and is what counts. */
const V4_INSIDE = ["::ffff:0:0/96", "64:ff9b::/96"];

/** All that is handed out on the open internet of IPv6. */
const V6_PUBLIC = "2000::/3";

/** What kind of address this is when it is not a public one; undefined when it is. */
export function whyNotPublic(address: string): string | undefined {
  const bytes = parseAddress(address);
  if (!bytes) return "no address";
  return bytes.length === 4 ? judgeV4(bytes) : judgeV6(bytes);
}

/** Whether an address lies in a range such as 10.0.0.0/8, or is the one address given instead of a range. */
export function isInRange(address: string, range: string): boolean {
  const bytes = parseAddress(address);
  return bytes !== undefined && liesIn(unwrapV4(bytes), range);
}

function judgeV4(bytes: Uint8Array): string | undefined {
  return V4_NOT_PUBLIC.find(([range]) => liesIn(bytes, range))?.[1];
}

function judgeV6(bytes: Uint8Array): string | undefined {
  if (V4_INSIDE.some((range) => liesIn(bytes, range))) return judgeV4(bytes.subarray(12));
  const known = V6_NOT_PUBLIC.find(([range]) => liesIn(bytes, range));
  if (known) return known[1];
  return liesIn(bytes, V6_PUBLIC) ? undefined : "reserved";
}

/** `::ffff:10.0.0.1` is 10.0.0.1: whoever trusts one means the other. */
function unwrapV4(bytes: Uint8Array): Uint8Array {
  return bytes.length === 16 && liesIn(bytes, "::ffff:0:0/96") ? bytes.subarray(12) : bytes;
}

function liesIn(bytes: Uint8Array, range: string): boolean {
  const [written = "", length] = range.split("/");
  const base = parseAddress(written);
  if (!base || base.length !== bytes.length) return false;
  const bits = length === undefined ? base.length * 8 : Number(length);
  if (!Number.isInteger(bits) || bits < 0 || bits > base.length * 8) return false;
  return base.every((byte, index) => {
    const ours = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - ours)) & 0xff;
    return ((byte ^ (bytes[index] ?? 0)) & mask) === 0;
  });
}

/** Four or sixteen bytes. Anything with a zone (`fe80::1%eth0`) names a place on this machine and is no address here. */
function parseAddress(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split("."), Number);
  return isIPv6(text) && !text.includes("%") ? parseV6(text) : undefined;
}

function parseV6(text: string): Uint8Array {
  const [left = "", right] = text.split("::");
  const head = groupsOf(left);
  const tail = right === undefined ? [] : groupsOf(right);
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(part: string): number[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
