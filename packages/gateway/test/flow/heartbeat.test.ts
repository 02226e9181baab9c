// Heartbeats of a whole gateway: what they cost when nothing happens, what wakes them, and who hears of it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, createFakeClock, say, type FakeClock } from "@chela/sdk/testing";
import { openChannelStage, toldBy } from "../support/stages/channel-stage.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { EventFrame, Json, WireClient } from "../support/wire-client.ts";

const HALF_HOUR = 30 * 60_000;
const DAY = 48 * HALF_HOUR;

function heartbeatsOf(client: WireClient): EventFrame["payload"][] {
  return client.eventsOf("heartbeat").map(({ payload }) => payload);
}

/** Lets time go by in small steps until it is so: work that was begun needs some of it. */
function passing<T>(clock: FakeClock, what: string, look: () => T | undefined): Promise<T> {
  return eventually(what, async () => {
    await clock.advance(250);
    return look();
  });
}

/** The next beats: those that were told after this many. */
async function nextBeat(clock: FakeClock, client: WireClient, told: number): Promise<Json> {
  await clock.advance(HALF_HOUR);
  return passing(clock, "a heartbeat", () => heartbeatsOf(client)[told]);
}

function writeTasks({ stateDir }: TestGateway, text: string): void {
  mkdirSync(join(stateDir, "workspace"), { recursive: true });
  writeFileSync(join(stateDir, "workspace", "HEARTBEAT.md"), text);
}

async function open(heartbeat: Json = {}) {
  const clock = createFakeClock();
  const gateway = await startTestGateway({
    clock,
    config: { agents: { defaults: { heartbeat, userTimezone: "UTC" } } },
  });
  return {
    clock,
    gateway,
    client: await gateway.connect(),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

describe("30 days of an installation that nobody uses", () => {
  test.for([
    ["was never spoken to", 0],
    ["was spoken to once", 1],
  ] as const)("that %s: no model is asked", { timeout: 60_000 }, async ([, talks]) => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    if (talks > 0) {
      const client = await gateway.connect();
      await client.chat("hello");
      await client.close();
    }
    const before = gateway.model.requests.length;
    for (let day = 0; day < 30; day += 1) await clock.advance(DAY);
    const client = await gateway.connect();
    const last = (await client.call("last-heartbeat")) as Json;
    expect(gateway.model.requests.length).toBe(before);
    const reason = talks > 0 ? "empty-heartbeat-file" : "no-heartbeat-file";
    expect(last).toMatchObject({ status: "skipped", reason });
    expect(clock.now() - Number(last["ts"])).toBeLessThan(2 * HALF_HOUR);
  });
});

describe("what is looked after", () => {
  test("a model is asked once for what the file says, and again when something is new", async () => {
    await using scene = await open({ target: "last" });
    const { clock, client, gateway } = scene;
    writeTasks(gateway, "- Water the plants when it is dry\n");
    gateway.model.script(say("HEARTBEAT_OK"));
    expect(await nextBeat(clock, client, 0)).toMatchObject({ status: "ok-token", agentId: "main" });
    expect(gateway.model.requests).toHaveLength(1);
    expect(toldBy(gateway.model.requests[0]).join()).toContain("Water the plants when it is dry");
    expect(await nextBeat(clock, client, 1)).toMatchObject({ status: "skipped", reason: "nothing-changed" });
    writeTasks(gateway, "- Water the plants when it is dry\n- Feed the cat\n");
    gateway.model.script(say("The cat was not fed today."));
    expect(await nextBeat(clock, client, 2)).toMatchObject({
      status: "sent",
      preview: "The cat was not fed today.",
      channel: "webchat",
      indicatorType: "alert",
    });
    expect(gateway.model.requests).toHaveLength(2);
    const { messages } = (await client.call("chat.history", { sessionKey: "main" })) as { messages: Json[] };
    expect(JSON.stringify(messages)).toContain("The cat was not fed today.");
    expect(JSON.stringify(messages)).not.toContain("HEARTBEAT");
  });

  test("the same news is not told twice within a day", async () => {
    await using scene = await open({ target: "last", always: true });
    const { clock, client, gateway } = scene;
    writeTasks(gateway, "- Look at the door");
    gateway.model.script(say("The door is open."), say("The door is open."), say("<think>hm</think>**HEARTBEAT_OK**!"));
    expect(await nextBeat(clock, client, 0)).toMatchObject({ status: "sent" });
    expect(await nextBeat(clock, client, 1)).toMatchObject({ status: "skipped", reason: "duplicate" });
    expect(await nextBeat(clock, client, 2)).toMatchObject({ status: "ok-token" });
  });

  test("it has a conversation of its own that lists leave out, with few files and without what it said before", async () => {
    await using scene = await open({ always: true });
    const { clock, client, gateway } = scene;
    await client.chat("my cat is called Tibbles");
    writeTasks(gateway, "- Look at the door");
    gateway.model.script(say("The door was open."), say("HEARTBEAT_OK"));
    expect(await nextBeat(clock, client, 0)).toMatchObject({ status: "skipped", reason: "target-none" });
    await nextBeat(clock, client, 1);
    const told = toldBy(gateway.model.requests.at(-1));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("> Person: my cat is called Tibbles");
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).not.toContain("The door was open.");
    const { sessions } = (await client.call("sessions.list", {})) as { sessions: Json[] };
    expect(sessions.map(({ key }) => key)).toEqual(["agent:main:main"]);
  });

  test("a model that fails is left alone for a while, and what waits is told later", async () => {
    await using scene = await open();
    const { clock, client, gateway } = scene;
    const failure = { reason: "bad-request", message: "no", retry: "never" } as const;
    gateway.model.script([{ kind: "failure", failure }]);
    await client.call("wake", { mode: "now", text: "The cake is ready" });
    const failed = await passing(clock, "a failure", () => heartbeatsOf(client)[0]);
    expect(failed).toMatchObject({ status: "failed", indicatorType: "error" });
    gateway.model.script(say("Your cake is ready!"));
    await clock.advance(60_000);
    // The timer, whose moment is another one in each installation, may come into the rest.
    const others = () => heartbeatsOf(client).filter(({ reason }) => reason !== "resting");
    expect(await passing(clock, "the news", () => others()[1])).toMatchObject({ status: "sent" });
  });
});

describe("what wakes an agent", () => {
  test("a reminder reaches the chat the person wrote in last, and the conversation knows of it", async () => {
    const clock = createFakeClock();
    await using stage = await openChannelStage({ clock });
    await stage.ask("hello");
    stage.model.script(say("Time to call your mother."));
    expect(await stage.client.call("wake", { mode: "now", text: "Reminder: call mother" })).toEqual({ ok: true });
    await passing(clock, "the reminder", () => stage.fake.sent[1]);
    expect(stage.fake.sent[1]).toMatchObject({ target: { to: "alice" }, text: "Time to call your mother." });
    const event = await passing(clock, "the event", () => heartbeatsOf(stage.client)[0]);
    expect(event).toMatchObject({ status: "sent", channel: "fake", to: "alice" });
    expect(stage.lastTold()).toContain("Reminder: call mother");
    await stage.ask("thanks");
    expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).toContain("Time to call your mother.");
    expect(stage.lastTold()).toMatch(/System: \[.*\] Reminder: call mother \(the person was told\)\n\n.*thanks$/);
    await stage.ask("and now?");
    expect(stage.lastTold()).not.toContain("call mother");
    expect(stage.fake.sent.filter(({ text }) => text.startsWith("Time to"))).toHaveLength(1);
  });

  test("a command that ends in the background does, and the person hears of it", async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({
      clock,
      config: { tools: { exec: { security: "full", ask: "off" } } },
    });
    const client = await gateway.connect();
    gateway.model.script(
      callTool("exec", { command: "echo baked", background: true }),
      say("The oven is on."),
      say("The cake is baked."),
    );
    await client.chat("bake a cake");
    expect(await passing(clock, "the beat", () => heartbeatsOf(client)[0])).toMatchObject({ status: "sent" });
    expect(toldBy(gateway.model.requests.at(-1)).join()).toMatch(/System: \[.*\] Exec completed \(.*\) :: baked/);
    const { messages } = (await client.call("chat.history", { sessionKey: "main" })) as { messages: Json[] };
    expect(JSON.stringify(messages.at(-1))).toContain("The cake is baked.");
  });

  test("events of one moment are told in one go", async () => {
    await using scene = await open();
    const { clock, client, gateway } = scene;
    gateway.model.script(say("Three things happened."));
    for (const text of ["one", "two", "three"]) await client.call("wake", { mode: "now", text });
    await passing(clock, "the beat", () => heartbeatsOf(client)[0]);
    expect(gateway.model.requests).toHaveLength(1);
    const told = toldBy(gateway.model.requests[0]).join();
    for (const text of ["one", "two", "three"]) expect(told).toMatch(new RegExp(`System: \\[.*\\] ${text}`));
  });

  test("what can wait is told with the next heartbeat", async () => {
    await using scene = await open();
    const { clock, client, gateway } = scene;
    await client.call("wake", { mode: "next-heartbeat", text: "the door bell rang" });
    expect(((await client.call("status")) as Json)["queuedSystemEvents"]).toEqual(["the door bell rang"]);
    await clock.advance(1000);
    expect(gateway.model.requests).toHaveLength(0);
    gateway.model.script(say("Somebody was at the door."));
    expect(await nextBeat(clock, client, 0)).toMatchObject({ status: "sent" });
    expect(((await client.call("status")) as Json)["queuedSystemEvents"]).toEqual([]);
  });

  test("nobody is told where the configuration says so, and nothing when it is blank", async () => {
    await using scene = await open({ target: "none" });
    const { clock, client, gateway } = scene;
    gateway.model.script(say("Something happened."));
    expect(await client.call("wake", { mode: "now", text: " " })).toEqual({ ok: false });
    await client.call("wake", { mode: "now", text: "something" });
    const event = await passing(clock, "the beat", () => heartbeatsOf(client)[0]);
    expect(event).toMatchObject({ status: "skipped", reason: "target-none", preview: "Something happened." });
  });

  test("a chat with a single person is left in peace where it is blocked", async () => {
    const clock = createFakeClock();
    const config = {
      agents: { defaults: { model: "scripted/test", heartbeat: { target: "last", directPolicy: "block" } } },
    };
    await using stage = await openChannelStage({ clock, config });
    await stage.ask("hello");
    await stage.client.call("wake", { mode: "now", text: "something" });
    const event = await passing(clock, "the beat", () => heartbeatsOf(stage.client)[0]);
    expect(event).toMatchObject({ status: "skipped", reason: "dm-blocked" });
    expect(stage.fake.sent).toHaveLength(1);
  });

  test("a turn that runs is not disturbed; the event is told behind it", async () => {
    await using scene = await open();
    const { clock, client, gateway } = scene;
    const gate = gateway.gate();
    gateway.model.script(gate.step("a long", " story"), say("It rang."));
    const chat = client.chat("tell me");
    await gate.reached;
    await client.call("wake", { mode: "now", text: "it rang" });
    const first = await passing(clock, "the skip", () => heartbeatsOf(client)[0]);
    expect(first).toMatchObject({ status: "skipped", reason: "requests-in-flight" });
    gate.open();
    await chat;
    expect(await passing(clock, "the beat", () => heartbeatsOf(client)[1])).toMatchObject({ status: "sent" });
  });
});

describe("the switch and the record", () => {
  test("switched off nothing is asked, and what waited is told when it is switched on", async () => {
    await using scene = await open();
    const { clock, client, gateway } = scene;
    expect(await client.call("set-heartbeats", { enabled: false })).toEqual({ ok: true, enabled: false });
    await client.call("wake", { mode: "now", text: "it rang" });
    const skipped = await passing(clock, "the skip", () => heartbeatsOf(client)[0]);
    expect(skipped).toMatchObject({ status: "skipped", reason: "disabled" });
    expect(gateway.model.requests).toHaveLength(0);
    gateway.model.script(say("It rang."));
    await client.call("set-heartbeats", { enabled: true });
    expect(await passing(clock, "the beat", () => heartbeatsOf(client)[1])).toMatchObject({ status: "sent" });
  });

  test("health and status tell how it stands with each agent", async () => {
    await using scene = await open({
      every: "1h",
      activeHours: { start: "08:00", end: "22:00" },
      model: "scripted/test",
    });
    const { client, clock } = scene;
    const status = (await client.call("heartbeat.status")) as { enabled: boolean; agents: Json[] };
    expect(status).toMatchObject({ enabled: true });
    expect(status.agents).toEqual([
      expect.objectContaining({
        agentId: "main",
        enabled: true,
        every: "1h",
        everyMs: 2 * HALF_HOUR,
        last: null,
        file: "missing",
        pending: 0,
        activeHours: { start: "08:00", end: "22:00", timezone: "UTC" },
        isActiveNow: true,
        problems: [],
      }),
    ]);
    expect(Number(status.agents[0]?.["nextAt"]) - clock.now()).toBeLessThanOrEqual(2 * HALF_HOUR);
    expect(await client.call("health")).toMatchObject({
      heartbeatSeconds: 3600,
      agents: [{ agentId: "main", heartbeat: { enabled: true, every: "1h", target: "none", model: "scripted/test" } }],
    });
    expect(await client.call("status")).toMatchObject({
      heartbeat: { agents: [{ agentId: "main", enabled: true, every: "1h", everyMs: 2 * HALF_HOUR }] },
    });
  });

  test("a restart keeps what the last heartbeat did, and goes on with a wake that nobody looked at", async () => {
    using state = createStateDirectory();
    const clock = createFakeClock();
    {
      await using gateway = await startTestGateway({ clock, stateDir: state.path });
      const client = await gateway.connect();
      await nextBeat(clock, client, 0);
      await client.call("wake", { mode: "now", text: "just before the end" });
    }
    await using gateway = await startTestGateway({ clock, stateDir: state.path });
    const client = await gateway.connect();
    expect(await client.call("last-heartbeat")).toMatchObject({ status: "skipped", reason: "no-heartbeat-file" });
    gateway.model.script(say("Something happened before the end."));
    const event = await passing(clock, "the beat", () => heartbeatsOf(client)[0]);
    expect(event).toMatchObject({ status: "sent", preview: "Something happened before the end." });
    expect(await client.call("last-heartbeat")).toMatchObject({ status: "sent" });
    expect(gateway.model.requests).toHaveLength(1);
  });
});
