// S-24: which addresses may be reached, in every spelling they come in.
import { describe, expect, it } from "vitest";
import { findTarget } from "./safe-fetch-target.ts";
import { openSmallInternet } from "./safe-fetch.test-support.ts";

const BLOCKED_HOSTS = [
  "0.0.0.0 0.0.0.1 0.255.255.255 127.0.0.1 127.1.2.3 127.255.255.254 10.0.0.1 10.255.255.255 172.16.0.1",
  "172.20.10.1 172.31.255.255 192.168.0.1 192.168.255.255 169.254.0.1 169.254.169.254 169.254.255.255",
  "100.64.0.1 100.100.100.200 100.127.255.255 192.0.0.1 192.0.0.192 192.0.2.1 198.51.100.7 203.0.113.9",
  "192.88.99.1 198.18.0.1 198.19.255.255 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16",
  // Other spellings of IPv4: decimal, hexadecimal, octal, short, with dots at the end, escaped, full-width.
  "2130706433 3232235777 2852039166 0x7f000001 0x7f.0.0.1 0x7f.1 0177.0.0.1 017700000001 127.1 127.0.1 10.1",
  "192.168.1 169.254.43518 0 0x0 00.00.00.00 127.0.0.1. 0xa9fea9fe 0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe",
  "127%2e0%2e0%2e1 %31%32%37.0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① 0X7F.0.0.1 0x7F.0x0.0x0.0x1 4294967295",
  "0xffffffff 0300.0250.0.1",
  // IPv6 by itself.
  "[::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::0] [fc00::1]",
  "[fd00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [feff::1] [ff02::1] [ff0e::1]",
  "[FF02::2] [100::1] [200::1] [4000::1] [5f00::1] [8000::1] [e000::1] [2001:db8::1] [3fff::1] [3fff:fff::1]",
  "[2001:2::1] [2001:10::1] [2001:20::1] [2001:1::1]",
  // IPv4 inside IPv6.
  "[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [0:0:0:0:0:FFFF:7F00:0001] [::ffff:10.0.0.1]",
  "[::ffff:a00:1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:0.0.0.0]",
  "[0000:0000:0000:0000:0000:ffff:c0a8:0101] [::FfFf:192.168.1.1] [::ffff:100.64.0.1] [::ffff:224.0.0.1]",
  "[::127.0.0.1] [::7f00:1] [::10.0.0.1] [::8.8.8.8] [::ffff:0:127.0.0.1] [::ffff:0:808:808]",
  "[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::192.168.0.1]",
  "[64:ff9b:1::1] [64:ff9b:1::8.8.8.8] [64:ff9b:1:ffff::7f00:1] [64:ff9b:2::1] [2002:7f00:1::]",
  "[2002:a00:1::1] [2002:808:808::1] [2002:c0a8:101::] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2]",
  "[2001:0000::7f00:1]",
  // Names of this machine and of inner networks.
  "localhost LOCALHOST localhost. app.localhost printer.local metadata.google.internal nas.home.arpa",
  "ｌｏｃａｌｈｏｓｔ local%68ost",
].flatMap((line) => line.split(" "));

const ALLOWED_HOSTS = [
  "example.com EXAMPLE.com example.com. münchen.example xn--mnchen-3ya.example a.b.c.d.example.org 8.8.8.8",
  "1.1.1.1 9.9.9.9 93.184.216.34 134744072 0x08080808 010.010.010.010 8.8.2056 11.0.0.1 9.255.255.255",
  "100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.1 172.15.255.255 172.32.0.1",
  "192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 223.255.255.255 192.0.1.1 192.0.3.1 203.0.112.1",
  "203.0.114.1 168.63.129.17 [2606:4700:4700::1111] [2001:4860:4860::8888] [2a00:1450:4001::200e]",
  "[2620:fe::fe] [3ffe::1] [::ffff:8.8.8.8] [::ffff:808:808] [64:ff9b::8.8.8.8] [64:ff9b::808:808]",
  "localhost.example.com local.example",
].flatMap((line) => line.split(" "));

/** What a resolver may say of a harmless-looking name. */
const BLOCKED_ANSWERS = [
  ["127.0.0.1"],
  ["::1"],
  ["::ffff:10.0.0.1"],
  ["fe80::1%lo"],
  ["8.8.8.8", "10.0.0.1"],
  ["2606:4700:4700::1111", "fd00::1"],
  ["not an address"],
];

const REFUSED_URLS: readonly (readonly [url: string, says: RegExp])[] = [
  ["ftp://example.com/", /only http: and https:/],
  ["file:///etc/passwd", /file: addresses cannot be fetched/],
  ["gopher://example.com/", /gopher:/],
  ["data:text/plain,hello", /data:/],
  ["javascript:alert(1)", /javascript:/],
  ["example.com/page", /not a whole web address/],
  ["http://", /not a whole web address/],
  ["http://[::1%25eth0]/", /not a whole web address/],
  ["http://256.1.1.1/", /not a whole web address/],
  ["http://user@example.com/", /user name or password/],
  ["http://user:pass@example.com/", /user name or password/],
  ["http://example.com@127.0.0.1/", /user name or password/],
  ["http://example.com:22/", /port 22 is not allowed/],
  ["http://example.com:25/", /port 25/],
  ["http://example.com:81/", /port 81/],
  ["https://example.com:1023/", /port 1023/],
  ["http://example..com/", /not a host name/],
  ["http://example.com../", /not a host name/],
  [`http://example.com/${"a".repeat(9000)}`, /longer than 8192/],
];

describe("S-24: an address that is not public", () => {
  it.for(BLOCKED_HOSTS)("is refused as %s, before anything is dialled", async (host) => {
    await using internet = await openSmallInternet((_, response) => response.end());
    await expect(internet.fetch(`http://${host}/`)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(internet.dialled).toEqual([]);
  });

  it.for(BLOCKED_ANSWERS)("is refused when a name leads to %j", async (addresses) => {
    await using internet = await openSmallInternet((_, response) => response.end(), {
      names: { "a.example": addresses },
    });
    await expect(internet.fetch("https://a.example/")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(internet.dialled).toEqual([]);
  });

  it("is explained by what it is", async () => {
    await using internet = await openSmallInternet((_, response) => response.end(), {
      names: { "a.example": ["10.1.2.3"] },
    });
    await expect(internet.fetch("http://a.example/")).rejects.toThrow(
      "This address may not be fetched: a.example leads to 10.1.2.3, which is a private network",
    );
  });

  it.for(REFUSED_URLS)("and a URL of another kind is refused with a reason: %s", async ([url, says]) => {
    await using internet = await openSmallInternet((_, response) => response.end());
    await expect(internet.fetch(url)).rejects.toThrow(says);
    expect(internet.dialled).toEqual([]);
  });
});

describe("an address of the open internet", () => {
  it.for(ALLOWED_HOSTS)("is reached as %s", async (host) => {
    await using internet = await openSmallInternet((_, response) => response.end("hello"));
    expect((await internet.fetch(`http://${host}/`)).bytes.toString()).toBe("hello");
    expect(internet.dialled).toHaveLength(1);
  });

  it.for([80, 443, 1024, 8080, 65535])("is reached on port %d", async (port) => {
    await using internet = await openSmallInternet((_, response) => response.end());
    await internet.fetch(`http://example.com:${port}/`);
    expect(internet.dialled).toEqual([`93.184.216.34:${port}`]);
  });
});

describe("what the operator trusts", () => {
  it.for([
    ["search.lan.example", "http://search.lan.example/", ["search.lan.example"]],
    ["a name in another spelling", "http://search.lan.example./", ["Search.LAN.example"]],
    ["an inner name", "http://searx.internal/", ["searx.internal"]],
    ["an address", "http://192.168.1.9/", ["192.168.1.9"]],
    ["a range", "http://192.168.1.9/", ["192.168.0.0/16"]],
    ["a range behind a name", "http://search.lan.example/", ["192.168.0.0/16"]],
    ["a range, reached through a mapped address", "http://[::ffff:192.168.1.9]/", ["192.168.0.0/16"]],
    ["an IPv6 range", "http://[fd00::7]/", ["fd00::/8"]],
    ["an IPv6 address in brackets", "http://[::1]/", ["[::1]"]],
  ] as const)("is reached though it is private: %s", async ([, url, allowPrivate]) => {
    const names = { "search.lan.example": ["192.168.1.9"], "searx.internal": ["10.0.0.2"] };
    await using internet = await openSmallInternet((_, response) => response.end("found"), { names });
    expect((await internet.fetch(url, { allowPrivate })).status).toBe(200);
  });

  it.for([
    ["another address of the network", "http://192.168.1.8/", ["192.168.1.9"]],
    ["an address outside the range", "http://10.0.0.1/", ["192.168.0.0/16"]],
    ["a name that only ends alike", "http://evil-searx.internal/", ["searx.internal"]],
    ["a range without sense", "http://10.0.0.1/", ["10.0.0.0/99", "10.0.0.0/x", "/0", ""]],
  ] as const)("opens nothing else: %s", async ([, url, allowPrivate]) => {
    await using internet = await openSmallInternet((_, response) => response.end("found"));
    await expect(internet.fetch(url, { allowPrivate })).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  });
});

describe("an address that is public, and this machine's own", () => {
  const own = () => ["93.184.216.34", "2606:2800:220:1::1", "fe80::1"];
  const resolve = async () => ["93.184.216.34"];

  it.each(["http://93.184.216.34/", "http://[::ffff:93.184.216.34]/", "http://[2606:2800:220:1:0:0:0:1]:8080/"])(
    "is refused as it is written: %s",
    async (url) => {
      await expect(findTarget(url, resolve, [], own)).rejects.toMatchObject({
        code: "FETCH_REFUSED",
        detail: expect.stringContaining("this machine itself"),
      });
    },
  );

  it("is refused behind a name, unless the operator trusts it", async () => {
    await expect(findTarget("http://example.com/", resolve, [], own)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(await findTarget("http://example.com/", resolve, ["example.com"], own)).toMatchObject({
      addresses: ["93.184.216.34"],
    });
    expect(await findTarget("http://example.com/", resolve, [], () => [])).toMatchObject({ host: "example.com" });
  });
});
