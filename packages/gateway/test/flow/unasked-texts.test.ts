// Texts that go to a chat nobody wrote in just now: answers that are also delivered elsewhere, and news from other sessions.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { callTool, createFakeChannel, say } from "@chela/sdk/testing";
import { eventually, startTestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

async function openStage(config: Json = {}) {
  const fake = createFakeChannel();
  const groups = { groupPolicy: "allowlist", groupAllowFrom: ["alice"], groups: { g1: { requireMention: false } } };
  const gateway = await startTestGateway({
    channels: { fake: fake.channel },
    config: {
      channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"], ...groups } },
      ...config,
    },
  });
  await fake.untilConnected();
  const client = await gateway.connect();
  const sent = (): string[] => fake.sent.map(({ target, text }) => `${target.to}: ${text}`);
  return { fake, gateway, client, sent, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

const GROUP = { kind: "group" as const, id: "g1", threadId: "t7" };

describe("an answer with deliver", () => {
  it("goes to whoever asked, and once to the chat the session was last led in", async () => {
    await using stage = await openStage();
    await stage.fake.say("hello", { chat: GROUP });
    await stage.fake.until(1);
    const { sessions } = await stage.client.call("sessions.list", {});
    const sessionKey = sessions.find(({ key }: { key: string }) => key.includes("g1")).key;
    stage.gateway.model.script(say("The report."));
    const params = { sessionKey, deliver: true, idempotencyKey: randomUUID() };
    expect(await stage.client.agent("report", params)).toBe("The report.");
    const sent = await stage.fake.until(2);
    expect(sent[1]).toMatchObject({ target: { to: "g1", threadId: "t7" }, text: "The report." });
    expect(await stage.client.agent("report", params)).toBe("The report.");
    stage.gateway.model.script(say("More."));
    await stage.client.chat("and?", { sessionKey, deliver: true });
    await stage.fake.until(3);
    expect(stage.sent()).toEqual([expect.stringMatching(/^g1: echo/), "g1: The report.", "g1: More."]);
  });

  it.for([
    [{ channel: "fake", to: "bob" }, "bob", undefined],
    [{ replyChannel: "fake", channel: "webchat", replyTo: "bob", to: "x" }, "bob", undefined],
    [{ channel: "Fake", to: "g1", threadId: "5", accountId: "default" }, "g1", "5"],
  ] as const)("goes where %j says", async ([params, to, threadId]) => {
    await using stage = await openStage();
    stage.gateway.model.script(say("News."));
    await stage.client.agent("tell", { deliver: true, ...params });
    const [sent] = await stage.fake.until(1);
    expect(sent).toMatchObject({ target: { to, ...(threadId ? { threadId } : {}) }, text: "News." });
  });

  it.for([
    [{ deliver: true }, "delivery channel is required: this session was never led in a channel"],
    [{ deliver: true, channel: "last" }, "delivery channel is required: this session was never led in a channel"],
    [{ deliver: true, channel: "fake" }, "delivery channel is required: say to whom on fake it shall go (to)"],
    [
      { deliver: true, channel: "fake", to: "bob", accountId: "x" },
      'delivery channel is required: fake has no account "x"',
    ],
    [{ deliver: true, channel: "fake", to: " " }, "is no address on fake"],
    [{ deliver: true, channel: "telegram" }, "telegram"],
  ] as const)("that cannot be delivered is refused before it is made: %j", async ([params, why]) => {
    await using stage = await openStage();
    await expect(stage.client.agent("tell", params)).rejects.toThrow(why);
    expect(stage.gateway.model.requests).toEqual([]);
  });

  it("is made without delivery when that is only wished for, or when it stays here", async () => {
    await using stage = await openStage();
    expect(await stage.client.agent("hello", { deliver: true, bestEffortDeliver: true })).toMatch(/^echo/);
    expect(await stage.client.agent("hello", { deliver: true, channel: "webchat" })).toMatch(/^echo/);
    expect((await stage.client.chat("hello", { deliver: true })).payload.state).toBe("final");
    expect(stage.sent()).toEqual([]);
  });
});

it("what another session announces goes to the chat, once", async () => {
  await using stage = await openStage({ tools: { sessions: { visibility: "all" } } });
  await stage.fake.say("hello", { chat: GROUP });
  await stage.fake.until(1);
  const { sessions } = await stage.client.call("sessions.list", {});
  const sessionKey = sessions.find(({ key }: { key: string }) => key.includes("g1")).key;
  stage.gateway.model.script(
    callTool("sessions_send", { sessionKey, message: "When is dinner?" }),
    say("At seven."),
    say("Told."),
    say("REPLY_SKIP"),
    say("Dinner is at seven."),
  );
  await stage.client.agent("ask the group");
  await eventually("the announcement", () => stage.fake.sent.length > 1 || undefined);
  expect(stage.sent().slice(1)).toEqual(["g1: Dinner is at seven."]);
  expect(stage.fake.sent[1]?.target.threadId).toBe("t7");
});
