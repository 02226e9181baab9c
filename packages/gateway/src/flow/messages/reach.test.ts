// How far an agent reaches, for every kind of action, place and person.
import { describe, expect, it } from "vitest";
import { judgeReach, markText, type CurrentChat, type ReachSettings, type Spot } from "./reach.ts";
import type { Reach } from "./request.ts";

const spot = (channel: string, id: string, account = "default"): Spot => ({
  channel,
  account,
  target: { to: id },
  chat: { kind: "group", id },
});
const from = (by: CurrentChat["by"]): CurrentChat => ({ by, ...spot("irc", "#here") });
const HERE = spot("irc", "#here");
const NEAR = spot("irc", "#there");
const FAR = spot("slack", "#far");

const outcome = (
  reach: Reach,
  isOwner: boolean,
  place: CurrentChat | undefined,
  to: Spot,
  settings?: ReachSettings,
) => {
  const verdict = judgeReach({ reach, isOwner, from: place, to, settings });
  return verdict.kind === "refused" ? "refused" : verdict.isElsewhere ? "marked" : "plain";
};

describe("an agent's reach", () => {
  const all: ReachSettings = { crossContext: { allowAcrossProviders: true } };
  const none: ReachSettings = { crossContext: { allowWithinProvider: false, allowAcrossProviders: true } };
  const old: ReachSettings = { allowCrossContextSend: true };

  it.each<[string, CurrentChat | undefined, Spot, ReachSettings | undefined, string, string]>([
    ["its own chat", from("message"), HERE, none, "plain", "plain"],
    ["another chat of the channel", from("message"), NEAR, undefined, "marked", "refused"],
    ["another chat of the channel, when that is off", from("message"), NEAR, none, "refused", "refused"],
    ["the same name on another account", from("message"), spot("irc", "#here", "other"), none, "refused", "refused"],
    ["another channel", from("message"), FAR, undefined, "refused", "refused"],
    ["another channel, when that is on", from("message"), FAR, all, "marked", "refused"],
    ["another channel, with the older setting", from("message"), FAR, old, "marked", "refused"],
    ["its last chat, from our own door", from("session"), HERE, undefined, "plain", "plain"],
    ["anywhere, from our own door", from("session"), FAR, undefined, "plain", "refused"],
    ["anywhere, from nowhere", undefined, FAR, undefined, "plain", "refused"],
  ])("sends to %s", (_where, place, to, settings, forOwner, forOthers) => {
    expect(outcome("send", true, place, to, settings)).toBe(forOwner);
    expect(outcome("send", false, place, to, settings)).toBe(forOthers);
  });

  it.each<Reach>(["touch", "look"])("goes beyond its chat for owners only (%s)", (reach) => {
    for (const isOwner of [true, false]) expect(outcome(reach, isOwner, from("message"), HERE)).toBe("plain");
    for (const to of [NEAR, FAR]) {
      expect(outcome(reach, true, from("message"), to)).toBe("plain");
      expect(outcome(reach, false, from("message"), to, all)).toBe("refused");
    }
  });

  it("takes a person and a group of the same id for two chats", () => {
    const person: Spot = {
      channel: "irc",
      account: "default",
      target: { to: "user:5" },
      chat: { kind: "direct", id: "5" },
    };
    const group: CurrentChat = { by: "message", ...spot("irc", "5") };
    expect(outcome("look", false, group, person)).toBe("refused");
  });
});

it("a text from another chat says so, as the operator wants it", () => {
  expect(markText("hi", "irc", undefined)).toBe("[from irc] hi");
  expect(markText("hi", "irc", { crossContext: { marker: { enabled: false } } })).toBe("hi");
  expect(markText("hi", "irc", { crossContext: { marker: { prefix: "", suffix: " ({channel})" } } })).toBe("hi (irc)");
});
