// What accounts are called.
import { expect, it } from "vitest";
import { accountsOf, selfOf, type AccountRow, type Status } from "./accounts-of.ts";

const row = (more: Partial<AccountRow>): AccountRow => ({
  accountId: "default",
  enabled: true,
  configured: true,
  linked: true,
  running: true,
  connected: true,
  reconnectAttempts: 0,
  unresolved: [],
  deliveries: { pending: 0, undeliverable: 0 },
  ...more,
});

const status = (channelAccounts: Status["channelAccounts"]): Status => ({
  ts: 1,
  channelOrder: Object.keys(channelAccounts),
  channelLabels: { telegram: "Telegram", irc: "IRC" },
  channelDetailLabels: {},
  channelSystemImages: {},
  channelMeta: [],
  channels: {},
  channelAccounts,
  channelDefaultAccountId: {},
});

it("names an account by its platform, and further where there are several or it has a name", () => {
  const found = accountsOf(
    status({ telegram: [row({}), row({ accountId: "work" })], irc: [row({ name: "Libera" })], pigeon: [row({})] }),
    [
      {
        id: "telegram",
        label: "Telegram",
        configured: true,
        isLinkedByPerson: false,
        accounts: [{ accountId: "work", connected: true, abilities: ["send", "directory"] }],
      },
    ],
  );
  expect(found.map(({ name }) => name)).toEqual(["Telegram (default)", "Telegram (work)", "IRC (Libera)", "pigeon"]);
  expect(found[0]?.siblings).toEqual(["default", "work"]);
  expect(found.map(({ abilities }) => abilities.has("directory"))).toEqual([false, true, false, false]);
});

it("says who an account is", () => {
  expect(selfOf(row({ self: { name: "Ada", username: "ada_bot", userId: "7" } }))).toBe("Ada · @ada_bot");
  expect(selfOf(row({ self: { userId: "7" } }))).toBe("7");
  expect(selfOf(row({}))).toBe("");
});
