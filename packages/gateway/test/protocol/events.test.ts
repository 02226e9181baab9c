// What a client hears without asking: hello-ok, ticks, health, presence, and the numbers on all of it.
import { expect, test } from "vitest";
import { EventFrame, EVENTS, HelloOk, METHODS, PresenceEntry } from "@chela/sdk/protocol";
import { createFakeClock } from "@chela/sdk/testing";
import { startTestGateway } from "../support/in-process.ts";

test("hello-ok has the shape clients know, and says what is true", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect({ client: { id: "test", mode: "test" } });
  const { hello } = client;
  expect(HelloOk().safeParse(hello).error).toBeUndefined();
  expect(Object.keys(hello)).toEqual(["type", "protocol", "server", "features", "snapshot", "auth", "policy"]);
  expect(hello.protocol).toBe(3);
  expect(hello.policy).toEqual({ maxPayload: 26_214_400, maxBufferedBytes: 52_428_800, tickIntervalMs: 30_000 });
  expect(hello.snapshot).toMatchObject({
    stateDir: gateway.stateDir,
    configPath: gateway.configPath,
    authMode: "token",
    sessionDefaults: {
      defaultAgentId: "main",
      mainKey: "main",
      mainSessionKey: "agent:main:main",
      scope: "per-sender",
    },
    health: { ok: true, channels: {}, channelOrder: [], channelLabels: {}, defaultAgentId: "main" },
  });
  expect(hello.auth.deviceToken.length).toBeGreaterThanOrEqual(43);
  expect(hello.features.events).toEqual(EVENTS);
  const listed = Object.entries(METHODS).filter(([, spec]) => !("unlisted" in spec));
  expect(hello.features.methods).toEqual(listed.map(([name]) => name));
  expect(hello.features.methods).not.toContain("chat.inject");
  const [self, mine] = hello.snapshot.presence;
  expect(self).toMatchObject({ mode: "gateway", reason: "self" });
  expect(self.text).toMatch(/^Gateway: .* · app .* · mode gateway · reason self$/);
  expect(mine).toMatchObject({
    host: "test",
    mode: "test",
    deviceId: client.device?.id,
    reason: "connect",
    roles: ["operator"],
    text: "Node: test · mode test",
  });
});

test("the challenge comes first, without a number", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  expect(client.frames[0]).toEqual({
    type: "event",
    event: "connect.challenge",
    payload: { nonce: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/), ts: expect.any(Number) },
  });
});

test("a tick comes every thirty seconds, and health every minute", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  await client.untilEvent("health");
  await clock.advance(30_000);
  const tick = await client.untilEvent("tick");
  expect(tick.payload).toEqual({ ts: clock.now() });
  const before = client.eventsOf("health").length;
  await clock.advance(30_000);
  await client.until("another tick", () => (client.eventsOf("tick").length === 2 ? true : undefined));
  await client.until("health", () => (client.eventsOf("health").length > before ? true : undefined));
});

test("clients that come and go change presence and health for everybody", async () => {
  await using gateway = await startTestGateway();
  const watcher = await gateway.connect();
  const page = await gateway.connect({ client: { id: "gateway-client", mode: "backend", displayName: "my script" } });
  const { id } = page.device ?? { id: "" };
  const entryOf = (payload: { presence: { deviceId?: string; reason?: string }[] }, reason: string) =>
    payload.presence.find((one) => one.deviceId === id && one.reason === reason);
  const joined = await watcher.untilEvent("presence", ({ payload }) => entryOf(payload, "connect") !== undefined);
  expect(joined.stateVersion).toEqual({ presence: expect.any(Number), health: expect.any(Number) });
  for (const entry of joined.payload.presence) expect(PresenceEntry().safeParse(entry).error).toBeUndefined();
  expect(entryOf(joined.payload, "connect")).toMatchObject({
    host: "my script",
    text: "Node: my script · mode backend",
  });
  await page.close();
  const left = await watcher.untilEvent("presence", ({ payload }) => entryOf(payload, "disconnect") !== undefined);
  expect(left.stateVersion?.presence).toBeGreaterThan(joined.stateVersion?.presence ?? 0);
  expect(watcher.eventsOf("health").length).toBeGreaterThan(0);
});

test("a client that reconnects is not marked as gone by the end of its old connection", async () => {
  await using gateway = await startTestGateway();
  const watcher = await gateway.connect();
  const options = { client: { id: "test", mode: "test" } };
  const old = await gateway.connect(options);
  await gateway.connect({ ...options, device: old.device });
  await old.close();
  await watcher.call("health", { probe: true });
  const list = (await watcher.call("system-presence")) as { deviceId?: string; reason: string }[];
  expect(list.find(({ deviceId }) => deviceId === old.device?.id)?.reason).toBe("connect");
});

test("each client's events are numbered without gaps, whatever it may not hear", async () => {
  await using gateway = await startTestGateway();
  const all = await gateway.connect();
  const few = await gateway.connect({ scopes: ["operator.pairing"] });
  await few.untilEvent("health");
  await all.chat("hello");
  await all.agent("hello again");
  const late = await gateway.connect();
  await all.until("presence of all three", () => all.eventsOf("presence").at(-1));
  await few.untilEvent("health");
  for (const client of [all, few, late]) {
    await client.call("health");
    for (const event of client.events) expect(EventFrame().safeParse(event).error).toBeUndefined();
    const [challenge, ...told] = client.events;
    expect(challenge?.seq).toBeUndefined();
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
  }
  expect(few.eventsOf("chat")).toEqual([]);
  expect(few.eventsOf("presence")).toEqual([]);
  expect(few.eventsOf("changed")).toEqual([]);
});

test("nothing is counted while nobody listens", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  await (await gateway.connect({ client: { id: "cli", mode: "cli" } })).close();
  await clock.advance(120_000);
  const client = await gateway.connect();
  const health = await client.untilEvent("health");
  expect(health.seq).toBeLessThan(5);
});

test("everybody is told before the gateway stops, and then closed with 1012", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  await Promise.all([gateway.gateway.stop("restart"), client.closed]);
  const shutdown = await client.untilEvent("shutdown");
  expect(shutdown.payload).toEqual({ reason: "gateway restarting", restartExpectedMs: 1500 });
  expect(await client.closed).toEqual({ code: 1012, reason: "service restart" });
  expect(await gateway.gateway.done).toBe("restart");
});
