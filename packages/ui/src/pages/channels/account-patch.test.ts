// Changes of one account leave the others as they are.
import { describe, expect, it } from "vitest";
import { blockOf, removalPatch, settingsPatch, switchPatch, writtenSetting } from "./account-patch.ts";

describe("settings of an account", () => {
  it("stand at the top for the default account", () => {
    expect(settingsPatch({}, [], "default", { botToken: "t" })).toEqual({ enabled: true, botToken: "t" });
  });

  it("stay where the default account has its place", () => {
    const block = { accounts: { default: { botToken: "old" } } };
    expect(settingsPatch(block, ["default"], "default", { botToken: "t" })).toEqual({
      accounts: { default: { enabled: true, botToken: "t" } },
    });
  });

  it("do not turn the first account into shared settings", () => {
    expect(settingsPatch({ enabled: true }, ["default"], "work", {})).toEqual({
      accounts: { default: {}, work: { enabled: true } },
    });
  });

  it("wake only the new account of a channel that is off", () => {
    expect(settingsPatch({ enabled: false, botToken: "t" }, ["default"], "work", { botToken: "u" })).toEqual({
      enabled: true,
      accounts: { default: { enabled: false }, work: { enabled: true, botToken: "u" } },
    });
  });
});

describe("the switch of an account", () => {
  it("is that of the block when it is alone", () => {
    expect(switchPatch({ botToken: "t" }, ["default"], "default", false)).toEqual({ enabled: false });
  });

  it("does not switch off the others", () => {
    const block = { botToken: "t", accounts: { work: {} } };
    expect(switchPatch(block, ["default", "work"], "default", false)).toEqual({
      accounts: { default: { enabled: false } },
    });
  });

  it("does not switch on the others", () => {
    const block = { enabled: false, accounts: { home: {}, work: {} } };
    expect(switchPatch(block, ["home", "work"], "home", true)).toEqual({
      enabled: true,
      accounts: { work: { enabled: false }, home: { enabled: true } },
    });
  });

  it("reaches an account that is alone in its own place", () => {
    const block = { enabled: false, accounts: { home: { enabled: false } } };
    expect(switchPatch(block, ["home"], "home", true)).toEqual({
      enabled: true,
      accounts: { home: { enabled: true } },
    });
  });
});

describe("removing an account", () => {
  it("takes out the block of the only one", () => {
    expect(removalPatch({ botToken: "t" }, ["default"], "default")).toBeNull();
  });

  it("takes out one of several", () => {
    expect(removalPatch({ accounts: { home: {}, work: {} } }, ["home", "work"], "work")).toEqual({
      accounts: { work: null },
    });
  });

  it("does not touch what others share", () => {
    expect(removalPatch({ botToken: "t", accounts: { work: {} } }, ["default", "work"], "default")).toBeUndefined();
  });
});

it("finds the block of a channel, or nothing", () => {
  expect(blockOf({ channels: { irc: { nick: "n" } } }, "irc")).toEqual({ nick: "n" });
  expect(blockOf({ channels: { irc: true } }, "irc")).toEqual({});
  expect(blockOf(null, "irc")).toEqual({});
});

it("finds what an account is set to, first in its own place", () => {
  const block = { host: "a", imap: { host: "i" }, rooms: ["#x", "#y"], accounts: { work: { host: "b" } } };
  const found = ["host", "imap.host", "rooms", "nothing.here", "accounts"].map((name) =>
    writtenSetting(block, "work", name),
  );
  expect(found).toEqual(["b", "i", "#x, #y", undefined, undefined]);
});
