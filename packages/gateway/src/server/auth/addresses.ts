// Network addresses in one spelling, and lists of them. Nothing here trusts a name.
import { BlockList, isIP, SocketAddress } from "node:net";

/** One spelling per address: no zone, no brackets, IPv4 also when it came wrapped in IPv6. Undefined when it is none. */
export function canonicalAddress(text: string | undefined): string | undefined {
  const bare = (text ?? "")
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/%.*$/, "");
  const version = isIP(bare);
  if (version === 0) return undefined;
  if (version === 4) return bare;
  const address = new SocketAddress({ address: bare, family: "ipv6" }).address;
  const wrapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return wrapped?.[1] ?? address;
}

/** For canonical addresses. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

/** Addresses Tailscale gives out: 100.64.0.0/10 and fd7a:115c:a1e0::/48. For canonical addresses. */
export function isTailnetAddress(address: string): boolean {
  if (isIP(address) === 4) {
    const [first, second] = address.split(".").map(Number);
    return first === 100 && second !== undefined && second >= 64 && second < 128;
  }
  return /^fd7a:115c:a1e0:/i.test(address);
}

/** What limits are counted by. One IPv6 customer owns a whole /64, so the lower half is left out. */
export function limitKeyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

export interface AddressList {
  has(address: string): boolean;
  readonly isEmpty: boolean;
  /** Entries that are no address and no range, or that would match everything; they match nothing. */
  readonly invalid: readonly string[];
}

/** Reads addresses and CIDR ranges, IPv4 and IPv6. */
export function parseAddressList(entries: readonly string[]): AddressList {
  const list = new BlockList();
  const invalid = entries.filter((entry) => !addEntry(list, entry.trim()));
  return {
    has: (address) => {
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
    },
    isEmpty: invalid.length === entries.length,
    invalid,
  };
}

function addEntry(list: BlockList, entry: string): boolean {
  const [text = "", prefix, ...more] = entry.split("/");
  const address = canonicalAddress(text);
  if (address === undefined || more.length > 0) return false;
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  // A range that holds everybody is a mistake, never a list of proxies.
  if (bits < 1 || bits > (family === "ipv4" ? 32 : 128)) return false;
  list.addSubnet(address, bits, family);
  return true;
}
