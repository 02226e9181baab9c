// Addresses that somebody else wrote, on their way to the one safe fetch.
import { BlockList, isIP } from "node:net";
import { whyNotPublic } from "../../packages/gateway/src/base/http/safe-fetch-address.ts";
import { findTarget } from "../../packages/gateway/src/base/http/safe-fetch-target.ts";
import { REFUSED_ADDRESSES } from "../../packages/gateway/test/support/security/address-corpus.ts";
import { promise, type Target } from "../target.ts";

/** Written down once more, and looked up by Node's own list. */
const INNER_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/4 240.0.0.0/4";
const INNER_V6 = "::/127 fc00::/7 fe80::/10 ff00::/8 2001:db8::/32 2002::/16 2001::/32 64:ff9b:1::/48";
const PUBLIC_ANSWERS = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"];

export const fetchAddress: Target = {
  name: "fetch-address",
  promises:
    "No spelling of an inner address is let through, neither as it is written nor as what a name leads to; the address that is called is one that was checked.",
  kind: "text",
  seeds: () => [
    ...REFUSED_ADDRESSES.filter((_, index) => index % 5 === 0),
    "https://example.com/a?b#c",
    "http://[2606:4700::1111]/",
    "http://8.8.8.8/",
  ],
  words: [
    ..."http:// https:// 127.0.0.1 0x7f.1 017700000001 2130706433 [::1] [::ffff:7f00:1] @ # ? \\ / : . 。 ． %2e %31 localhost".split(
      " ",
    ),
    ..."169.254.169.254 .internal .local example.com. [64:ff9b::7f00:1] ①②⑦ xn-- [fe80::1%25x] user:pass@ 0 00 :80 :65536".split(
      " ",
    ),
  ],
  maxLength: 500,
  open() {
    const inner = innerNetworks();
    const isInner = (address: string): boolean => inner.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
    return {
      async run(input) {
        const address = input.trim();
        if (isIP(address) && !address.includes("%") && isInner(address)) {
          promise(whyNotPublic(address) !== undefined, () => `${address} is taken for a public address`);
        }
        for (const answers of [PUBLIC_ANSWERS, ["10.0.0.1"], isIP(address) ? [address] : ["::ffff:127.0.0.1"]]) {
          const target = await findTarget(input, async () => answers, []).catch(refused);
          if (!target) continue;
          for (const called of target.addresses) {
            promise(isIP(called) !== 0 && !isInner(called), () => `${input} leads to ${called}`);
          }
          promise(/^https?:$/.test(target.url.protocol), () => `${target.url.protocol} is let through`);
          promise(target.port > 0 && target.port < 65_536, () => `the port is ${target.port}`);
          promise(!/(?:^|\.)localhost$/i.test(target.host), "localhost is let through");
        }
      },
    };
  },
};

function innerNetworks(): BlockList {
  const list = new BlockList();
  for (const range of INNER_V4.split(" ")) addTo(list, range, "ipv4");
  for (const range of INNER_V6.split(" ")) addTo(list, range, "ipv6");
  return list;
}

function addTo(list: BlockList, range: string, family: "ipv4" | "ipv6"): void {
  const [network = "", bits] = range.split("/");
  list.addSubnet(network, Number(bits), family);
}

function refused(error: unknown): undefined {
  const { code } = error as { code?: unknown };
  if (code !== "FETCH_REFUSED" && code !== "FETCH_FAILED") throw error;
}
