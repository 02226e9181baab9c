// Which address a phone is given, and which are refused because they would not work or not be safe.
import { expect, it } from "vitest";
import { chooseSetupUrl, type ListeningPlace } from "./setup-url.ts";

const address = (of: string, internal = false) => ({ address: of, family: "IPv4", internal }) as never;
const MACHINE = { lo: [address("127.0.0.1", true)], eth0: [address("192.0.2.4")], tail: [address("100.64.0.9")] };
const NO_TAILNET = { lo: MACHINE.lo, eth0: MACHINE.eth0 };

const place = (more: Partial<ListeningPlace> = {}): ListeningPlace => ({
  hosts: ["127.0.0.1"],
  port: 18789,
  isEncrypted: false,
  allowPlaintext: false,
  ...more,
});
const LAN = { hosts: ["0.0.0.0"] };

it.each([
  ["encrypted on the network", { ...LAN, isEncrypted: true }, NO_TAILNET, "wss://192.0.2.4:18789"],
  ["a tailnet address", { hosts: ["100.64.0.9", "127.0.0.1"] }, MACHINE, "ws://100.64.0.9:18789"],
  ["the tailnet before plain text", LAN, MACHINE, "ws://100.64.0.9:18789"],
  ["plain text where that is allowed", { ...LAN, allowPlaintext: true }, NO_TAILNET, "ws://192.0.2.4:18789"],
  ["an address of IPv6", { hosts: ["2001:db8::1"], isEncrypted: true }, NO_TAILNET, "wss://[2001:db8::1]:18789"],
])("finds %s", (_what, more, interfaces, url) => {
  expect(chooseSetupUrl(undefined, place(more), interfaces)).toEqual({ kind: "ok", url });
});

it.each([
  ["this machine only", {}, MACHINE, /listens on this machine only/],
  ["plain text", LAN, NO_TAILNET, /plain text/],
  ["no network", LAN, { lo: MACHINE.lo }, /no address on a network/],
])("refuses %s, and says what to do", (_what, more, interfaces, why) => {
  const chosen = chooseSetupUrl(undefined, place(more), interfaces);
  expect(chosen).toMatchObject({
    kind: "refused",
    why: expect.stringMatching(why),
    fix: expect.stringMatching(/\S{3}/),
  });
});

it.each([
  ["wss://claw.example", "wss://claw.example"],
  ["https://claw.example:8443/base/", "wss://claw.example:8443/base"],
  ["ws://100.64.0.9:18789", "ws://100.64.0.9:18789"],
])("takes %s", (asked, url) => expect(chooseSetupUrl(asked, place(), MACHINE)).toEqual({ kind: "ok", url }));

it.each([
  ["ws://192.0.2.4:18789", /not encrypted/],
  ["http://claw.example", /not encrypted/],
  ["wss://localhost:18789", /this machine/],
  ["wss://127.0.0.1", /this machine/],
  ["wss://[::1]:1", /this machine/],
  ["wss://user:secret@claw.example", /no user or password/],
  ["ftp://claw.example", /not the address/],
  ["nonsense", /not the address/],
])("refuses %s", (asked, why) => {
  expect(chooseSetupUrl(asked, place(), MACHINE)).toMatchObject({ kind: "refused", why: expect.stringMatching(why) });
});
