// What settings of an XMPP account mean, and how people and places are written.
import { describe, expect, it } from "vitest";
import { xmppChannel } from "./channel.ts";

const nothing = (): undefined => undefined;
const least = { jid: "Agent@Example.org", password: "hidden-word" };

describe("the settings", () => {
  it("fill in what follows from the address", () => {
    expect(xmppChannel.configure({ ...least, rooms: ["Lobby@rooms.example.org"] }, nothing)).toMatchObject({
      kind: "configured",
      account: {
        jid: "agent@example.org",
        domain: "example.org",
        resource: "chela",
        nick: "agent",
        rooms: [{ jid: "lobby@rooms.example.org", nick: "agent" }],
      },
    });
  });

  it("show the password nowhere", () => {
    expect(JSON.stringify(xmppChannel.configure(least, nothing))).not.toContain("hidden-word");
  });

  it.each([
    ["no address", { password: "p" }],
    ["only a domain", { ...least, jid: "example.org" }],
    ["no password", { jid: least.jid }],
    ["a way without encryption", { ...least, service: "ws://example.org/ws" }],
    ["a room that is none", { ...least, rooms: ["lobby"] }],
  ])("with %s say what is wrong", (_what, settings) => {
    const read = xmppChannel.configure(settings, nothing);
    expect(read.kind === "incomplete" && read.why).toMatch(/channels\.xmpp|needs/);
  });

  it("know rooms by their addresses in lower case", () => {
    const groups = { "Lobby@Rooms.example.org": { requireMention: false }, "*": {} };
    expect(Object.keys(xmppChannel.policy({ groups }).groups)).toEqual(["lobby@rooms.example.org", "*"]);
  });
});

describe("addresses", () => {
  it.each([
    ["Alice@Example.org", { kind: "id", id: "alice@example.org" }],
    ["xmpp:alice@example.org", { kind: "id", id: "alice@example.org" }],
    ["occupant:Lobby@rooms.example.org/aB/+=", { kind: "id", id: "occupant:lobby@rooms.example.org/aB/+=" }],
    ["lobby@rooms.example.org/Alice", { kind: "unusable" }],
    ["alice", { kind: "unusable" }],
    ["occupant:x", { kind: "unusable" }],
    ["a b@example.org", { kind: "unusable" }],
  ])("the entry %j means %j", (written, means) => {
    expect(xmppChannel.readId(written)).toMatchObject(means);
  });

  it.each([
    ["alice@example.org", { kind: "target", target: { to: "alice@example.org" }, chat: { kind: "direct" } }],
    [
      "room:Lobby@rooms.example.org",
      { kind: "target", target: { to: "room:lobby@rooms.example.org" }, chat: { kind: "group" } },
    ],
    ["lobby@rooms.example.org/Alice", { kind: "unusable" }],
    ["<x/>", { kind: "unusable" }],
  ])("the target %j means %j", (written, means) => {
    expect(xmppChannel.readTarget(written)).toMatchObject(means);
  });
});
