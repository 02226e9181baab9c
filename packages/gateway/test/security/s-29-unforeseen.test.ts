// S-29: what the language or a library says of a mistake inside is for the log; clients, chats and models are told where to look.
import type { ChannelConnection } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { expect, test } from "vitest";
import { eventually } from "../support/in-process.ts";
import { openChannelStage } from "../support/stages/channel-stage.ts";

const INSIDE = "inside-of-the-program";
const boom = (): never => {
  throw new TypeError(`Cannot read properties of undefined (reading '${INSIDE}')`);
};

/** A channel whose connection has a bug in each of these. */
const withBugs = (...names: ReadonlyArray<keyof ChannelConnection>) =>
  openChannelStage({
    wrap: ({ channel }) => ({
      ...channel,
      start: async (account, host) =>
        Object.assign(await channel.start(account, host), Object.fromEntries(names.map((name) => [name, boom]))),
    }),
  });

test("a bug in a channel is not told to whoever asks for a probe, a message or a deed", async () => {
  await using stage = await withBugs("send", "probe", "pin");
  const channel = stage.fake.channel.id;
  const probed = await stage.client.request("channels.status", { probe: true });
  await stage.fake.say("hello");
  const failed = await eventually("the answer could not be sent", async () => {
    const { deliveries } = await stage.client.call("deliveries.list", { state: "pending", channel });
    return deliveries.find(({ error }: { error?: string }) => error !== undefined);
  });
  stage.model.script(callTool("message", { action: "pin", target: "alice", messageId: "m-1" }), say("done"));
  await stage.client.chat("pin it");
  expect(JSON.stringify([probed, failed, stage.client.frames, stage.model.requests])).not.toContain(INSIDE);
  expect(stage.gateway.readLog()).toContain(INSIDE);
  expect(failed.error).toContain("nobody foresaw");
});
