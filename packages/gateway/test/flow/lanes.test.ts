// Who waits for whom: messages of one session for each other, sessions only for a free place.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { startTestGateway } from "../support/in-process.ts";

test("messages of one session are answered one by one, in the order they came", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const words = ["one", "two", "three", "four", "five"];
  await Promise.all(words.map((word) => client.agent(word, { sessionKey: "agent:main:queue" })));
  const asked = gateway.model.requests.map(({ messages }) => textOf(messages.at(-1) ?? { content: "" }).split("] ")[1]);
  expect(asked).toEqual(words);
  const roles = gateway.model.requests.at(-1)?.messages.map(({ role }) => role);
  expect(roles).toEqual(words.flatMap(() => ["user", "assistant"]).slice(0, -1));
});

test("messages of several clients to one session do not overtake each other", async () => {
  await using gateway = await startTestGateway();
  const clients = await Promise.all([gateway.connect(), gateway.connect()]);
  const gate = gateway.gate();
  gateway.model.script(gate.step("", "first"));
  const [one, two] = clients;
  const first = one?.agent("a");
  await gate.reached;
  const second = two?.agent("b");
  await two?.until("acceptance", () =>
    two.frames.find((one) => one.type === "res" && one.payload?.status === "accepted"),
  );
  expect(gateway.model.requests).toHaveLength(1);
  gate.open();
  expect(await first).toBe("first");
  expect(await second).toContain("b");
});

test("sessions are answered side by side", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const gates = [gateway.gate(), gateway.gate(), gateway.gate()];
  gateway.model.script(...gates.map((gate, at) => gate.step("", `answer ${at}`)));
  const answers = gates.map((_, at) => client.agent("hello", { sessionKey: `agent:main:side-${at}` }));
  await Promise.all(gates.map(({ reached }) => reached));
  for (const gate of gates.toReversed()) gate.open();
  expect((await Promise.all(answers)).toSorted()).toEqual(["answer 0", "answer 1", "answer 2"]);
});

test("no more turns run at once than the configuration allows", async () => {
  await using gateway = await startTestGateway({ config: { agents: { defaults: { maxConcurrent: 1 } } } });
  const client = await gateway.connect();
  const gate = gateway.gate();
  gateway.model.script(gate.step("", "first"));
  const first = client.agent("hello", { sessionKey: "agent:main:a" });
  await gate.reached;
  const runId = randomUUID();
  await client.call("chat.send", { sessionKey: "agent:main:b", message: "hello", idempotencyKey: runId });
  await client.call("health", { probe: true });
  expect(gateway.model.requests).toHaveLength(1);
  gate.open();
  expect(await first).toBe("first");
  expect((await client.chatEnd(runId)).payload.state).toBe("final");
});
