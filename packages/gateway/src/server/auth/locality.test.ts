// S-05 and S-36: only the socket makes a client local, and credentials do not travel in the open.
import { describe, expect, it } from "vitest";
import { decideTransport, parseAddressList, resolveClient, type ClientQuestion } from "./index.ts";

const NONE = parseAddressList([]);

function client(more: Partial<ClientQuestion> = {}) {
  return resolveClient({
    peerAddress: "127.0.0.1",
    headers: { host: "localhost:18789" },
    trustedProxies: NONE,
    ...more,
  });
}

describe("address lists", () => {
  const list = parseAddressList(["10.0.0.0/8", "192.0.2.1", "fd00::/8", "::1", " 203.0.113.0/24 "]);
  it.each([
    ["10.255.0.1", true],
    ["11.0.0.1", false],
    ["192.0.2.1", true],
    ["192.0.2.2", false],
    ["fd12::1", true],
    ["fe80::1", false],
    ["::1", true],
    ["203.0.113.9", true],
    ["not an address", false],
    ["", false],
  ])("%s", (address, isIn) => expect(list.has(address)).toBe(isIn));

  it("ignore and report what is no range, and ranges that hold everybody", () => {
    const entries = ["0.0.0.0/0", "::/0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "proxy.example", "*", ""];
    const bad = parseAddressList(entries);
    expect(bad.invalid).toEqual(entries);
    expect(bad.isEmpty).toBe(true);
    expect(bad.has("10.0.0.1")).toBe(false);
  });
});

describe("a local client", () => {
  it.each([
    ["127.0.0.1", "localhost"],
    ["127.0.0.1", "LOCALHOST:18789"],
    ["::1", "[::1]:18789"],
    ["::ffff:127.0.0.1", "127.0.0.1:18789"],
    ["::ffff:7f00:1", "localhost."],
    ["127.8.8.8", "127.0.0.1"],
  ])("is at %s and says %s", (peerAddress, host) => {
    expect(client({ peerAddress, headers: { host } }).isLocal).toBe(true);
  });

  it.each([
    ["another machine", { peerAddress: "192.0.2.9" }],
    ["an address that is none", { peerAddress: undefined }],
    ["another name for us", { headers: { host: "evil.example" } }],
    ["a name that only begins like ours", { headers: { host: "localhost.evil.example" } }],
    ["a short spelling of the address", { headers: { host: "127.1" } }],
    ["a number for the address", { headers: { host: "2130706433" } }],
    ["a user in the host", { headers: { host: "localhost@evil.example" } }],
    ["two hosts", { headers: { host: ["localhost", "localhost"] } }],
    ["no host", { headers: {} }],
    ["a tailnet name while Tailscale is off", { headers: { host: "box.tail1.ts.net" } }],
    ["a listed proxy that names nobody", { trustedProxies: parseAddressList(["127.0.0.1"]) }],
  ])("is not %s", (_name, more) => expect(client(more).isLocal).toBe(false));

  it("may use the tailnet name while Tailscale is on", () => {
    expect(client({ headers: { host: "box.tail1.ts.net" }, isTailscaleOn: true }).isLocal).toBe(true);
    expect(client({ headers: { host: ".ts.net" }, isTailscaleOn: true }).isLocal).toBe(false);
  });

  it("is never one that shows any header of a proxy, whatever it says", () => {
    const names = [
      "forwarded",
      "via",
      "x-forwarded-for",
      "x-forwarded-host",
      "x-forwarded-proto",
      "x-forwarded-anything",
    ];
    names.push(
      "x-real-ip",
      "x-client-ip",
      "true-client-ip",
      "cf-connecting-ip",
      "tailscale-user-login",
      "X-Forwarded-For",
    );
    const values = ["127.0.0.1", "::1", "localhost", "", " ", "for=127.0.0.1", "127.0.0.1, 127.0.0.1", "\u0000"];
    const peers = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.9", "10.0.0.1"];
    const proxies = [NONE, parseAddressList(["127.0.0.1", "::1"]), parseAddressList(["10.0.0.0/8"])];
    for (const name of names) {
      for (const value of values) {
        for (const peerAddress of peers) {
          for (const trustedProxies of proxies) {
            const headers = { host: "localhost", [name]: value };
            const found = resolveClient({
              peerAddress,
              headers,
              trustedProxies,
              allowRealIpFallback: true,
              isTailscaleOn: true,
            });
            expect(found.isLocal).toBe(false);
            expect(found.isDirectLoopback).toBe(false);
          }
        }
      }
    }
  });
});

describe("the counted address", () => {
  const trustedProxies = parseAddressList(["10.0.0.0/8", "::1"]);
  it.each([
    ["ignores headers from strangers", "192.0.2.9", { "x-forwarded-for": "127.0.0.1" }, "192.0.2.9"],
    ["takes the hop a listed proxy saw", "10.0.0.1", { "x-forwarded-for": "198.51.100.4" }, "198.51.100.4"],
    [
      "takes the nearest hop that is not ours",
      "10.0.0.1",
      { "x-forwarded-for": "127.0.0.1, 198.51.100.4, 10.0.0.2" },
      "198.51.100.4",
    ],
    ["reads hops with ports", "::1", { "x-forwarded-for": "[2001:db8::1]:443" }, "2001:db8::1"],
    ["stops at nonsense", "10.0.0.1", { "x-forwarded-for": "198.51.100.4, unknown" }, "10.0.0.1"],
    ["needs the switch for x-real-ip", "10.0.0.1", { "x-real-ip": "198.51.100.4" }, "10.0.0.1"],
    ["unwraps IPv4 in IPv6", "::ffff:192.0.2.9", {}, "192.0.2.9"],
    ["drops the zone", "fe80::1%eth0", {}, "fe80::1"],
  ])("%s", (_name, peerAddress, headers, ip) => {
    expect(client({ peerAddress, headers, trustedProxies }).ip).toBe(ip);
  });

  it("takes x-real-ip from a listed proxy when switched on", () => {
    const headers = { "x-real-ip": "198.51.100.4" };
    expect(client({ peerAddress: "10.0.0.1", headers, trustedProxies, allowRealIpFallback: true }).ip).toBe(
      "198.51.100.4",
    );
    expect(client({ peerAddress: "192.0.2.9", headers, trustedProxies, allowRealIpFallback: true }).ip).toBe(
      "192.0.2.9",
    );
  });
});

describe("S-36 a credential", () => {
  const proxy = parseAddressList(["10.0.0.1"]);
  it.each([
    ["on this machine", "127.0.0.1", {}, false, "127.0.0.1", "ok"],
    ["over TLS", "192.0.2.9", {}, true, "192.0.2.1", "ok"],
    ["inside the tailnet", "100.100.1.2", {}, false, "100.64.0.1", "ok"],
    ["from a carrier address to a public one", "100.100.1.2", {}, false, "192.0.2.1", "plaintext"],
    ["in the open", "192.168.1.9", {}, false, "192.168.1.2", "plaintext"],
    ["behind a listed proxy with TLS", "10.0.0.1", { "x-forwarded-proto": "https" }, false, "10.0.0.2", "ok"],
    ["behind a listed proxy without", "10.0.0.1", { "x-forwarded-proto": "http" }, false, "10.0.0.2", "plaintext"],
    ["behind a listed proxy that does not say", "10.0.0.1", {}, false, "10.0.0.2", "plaintext"],
    [
      "behind a stranger that claims TLS",
      "192.0.2.9",
      { "x-forwarded-proto": "https" },
      false,
      "192.0.2.1",
      "plaintext",
    ],
  ])("%s", (_name, peerAddress, headers, isEncrypted, localAddress, kind) => {
    const from = client({ peerAddress, headers, trustedProxies: proxy });
    expect(decideTransport({ client: from, headers, isEncrypted, localAddress }).kind).toBe(kind);
  });
});
