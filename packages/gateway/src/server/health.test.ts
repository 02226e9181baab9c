// What the health snapshot says about channels.
import { expect, it } from "vitest";
import { createFakeChannel, createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { channelLines, glanceAtChannels } from "../rooms/channels/glance.ts";
import { Health } from "./health.ts";

const parts = () => ({
  ledger: createMemoryLedger(),
  clock: createFakeClock(),
  stateDir: "/nowhere",
  agents: () => [],
  heartbeatOf: () => ({ enabled: true, every: "30m", everyMs: 1_800_000, prompt: "", ackMaxChars: 300 }),
});
const flags = { enabled: true, configured: true, linked: true, running: true, connected: true, reconnectAttempts: 0 };

it("names no channels while none is configured", async () => {
  const empty = { channels: {}, channelOrder: [], channelLabels: {} };
  expect(await new Health(parts()).get()).toMatchObject(empty);
  expect(await new Health({ ...parts(), channels: async () => undefined }).get()).toMatchObject(empty);
});

it("shows the default account for the channel, and all of them below it", async () => {
  const work = { ...flags, accountId: "work", lastDisconnect: { at: 5, why: "it was cut" } };
  const known = {
    ids: ["fake"],
    status: () => [{ ...flags, accountId: "home", connected: false }, work],
    defaultAccount: () => "work",
    channel: async () => createFakeChannel().channel,
  };
  const health = new Health({ ...parts(), channels: () => glanceAtChannels(known) });
  const shown = { ...flags, accountId: "work", lastDisconnect: { at: 5, error: "it was cut" } };
  expect(await health.get()).toMatchObject({
    channelOrder: ["fake"],
    channelLabels: { fake: "Fake" },
    channels: { fake: { ...shown, accounts: { home: { connected: false }, work: shown } } },
  });
});

it.each([
  [{ enabled: false }, "switched off"],
  [{ configured: false, lastError: "token is missing" }, "not set up: token is missing"],
  [{ configured: false }, "not started yet"],
  [{}, "connected"],
  [{ connected: false, linked: false, running: false, lastError: "logged out" }, "not linked: logged out"],
  [{ connected: false }, "connecting"],
  [{ connected: false, lastError: "no network" }, "connecting: no network"],
  [{ connected: false, running: false }, "stopped"],
])("says of an account with %j: %s", (change, says) => {
  const state = { ...flags, accountId: "default", ...change };
  const channels = { fake: { ...state, accounts: { default: state } } };
  const lines = channelLines({ channelOrder: ["fake"], channelLabels: { fake: "Fake" }, channels });
  expect(lines).toEqual([`Fake: ${says}`]);
});
