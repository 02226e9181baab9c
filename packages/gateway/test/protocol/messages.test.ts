// `send`, `poll` and `message.action`: what clients may send, what they are told, and that a repeated key sends nothing.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeChannel, type FakeChannel } from "@chela/sdk/testing";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const CHANNELS = { channels: { fake: { token: "t", dmPolicy: "open", allowFrom: ["*"] } } };

let fake: FakeChannel;
let gateway: TestGateway;
let client: WireClient;
beforeAll(async () => {
  fake = createFakeChannel();
  gateway = await startTestGateway({ channels: { fake: fake.channel }, config: CHANNELS });
  client = await gateway.connect();
  await fake.untilConnected();
  // The agent's workspace is made with its first turn.
  await client.agent("hello");
});
afterAll(() => gateway[Symbol.asyncDispose]());

const newKey = (): Json => ({ idempotencyKey: randomUUID() });

describe("send", () => {
  test("answers with the platform's receipt, and the conversation of the chat knows of it", async () => {
    const key = newKey();
    const payload = await client.call("send", { to: "g7", message: "Good evening.", ...key });
    const sent = fake.sent.at(-1);
    expect(payload).toEqual({ runId: key["idempotencyKey"], messageId: sent?.messageId, channel: "fake" });
    expect(sent).toMatchObject({ target: { to: "g7" }, text: "Good evening." });
    const { messages } = await client.call("chat.history", { sessionKey: "agent:main:fake:group:g7" });
    expect(messages).toMatchObject([{ role: "assistant", model: "delivery-mirror" }]);
  });

  test("sends once, however often and however close together the same key comes", async () => {
    const params = { to: "bob", message: "Only once.", ...newKey() };
    const answers = await Promise.all([1, 2, 3].map(() => client.call("send", params)));
    answers.push(await client.call("send", { ...params, message: "Something else" }));
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
    expect(fake.sent.filter(({ text }) => text === "Only once.")).toHaveLength(1);
    expect(fake.sent.filter(({ text }) => text === "Something else")).toEqual([]);
  });

  test("can be told which conversation it belongs to", async () => {
    await client.call("send", { to: "carol", message: "From the desk.", sessionKey: "agent:main:desk", ...newKey() });
    const { messages } = await client.call("chat.history", { sessionKey: "agent:main:desk" });
    expect(messages).toMatchObject([{ content: [{ text: "From the desk." }] }]);
  });

  test("says so when the message could not be delivered", async () => {
    fake.failNext({ kind: "failed", reason: "unreachable", why: "the user left" });
    const { error, payload } = await client.request("send", { to: "gone", message: "Hello?", ...newKey() });
    expect(error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("the user left") });
    expect(payload).toMatchObject({ state: "undeliverable" });
  });

  test.for([
    [{ to: "bob" }, /^invalid send params: text or media is required/],
    [{ to: "bob", message: "x", channel: "webchat" }, /^unsupported channel: webchat/],
    [{ to: "bob", message: "x", channel: "pigeon" }, /"pigeon" is not configured/],
    [{ to: "bob", message: "x", sessionKey: "agent:" }, /malformed session key/],
    [{ to: "bob", mediaUrl: "/etc/passwd" }, /outside the workspace/],
    [{ message: "x" }, /^invalid send params/],
  ] as const)("refuses %j", async ([params, says]) => {
    const count = fake.sent.length;
    const { error } = await client.request("send", { ...params, ...newKey() });
    expect(error?.message).toMatch(says);
    expect(fake.sent).toHaveLength(count);
  });

  test("asks which channel is meant when there are several, and says when there is none", async () => {
    const two = { fake: CHANNELS.channels.fake, other: CHANNELS.channels.fake };
    const channels = { fake: createFakeChannel().channel, other: createFakeChannel({ id: "other" }).channel };
    await using several = await startTestGateway({ channels, config: { channels: two } });
    const asked = await (await several.connect()).request("send", { to: "bob", message: "x", ...newKey() });
    expect(asked.error?.message).toMatch(/^Channel is required.*fake, other/);
    await using none = await startTestGateway();
    const refused = await (await none.connect()).request("send", { to: "bob", message: "x", ...newKey() });
    expect(refused.error?.message).toMatch(/no channel is configured/);
  });

  test("does not send again after a restart", async () => {
    using state = createStateDirectory(CHANNELS);
    const params = { to: "bob", message: "Across a restart.", ...newKey() };
    const start = async () => {
      const again = createFakeChannel();
      const running = await startTestGateway({ stateDir: state.path, channels: { fake: again.channel } });
      await again.untilConnected();
      return { again, running, wire: await running.connect() };
    };
    const first = await start();
    const receipt = await first.wire.call("send", params);
    await first.running[Symbol.asyncDispose]();
    const second = await start();
    expect(await second.wire.call("send", params)).toEqual(receipt);
    expect(second.again.sent).toEqual([]);
    await second.running[Symbol.asyncDispose]();
  });
});

test("poll sends a poll, once", async () => {
  const params = { to: "g7", question: "Tea?", options: ["Yes", "No"], durationHours: 1, silent: true, ...newKey() };
  const first = await client.call("poll", params);
  expect(await client.call("poll", params)).toEqual(first);
  expect(fake.sent.filter(({ content }) => content.kind === "poll")).toMatchObject([
    { isSilent: true, content: { poll: { question: "Tea?", options: ["Yes", "No"], durationSeconds: 3600 } } },
  ]);
});

describe("message.action", () => {
  test("sends to several and reports each", async () => {
    fake.failNext({ kind: "failed", reason: "unreachable", why: "gone" });
    const params = { action: "broadcast", targets: ["g1", "g2"], message: "To all.", ...newKey() };
    const { error, payload } = await client.request("message.action", params);
    expect(error?.code).toBe("UNAVAILABLE");
    expect(payload).toMatchObject({
      ok: false,
      deliveries: [
        { to: "g1", state: "undeliverable" },
        { to: "g2", state: "delivered" },
      ],
    });
    const calm = await client.call("message.action", { ...params, bestEffort: true });
    expect(calm).toMatchObject({ action: "broadcast", ok: false });
    expect(fake.sent.filter(({ text }) => text === "To all.")).toHaveLength(1);
  });

  test("reacts, deletes, and says what would be done", async () => {
    expect(
      await client.call("message.action", { action: "react", target: "bob", messageId: "m1", emoji: "🎉" }),
    ).toEqual({
      action: "react",
      ok: true,
      channel: "fake",
      to: "bob",
    });
    await client.call("message.action", { action: "delete", target: "bob", messageId: "m1" });
    expect(fake.done).toEqual(expect.arrayContaining(["react m1 🎉", "unsend m1"]));
    const count = fake.sent.length;
    const plan = await client.call("message.action", {
      action: "send",
      target: "bob",
      message: "x",
      dryRun: true,
      ...newKey(),
    });
    expect(plan).toMatchObject({ deliveries: [{ to: "bob", state: "planned" }] });
    expect(fake.sent).toHaveLength(count);
  });

  test("needs a key for what it sends, and the grant to write for what it changes", async () => {
    const { error } = await client.request("message.action", { action: "send", target: "bob", message: "x" });
    expect(error?.message).toMatch(/needs an idempotencyKey/);
    const reader = await gateway.connect({ scopes: ["operator.read"] });
    const looked = await reader.request("message.action", { action: "read", target: "bob" });
    expect(looked.error?.message).toMatch(/fake has no "read"/);
    const wrote = await reader.request("message.action", {
      action: "react",
      target: "bob",
      messageId: "m",
      emoji: "x",
    });
    expect(wrote.error?.message).toBe("missing scope: operator.write");
  });
});
