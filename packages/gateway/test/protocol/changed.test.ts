// The `changed` event: which topics it names when, and that it is gathered.
import { expect, test } from "vitest";
import { noUsage } from "@chela/sdk";
import { ChangedEvent, type Topic } from "@chela/sdk/protocol";
import { createFakeClock } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { startTestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const topicsOf = (client: WireClient, from = 0): Topic[] =>
  client
    .eventsOf("changed")
    .slice(from)
    .flatMap(({ payload }) => ChangedEvent().parse(payload).topics);
const untilTopics = (client: WireClient, wanted: readonly Topic[], from = 0) =>
  client.until(`changed ${wanted.join(", ")}`, () =>
    wanted.every((topic) => topicsOf(client, from).includes(topic)) ? true : undefined,
  );

test("a turn changes sessions, runs, usage and deliveries", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const before = client.eventsOf("changed").length;
  const usage = { ...noUsage(), input: 5, output: 2, totalTokens: 7 };
  gateway.model.script([
    { kind: "text", delta: "good day" },
    { kind: "finish", stopReason: "stop", usage },
  ]);
  await client.agent("hello");
  await untilTopics(client, ["sessions", "runs", "usage", "deliveries"], before);
});

test("the first change is told at once, others together a moment later", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  // The audit trail notes the connection, writes it down when it is asked for its events, and tells of it within seconds;
  // what was told has arrived when an answer has.
  await client.call("audit.list", {});
  await clock.advance(5000);
  await client.call("health");
  const before = client.eventsOf("changed").length;
  const patch = (label: string) => client.call("sessions.patch", { key: "agent:main:x", label });
  await patch("one");
  await untilTopics(client, ["sessions"], before);
  await patch("two");
  await patch("three");
  expect(client.eventsOf("changed")).toHaveLength(before + 1);
  await clock.advance(250);
  await client.call("health");
  expect(client.eventsOf("changed")).toHaveLength(before + 2);
  await clock.advance(1000);
  await client.call("health");
  expect(client.eventsOf("changed")).toHaveLength(before + 2);
});

test("configuration, devices, channels and pairing are topics of their own", async () => {
  await using stage = await openChannelStage({ settings: { dmPolicy: "pairing" } });
  const { client, fake, gateway } = stage;
  const mark = () => client.eventsOf("changed").length;
  let from = mark();
  await gateway.connect();
  await untilTopics(client, ["devices"], from);
  from = mark();
  await fake.say("let me in", { from: "stranger" });
  await untilTopics(client, ["pairing"], from);
  from = mark();
  const { requests } = await client.call("pairing.list", {});
  await client.call("pairing.approve", { channel: fake.channel.id, code: requests[0].code });
  await untilTopics(client, ["pairing"], from);
  from = mark();
  fake.cut({ why: "the platform went away" });
  await untilTopics(client, ["channels"], from);
  from = mark();
  const { hash } = await client.call("config.get");
  await client.call("config.patch", { raw: '{agents: {defaults: {verboseDefault: "on"}}}', baseHash: hash });
  await untilTopics(client, ["config", "agents"], from);
});
