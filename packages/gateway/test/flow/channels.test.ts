// Channels through the front door: who is let in, where it goes, what comes back, and what a crash leaves behind.
import { describe, expect, it } from "vitest";
import { createFakeChannel, say, type FakeChannelOptions } from "@chela/sdk/testing";
import { startTestGateway, type TestGatewayOptions } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

async function openStage(settings: Json = {}, more: TestGatewayOptions & { fake?: FakeChannelOptions } = {}) {
  const fake = createFakeChannel(more.fake);
  const gateway = await startTestGateway({
    ...more,
    channels: { fake: fake.channel },
    config: {
      channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"], ...settings } },
      ...more.config,
    },
  });
  await fake.untilConnected();
  return { fake, gateway, model: gateway.model, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

describe("a message from a channel", () => {
  it("is answered where it was written", async () => {
    await using stage = await openStage();
    stage.model.script(say("Good morning, Alice."));
    expect(await stage.fake.say("hello")).toEqual({ kind: "accepted" });
    const [reply] = await stage.fake.until(1);
    expect(reply).toMatchObject({ target: { to: "alice" }, text: "Good morning, Alice." });
  });
});

it("whoever watches a session sees what is said in its channel", async () => {
  await using stage = await openStage();
  const client = await stage.gateway.connect();
  stage.model.script(say("Good morning, Alice."));
  await stage.fake.say("hello");
  const { payload } = await client.untilEvent("chat", (frame) => frame.payload.state === "final");
  expect(payload).toMatchObject({
    sessionKey: "agent:main:main",
    message: { content: [{ text: "Good morning, Alice." }] },
  });
  await stage.fake.until(1);
});
