// What must hold on the way of a message from and to a channel when things go wrong at the worst moment.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChannelConnection, ModelEvent } from "@chela/sdk";
import { callTool, createFakeChannel, createFakeClock, say, type FakeChannel } from "@chela/sdk/testing";
import { believesAll } from "../../src/base/files/believed.test-support.ts";
import { createIds } from "../../src/base/ids.ts";
import { createLog } from "../../src/base/log.ts";
import { systemClock } from "@chela/sdk/base";
import { PairingStore } from "../../src/rooms/access/room.ts";
import { openChannelStage, openRawStage, toldBy } from "../support/stages/channel-stage.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const OPEN = { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] };
const texts = (sent: ReadonlyArray<{ text: string }>) => sent.map(({ text }) => text);

/** What the gateway sees of a connection, with some of it replaced. */
function withConnection(
  { channel }: FakeChannel,
  change: (connection: ChannelConnection) => Partial<ChannelConnection>,
): FakeChannel["channel"] {
  return {
    ...channel,
    async start(account, host) {
      const connection = await channel.start(account, host);
      return { ...connection, ...change(connection) };
    },
  };
}

/** Stops a gateway while "first" is answered and the others wait behind it; they are left for the next start. */
async function leaveWaiting(stateDir: string, ...waiting: string[]): Promise<void> {
  const fake = createFakeChannel();
  await using gateway = await startTestGateway({ stateDir, channels: { fake: fake.channel } });
  await fake.untilConnected();
  const gate = gateway.gate();
  gateway.model.script(gate.step("", "first"));
  await fake.say("one");
  await gate.reached;
  for (const text of waiting) await fake.say(text);
  void gateway.gateway.stop("stop");
}

const answeredIn = (gateway: TestGateway, count: number) =>
  eventually(`${count} answers`, () => (gateway.model.requests.length >= count ? true : undefined));

describe("messages that were accepted before a restart", () => {
  it("are all answered, even when fewer may wait now than did", async () => {
    const queue = { mode: "followup", cap: 9, drop: "new" };
    using directory = createStateDirectory({ channels: { fake: OPEN }, messages: { queue } });
    await leaveWaiting(directory.path, "two", "three", "four");
    const path = join(directory.path, "openclaw.json");
    const config = JSON.parse(readFileSync(path, "utf8")) as Json;
    writeFileSync(path, JSON.stringify({ ...config, messages: { queue: { ...queue, cap: 1 } } }));
    const fake = createFakeChannel();
    await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: fake.channel } });
    gateway.model.script(say("2"), say("3"), say("4"));
    await answeredIn(gateway, 3);
    expect(texts(await fake.until(4)).slice(-3)).toEqual(["2", "3", "4"]);
  });

  it("do not bring the gateway down when their channel is not there any more", async () => {
    using directory = createStateDirectory({ channels: { fake: OPEN }, messages: { queue: { mode: "followup" } } });
    await leaveWaiting(directory.path, "two");
    await using gateway = await startTestGateway({ stateDir: directory.path });
    gateway.model.script(say("for nobody"));
    const client = await gateway.connect();
    const given = await eventually("it is given up", async () => {
      const { deliveries } = await client.call("deliveries.list", { state: "undeliverable" });
      return JSON.stringify(deliveries).includes("for nobody") ? deliveries : undefined;
    });
    expect(JSON.stringify(given)).toMatch(/"channel":"fake".*for nobody/);
  });
});

describe("messages that are answered together", () => {
  it("are told of a failure once", async () => {
    const measure = (markdown: string): number => {
      if (markdown.includes("boom")) throw new TypeError("this channel has a fault");
      return markdown.length;
    };
    await using stage = await openChannelStage({
      fake: { traits: { measure } },
      config: { messages: { queue: { mode: "collect", debounceMs: 20 } } },
    });
    const { fake, model, gateway } = stage;
    const gate = gateway.gate();
    model.script(gate.step("", "first"), say("boom"), say("third"));
    await fake.say("one");
    await gate.reached;
    await fake.say("two");
    await fake.say("three");
    gate.open();
    await fake.until(2);
    expect(await stage.ask("four")).toBe("third");
    expect(texts(fake.sent).filter((text) => text.startsWith("⚠️"))).toHaveLength(1);
  });
});

describe("a message that is said to a running turn", () => {
  it("keeps what came with it, and its place: it has a turn of its own then", async () => {
    await using stage = await openChannelStage({ config: { messages: { queue: { mode: "steer", debounceMs: 20 } } } });
    const { fake, model } = stage;
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    fake.files.set("f1", new TextEncoder().encode("a shopping list"));
    model.script(
      async function* (): AsyncIterable<ModelEvent> {
        reached.resolve();
        await opened.promise;
        yield* callTool("session_status", {});
      },
      say("first"),
      say("second"),
      say("third"),
    );
    await fake.say("one");
    await reached.promise;
    await fake.say("two", { more: { media: [{ kind: "file", ref: "f1", name: "list.txt", mimeType: "text/plain" }] } });
    await fake.say("three");
    opened.resolve();
    expect(texts(await fake.until(3))).toEqual(["first", "second", "third"]);
    expect(toldBy(model.requests[1])).toHaveLength(1);
    expect(toldBy(model.requests[2]).at(-1)).toMatch(/\[media attached: .*\n(?:.*\n)*two$/);
    expect(toldBy(model.requests[3]).at(-1)).toMatch(/three$/);
  });
});

describe("a turn that was told something, and is taken up after a restart", () => {
  it("loses nothing of what it said before", async () => {
    const queue = { mode: "steer", debounceMs: 20 };
    using directory = createStateDirectory({ channels: { fake: OPEN }, messages: { queue } });
    {
      const clock = createFakeClock(Date.now());
      const fake = createFakeChannel();
      await using gateway = await startTestGateway({
        stateDir: directory.path,
        clock,
        channels: { fake: fake.channel },
      });
      await fake.untilConnected();
      const [first, second] = [Promise.withResolvers<void>(), gateway.gate()];
      const opened = Promise.withResolvers<void>();
      gateway.model.script(
        async function* (): AsyncIterable<ModelEvent> {
          first.resolve();
          await opened.promise;
          yield { kind: "text", delta: "Let me see." };
          yield* callTool("session_status", {});
        },
        second.step("", "never"),
      );
      await fake.say("one");
      await first.promise;
      await clock.advance(1);
      await fake.say("and hurry");
      opened.resolve();
      await second.reached;
      const stopped = gateway.gateway.stop("stop");
      await clock.advance(60_000);
      await stopped;
    }
    const fake = createFakeChannel();
    await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: fake.channel } });
    gateway.model.script(say("There it is."));
    await eventually("the answer", () => texts(fake.sent).join().includes("There it is.") || undefined);
    expect(texts(fake.sent).join("\n")).toMatch(/Let me see\.\s+There it is\./);
    expect(toldBy(gateway.model.requests[0]).at(-1)).toMatch(/and hurry$/);
  });
});

describe("a conversation that several people share", () => {
  it("is answered to each of them where they wrote", async () => {
    await using stage = await openChannelStage({
      settings: { allowFrom: ["alice", "bob"] },
      config: { session: { dmScope: "main" }, messages: { queue: { mode: "collect", debounceMs: 20 } } },
    });
    const { fake, model, gateway } = stage;
    const gate = gateway.gate();
    model.script(gate.step("", "to alice"), say("to bob"), say("to alice again"));
    await fake.say("one");
    await gate.reached;
    await fake.say("two", { from: "bob" });
    await fake.say("three");
    gate.open();
    expect((await fake.until(3)).map(({ target, text }) => [target.to, text])).toEqual([
      ["alice", "to alice"],
      ["bob", "to bob"],
      ["alice", "to alice again"],
    ]);
    expect(new Set(model.requests.map(({ messages }) => messages.length)).size).toBe(3);
  });
});

describe("/stop", () => {
  it("while a file is being fetched is a stop, and no failure", async () => {
    const fetching = Promise.withResolvers<void>();
    await using stage = await openChannelStage({
      wrap: (fake) =>
        withConnection(fake, () => ({
          download: (_ref, signal) =>
            new Promise((_, reject) => {
              signal.addEventListener("abort", () => reject(new Error("aborted")));
              fetching.resolve();
            }),
        })),
    });
    const { fake, model } = stage;
    await fake.say("look", { more: { media: [{ kind: "file", ref: "f1" }] } });
    await fetching.promise;
    await fake.say("/stop");
    await fake.until(1);
    model.script(say("at your service"));
    await fake.say("hello?");
    expect(texts(await fake.until(2))).toEqual(["⚙️ Stopped.", "at your service"]);
    expect(toldBy(model.requests.at(-1)).join("\n")).toContain("look");
  });
});

describe("a message right behind a command", () => {
  it("is answered as the command says", async () => {
    const models = [
      { id: "test", name: "Test" },
      { id: "other", name: "Other" },
    ];
    await using stage = await openChannelStage({ config: { models: { providers: { scripted: { models } } } } });
    const { fake, model } = stage;
    void fake.say("/model scripted/other");
    await fake.say("hello");
    await fake.until(2);
    expect(model.requests.map((request) => request.model.id)).toEqual(["other"]);
  });

  it("does not wait for a command that waits for the conversation", async () => {
    await using stage = await openChannelStage();
    const { fake, model } = stage;
    await stage.ask("one");
    model.script(say("two"), say("a summary"));
    void fake.say("/compact");
    await fake.say("hello");
    expect(texts(await fake.until(3))).toContain("two");
  });
});

describe("a file that never comes", () => {
  it("does not keep a turn from being stopped", async () => {
    const fetching = Promise.withResolvers<void>();
    await using stage = await openChannelStage({
      wrap: (fake) =>
        withConnection(fake, () => ({ download: () => (fetching.resolve(), new Promise<never>(() => {})) })),
    });
    const { fake, model } = stage;
    await fake.say("look", { more: { media: [{ kind: "file", ref: "f1" }] } });
    await fetching.promise;
    await fake.say("/stop");
    await fake.until(1);
    model.script(say("at your service"));
    expect(await stage.ask("hello?")).toBe("at your service");
  });
});

describe("somebody unknown", () => {
  it("is told their code when the gateway died before it could", async () => {
    using directory = createStateDirectory({ channels: { fake: { token: "t", dmPolicy: "pairing" } } });
    const store = new PairingStore({
      directory: join(directory.path, "credentials"),
      clock: systemClock,
      ids: createIds(),
      log: createLog({ clock: systemClock, level: "silent", consoleLevel: "silent" }),
      lock: async () => () => {},
      believed: believesAll,
    });
    const asked = await store.request("fake", "default", "bob");
    const code = asked.kind === "new" ? asked.code : "";
    const fake = createFakeChannel();
    await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: fake.channel } });
    await fake.untilConnected();
    await fake.say("hello", { from: "bob", id: "b1" });
    expect((await fake.until(1))[0]?.text).toContain(code);
    await fake.say("hello", { from: "bob", id: "b1" });
    await fake.say("anybody there?", { from: "bob", id: "b2" });
    expect(gateway.model.requests).toHaveLength(0);
    await fake.say("I am new", { from: "carol" });
    expect(texts(await fake.until(2)).filter((text) => text.includes(code))).toHaveLength(1);
  });
});

describe("a preview that the platform never confirms", () => {
  it("does not keep the answer back for ever", async () => {
    const clock = createFakeClock(Date.now());
    let isStuck = false;
    await using stage = await openChannelStage({
      clock,
      settings: { streaming: "partial" },
      fake: { traits: { previewEveryMs: 10 } },
      wrap: (fake) =>
        withConnection(fake, (connection) => {
          let edits = 0;
          return {
            edit(target, messageId, markdown) {
              edits += 1;
              if (edits > 1) return connection.edit?.(target, messageId, markdown) as never;
              isStuck = true;
              return new Promise(() => {});
            },
          };
        }),
    });
    const { fake, model, gateway } = stage;
    const gate = gateway.gate();
    const long = "a text that is long enough to be shown while it is being written";
    model.script(async function* (request, signal): AsyncIterable<ModelEvent> {
      yield { kind: "text", delta: long };
      await eventually("a preview", async () => (await clock.advance(50), fake.sent.length > 0 || undefined));
      yield { kind: "text", delta: ` and longer than that ${"x".repeat(40)}` };
      await eventually("an edit", async () => (await clock.advance(50), isStuck || undefined));
      yield* gate.step("", " done")(request, signal);
    });
    gate.open();
    await fake.say("tell me");
    await eventually("the answer", async () => {
      await clock.advance(1000);
      return fake.sent.some(({ text }) => text.endsWith(" done")) || undefined;
    });
  });
});

describe("an event of an account that was just removed", () => {
  it("is neither judged without rules nor acknowledged, so that it comes again where the account went", async () => {
    await using stage = await openRawStage({ settings: { dmPolicy: "pairing" } });
    const { fake, gateway, receive } = stage;
    const { channels: _gone, ...config } = JSON.parse(readFileSync(gateway.configPath, "utf8")) as Json;
    writeFileSync(gateway.configPath, JSON.stringify(config));
    await eventually("the account is stopped", () => !fake.isConnected() || undefined);
    const event = {
      id: "late",
      at: 0,
      chat: { kind: "direct", id: "alice" },
      sender: { id: "alice" },
      replyTarget: { to: "alice" },
      content: { kind: "message", text: "hello", mentionsUs: false },
    };
    await expect(eventually("it is gone", () => receive(event).then(() => undefined))).rejects.toMatchObject({
      code: "CHANNEL_OFFLINE",
    });
    expect(fake.sent).toEqual([]);
  });
});

describe("a platform that does not answer", () => {
  const never = (): Promise<never> => new Promise(() => {});

  it("holds up a chat for some minutes at most; then the message may have arrived", async () => {
    const clock = createFakeClock(Date.now());
    let isDeaf = true;
    await using stage = await openChannelStage({
      clock,
      wrap: (fake) =>
        withConnection(fake, (connection) => ({
          send: (message, signal) => (isDeaf ? ((isDeaf = false), never()) : connection.send(message, signal)),
        })),
    });
    const { fake, model } = stage;
    model.script(say("hello"));
    await fake.say("hi");
    await eventually("it is sent after all", async () => {
      await clock.advance(10_000);
      return fake.sent.length > 0 || undefined;
    });
    expect(fake.sent).toMatchObject([{ text: "hello", mayHaveArrived: true }]);
  });

  it("does not keep people out because of a name it was asked for", async () => {
    const clock = createFakeClock(Date.now());
    await using stage = await openChannelStage({
      clock,
      settings: { allowFrom: ["alice", "@slow"] },
      wrap: (fake) => withConnection(fake, () => ({ resolveName: never })),
    });
    const { fake } = stage;
    let kind = "";
    void fake.say("hi").then((received) => (kind = received.kind));
    await eventually("it is taken", async () => {
      await clock.advance(5000);
      return kind !== "" || undefined;
    });
    expect(kind).toBe("accepted");
  });
});

describe("a stop of the gateway", () => {
  it("waits for what is just being sent, so that it is not sent again", async () => {
    using directory = createStateDirectory({ channels: { fake: OPEN } });
    const fake = createFakeChannel();
    const [sending, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const channel = withConnection(fake, (connection) => ({
      async send(message, signal) {
        const outcome = await connection.send(message, signal);
        sending.resolve();
        await arrived.promise;
        return outcome;
      },
    }));
    {
      await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: channel } });
      await fake.untilConnected();
      gateway.model.script(say("once"));
      await fake.say("hello");
      await sending.promise;
      const stopped = gateway.gateway.stop("stop");
      arrived.resolve();
      await stopped;
    }
    const after = createFakeChannel();
    await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: after.channel } });
    await after.untilConnected();
    gateway.model.script(say("and again"));
    await after.say("you there?", { id: "another" });
    expect(texts(await after.until(1))).toEqual(["and again"]);
  });
});
