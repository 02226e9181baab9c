// Slack's Socket Mode with Slack's own library, against a fixture that speaks the documented envelopes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChannelConnection } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { slackChannel } from "../src/slack/channel.ts";
import { openEventsPeer, type EventsPeer } from "./slack-events.test-support.ts";
import { openSocketFixture, type SocketFixture } from "./slack-socket.test-support.ts";

let peer: EventsPeer;
let fixture: SocketFixture;
let directory: string;
let host: FakeHost;
let connection: ChannelConnection | undefined;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "chela-slack-"));
  peer = await openEventsPeer();
  fixture = await openSocketFixture(peer.apiRoot);
  host = createFakeHost({ directory });
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await fixture[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

async function start(settings: object = {}): Promise<ChannelConnection> {
  const configured = slackChannel.configure(
    { botToken: peer.botToken, appToken: fixture.appToken, apiRoot: fixture.apiRoot, ...settings },
    () => undefined,
  );
  if (configured.kind !== "configured") throw new Error(configured.why);
  connection = await slackChannel.start(configured.account, host);
  return connection;
}

const message = (ts: string, text: string) => ({
  type: "event_callback",
  team_id: "TCRABLINE",
  event: { type: "message", channel: "D0ALICEDM1", channel_type: "im", user: "U0ALICE001", ts, text },
});

describe("an envelope", () => {
  it("is acknowledged when it is stored, and not before", async () => {
    await start();
    const stored = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    host.answer(async () => {
      reached.resolve();
      await stored.promise;
      return { kind: "accepted" };
    });
    const acknowledged = fixture.hand("events_api", message("1.000001", "hi"));
    await reached.promise;
    expect(fixture.pending.size).toBe(1);
    stored.resolve();
    await acknowledged;
    expect(fixture.pending.size).toBe(0);
    expect((await host.next()).content).toMatchObject({ text: "hi" });
  });

  it("of a kind nobody reads is acknowledged, too, or it would come for ever", async () => {
    await start();
    await fixture.hand("events_api", {
      type: "event_callback",
      team_id: "TCRABLINE",
      event: { type: "emoji_changed" },
    });
    await fixture.hand("interactive", { type: "view_closed" });
    expect(host.events).toEqual([]);
  });

  it("with a command or a button comes in like over HTTP", async () => {
    await start({ slashCommand: { enabled: true, name: "/bot" } });
    await fixture.hand("slash_commands", {
      command: "/bot",
      text: "model",
      user_id: "U0ALICE001",
      channel_id: "D0ALICEDM1",
    });
    await fixture.hand("interactive", {
      type: "block_actions",
      user: { id: "U0ALICE001" },
      channel: { id: "D0ALICEDM1" },
      message: { ts: "5.000001" },
      actions: [{ type: "button", action_id: "chela_0_0", value: "go", action_ts: "6.0" }],
    });
    expect(host.events.map(({ content }) => content)).toEqual([
      { kind: "command", text: "/model" },
      { kind: "button", data: "go", on: "5.000001" },
    ]);
  });

  it("with a command that is switched off is answered in words", async () => {
    await start();
    const command = { command: "/openclaw", text: "", user_id: "U0ALICE001", channel_id: "D0ALICEDM1" };
    const { payload } = await fixture.hand("slash_commands", command);
    expect(payload?.["text"]).toContain("slashCommand.enabled");
  });
});

describe("the connection", () => {
  it("is made anew when Slack asks for it, without an end and without loss", async () => {
    const { ended } = await start();
    let isOver = false;
    void ended.then(() => (isOver = true));
    fixture.disconnect("refresh_requested");
    await fixture.greeted(2);
    await fixture.hand("events_api", message("2.000001", "still here?"));
    expect((await host.next()).content).toMatchObject({ text: "still here?" });
    expect(host.reported.connected).toBe(true);
    expect(isOver).toBe(false);
  });

  it("ends for good when Socket Mode is switched off, or its renewal is refused", async () => {
    await start();
    fixture.disconnect("link_disabled");
    expect(await connection?.ended).toMatchObject({ isFinal: true });
    await connection?.close();
    const second = await start();
    fixture.refuse("invalid_auth");
    fixture.disconnect("warning");
    expect(await second.ended).toMatchObject({ isFinal: true });
    expect(host.reported.connected).toBe(false);
  });

  it("shows by pongs that it lives", async () => {
    await start();
    const lives = Promise.withResolvers<void>();
    const { count } = host.signs;
    const alive = host.alive.bind(host);
    Object.assign(host, {
      alive: () => {
        alive();
        lives.resolve();
      },
    });
    await lives.promise;
    expect(host.signs.count).toBeGreaterThan(count);
  });

  it("is refused in words an operator can use", async () => {
    await expect(start({ appToken: "xapp-wrong" })).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    fixture.refuse("internal_error");
    await expect(start()).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
  });
});
