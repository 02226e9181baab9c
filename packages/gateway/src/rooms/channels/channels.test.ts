// Accounts: which there are, that they stay connected, and what a change of the configuration does to them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Secret, type Channel, type ChannelEvent, type ChannelHost, type Logger } from "@chela/sdk";
import { createFakeChannel, createFakeClock, createMemoryLedger, type FakeChannelOptions } from "@chela/sdk/testing";
import type { ChannelsHouse } from "./channels.ts";
import { accountsOf, Channels, type ChannelsView } from "./room.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log } as unknown as Logger;
const directories: string[] = [];
afterEach(() => directories.splice(0).forEach((path) => rmSync(path, { recursive: true, force: true })));

function createStage(block: object, options: FakeChannelOptions & { code?: Partial<Channel> } = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-accounts-"));
  directories.push(stateDir);
  const clock = createFakeClock();
  const fake = createFakeChannel(options);
  const starts: string[] = [];
  const received: ChannelEvent[] = [];
  let config: ChannelsView = { channels: { fake: block } };
  const code: Channel = {
    ...fake.channel,
    ...options.code,
    start(account, host) {
      starts.push(host.account);
      return (options.code?.start ?? fake.channel.start)(account, host);
    },
  };
  const house: ChannelsHouse = {
    clock,
    ids: { uuid: () => "u", entryId: () => "e", secretHex: () => "00" },
    log: { ...log, redact: (text) => text.replaceAll("s3cret", "[redacted]") },
    extraChannels: { fake: code },
    config: { current: () => config, effectiveEnv: () => ({}) },
    ledger: createMemoryLedger(),
    mounts: { serve: () => ({ [Symbol.dispose]: () => {} }) },
    paths: { stateDir },
  };
  const channels = new Channels(house, {
    random: () => 0.5,
    receive: async (_address, event) => (received.push(event), { kind: "accepted" }),
    connected() {},
    changed() {},
    link() {},
    fetchFor: () => async () => new Response(),
  });
  const change = (next: object) => {
    config = { channels: { fake: next } };
    return channels.apply();
  };
  const status = (account = "default") => channels.status("fake").find(({ accountId }) => accountId === account);
  return { channels, clock, fake, starts, received, change, status };
}

describe("accounts in the configuration", () => {
  const ids = (block: object) => accountsOf({ channels: { c: block } }, "c").map(({ account }) => account);
  it.each([
    [{ token: "t" }, ["default"]],
    [{}, ["default"]],
    [{ accounts: { a: {}, b: {} } }, ["a", "b"]],
    [{ botToken: "t", accounts: { a: {} } }, ["default", "a"]],
    [{ botToken: "t", accounts: { Default: {} } }, ["Default"]],
    [{ dmPolicy: "open", accounts: { default: {}, a: {} } }, ["default", "a"]],
  ])("%j are %j", (block, expected) => expect(ids(block)).toEqual(expected));

  it("take what they do not say themselves from the channel, and from the defaults for all", () => {
    const config = {
      channels: {
        defaults: { groupPolicy: "open" },
        c: { dmPolicy: "open", accounts: { a: { dmPolicy: "pairing" } } },
      },
    };
    expect(accountsOf(config, "c")[0]?.settings).toEqual({ groupPolicy: "open", dmPolicy: "pairing" });
  });
});

describe("an account", () => {
  it("connects, and hands on what it hears", async () => {
    const { channels, fake, received, status } = createStage({ token: "t" });
    await channels.apply();
    await fake.untilConnected();
    await fake.say("hello");
    expect(received).toHaveLength(1);
    expect(status()).toMatchObject({ enabled: true, configured: true, linked: true, running: true, connected: true });
    expect(status()?.lastInboundAt).toBeDefined();
    await channels.stop();
    expect(status()).toMatchObject({ running: false, connected: false });
  });

  it("says what is missing, and is left alone when it is switched off", async () => {
    const { channels, status, starts } = createStage({ accounts: { a: {}, b: { token: "t", enabled: false } } });
    await channels.apply();
    expect(status("a")).toMatchObject({ configured: false, running: false, lastError: "token is missing" });
    expect(status("b")).toMatchObject({ enabled: false, running: false });
    expect(starts).toEqual([]);
  });

  it("shows no secret that a platform repeats", async () => {
    const start = async (_account: unknown, host: ChannelHost): Promise<never> => {
      host.report({ lastError: "s3cret was refused" });
      throw new Error("401 for s3cret");
    };
    const { channels, clock, status } = createStage({ token: "t" }, { code: { start } });
    await channels.apply();
    await clock.advance(0);
    expect(status()).toMatchObject({
      lastError: "401 for [redacted]",
      lastDisconnect: { why: "401 for [redacted]" },
    });
    await channels.stop();
  });

  it("connects again after a pause when the connection breaks", async () => {
    const { channels, fake, clock, starts, status } = createStage({ token: "t" });
    await channels.apply();
    await fake.untilConnected();
    fake.cut({ why: "the platform went away" });
    await clock.advance(0);
    expect(status()).toMatchObject({ connected: false, reconnectAttempts: 1, lastError: "the platform went away" });
    expect(channels.connection({ channel: "fake", account: "default" })).toBeUndefined();
    await clock.advance(1000);
    expect(starts).toHaveLength(2);
    expect(status()).toMatchObject({ connected: true, lastDisconnect: { why: "the platform went away" } });
    expect(status()?.lastError).toBeUndefined();
    await channels.stop();
  });

  it("waits longer each time it cannot connect", async () => {
    const start = async () => Promise.reject(new Error("refused"));
    const { channels, clock, starts } = createStage({ token: "t" }, { code: { start } });
    await channels.apply();
    const seen: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1000);
      seen.push(starts.length);
    }
    expect(seen.at(-1)).toBeLessThan(8);
    expect(seen.at(-1)).toBeGreaterThan(4);
    await channels.stop();
  });

  it("gives up when trying again is of no use", async () => {
    const { channels, fake, clock, starts, status } = createStage({ token: "t" });
    await channels.apply();
    await fake.untilConnected();
    fake.cut({ why: "logged out", isFinal: true });
    await clock.advance(600_000);
    expect(starts).toHaveLength(1);
    expect(status()).toMatchObject({ running: false, linked: false, connected: false, lastError: "logged out" });
    channels.reconnect({ channel: "fake", account: "default" });
    await clock.advance(0);
    expect(starts).toHaveLength(2);
    await channels.stop();
  });

  it("is connected anew when it shows no sign of life", async () => {
    const { channels, fake, clock, starts, status } = createStage({ token: "t" }, { traits: { stallMs: 50_000 } });
    await channels.apply();
    await fake.untilConnected();
    await clock.advance(49_000);
    expect(status()?.connected).toBe(true);
    await clock.advance(3_000);
    expect(starts).toHaveLength(2);
    expect(status()?.lastDisconnect?.why).toBe("no sign of life for 50 seconds");
    await channels.stop();
  });

  it("does not go back at once when another program took over", async () => {
    const { channels, fake, clock, starts } = createStage({ token: "t" });
    await channels.apply();
    await fake.untilConnected();
    fake.cut({ why: "somebody else polls", isConflict: true });
    // Random pauses are taken in their middle here: 30 seconds.
    await clock.advance(0);
    await clock.advance(29_000);
    expect(starts).toHaveLength(1);
    await clock.advance(1_000);
    expect(starts).toHaveLength(2);
    await channels.stop();
  });

  it("can be stopped while it is connecting, and a connection that comes after all is closed", async () => {
    const connecting = Promise.withResolvers<void>();
    const closed: string[] = [];
    const { channels, fake, change, status } = createStage(
      { token: "t" },
      {
        code: {
          async start(account, host) {
            await connecting.promise;
            const connection = await fake.channel.start(account, host);
            return { ...connection, close: async () => (closed.push(host.account), connection.close()) };
          },
        },
      },
    );
    await channels.apply();
    await change({ token: "t", enabled: false });
    expect(status()).toMatchObject({ enabled: false, running: false });
    await channels.stop();
    connecting.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toEqual(["default"]);
  });

  it("can be stopped when its connection does not close", async () => {
    const { channels, fake, clock, status } = createStage(
      { token: "t" },
      {
        code: {
          start: async (account, host) => ({
            ...(await fake.channel.start(account, host)),
            close: () => new Promise(() => {}),
          }),
        },
      },
    );
    await channels.apply();
    await fake.untilConnected();
    const stopped = channels.stop();
    await clock.advance(0);
    await clock.advance(10_000);
    await stopped;
    expect(status()).toMatchObject({ running: false });
  });

  it("leaves nothing behind of the connections it had", async () => {
    const { channels, fake, clock } = createStage({ token: "t" }, { traits: { stallMs: 500_000 } });
    await channels.apply();
    await fake.untilConnected();
    const before = clock.waiting;
    for (let round = 0; round < 5; round += 1) {
      fake.cut();
      await clock.advance(0);
      channels.reconnect({ channel: "fake", account: "default" });
      await clock.advance(0);
      await fake.untilConnected();
    }
    expect(clock.waiting).toBe(before);
    await channels.stop();
  });

  it("is not taken for disconnected because of what an earlier connection reports", async () => {
    const hosts: ChannelHost[] = [];
    const { channels, fake, clock, status } = createStage(
      { token: "t" },
      {
        code: { start: (account, host) => (hosts.push(host), fake.channel.start(account, host)) },
      },
    );
    await channels.apply();
    await fake.untilConnected();
    fake.cut();
    await clock.advance(0);
    await clock.advance(2000);
    expect(hosts).toHaveLength(2);
    hosts[0]?.report({ connected: false });
    expect(status()?.connected).toBe(true);
    await channels.stop();
  });
});

describe("a change of the configuration", () => {
  it("never leaves an account without its settings", async () => {
    const closing = Promise.withResolvers<void>();
    const { channels, fake, change } = createStage(
      { accounts: { a: { token: "1" }, b: { token: "2" } } },
      {
        code: {
          async start(account, host) {
            const connection = await fake.channel.start(account, host);
            return host.account === "b" ? { ...connection, close: () => closing.promise } : connection;
          },
        },
      },
    );
    await channels.apply();
    await fake.untilConnected("b");
    const changed = change({ accounts: { a: { token: "3" }, b: { token: "4" } } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(channels.settings({ channel: "fake", account: "a" })).toMatchObject({ token: "3" });
    expect(channels.settings({ channel: "fake", account: "b" })).toBeDefined();
    closing.resolve();
    await changed;
    await channels.stop();
  });

  it("starts and stops what it names, and leaves others alone", async () => {
    const { channels, fake, change, starts } = createStage({ accounts: { a: { token: "1" }, b: { token: "2" } } });
    await channels.apply();
    await fake.untilConnected("b");
    await change({ accounts: { b: { token: "2" }, c: { token: "3" } } });
    await fake.untilConnected("c");
    expect(starts).toEqual(["a", "b", "c"]);
    expect(channels.accountIds("fake")).toEqual(["b", "c"]);
    expect(fake.isConnected("a")).toBe(false);
    await channels.stop();
  });

  it("of who may write needs no new connection, one of a secret does", async () => {
    const configure: Channel["configure"] = (settings) => ({
      kind: "configured",
      account: { token: new Secret((settings as { token: string }).token) },
    });
    const { channels, fake, change, starts } = createStage({ token: "1" }, { code: { configure } });
    await channels.apply();
    await fake.untilConnected();
    await change({ token: "1", allowFrom: ["bob"] });
    expect(starts).toHaveLength(1);
    expect(channels.settings({ channel: "fake", account: "default" })).toMatchObject({ allowFrom: ["bob"] });
    await change({ token: "2" });
    expect(starts).toHaveLength(2);
    await channels.stop();
  });
});
