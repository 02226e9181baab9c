// Stopping, and starting where another gateway is: turns are finished or kept, and two never share a directory.
import { afterAll, expect, test } from "vitest";
import { findLedgerFaults, findMirrorFaults, readMirror } from "../support/durability/durability-evidence.ts";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createWorkshop, eventually, type StateDirectory } from "../support/durability/durability-workshop.ts";
import type { WireClient } from "../support/wire-client.ts";

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

const SESSION = "agent:main:main";

function send(client: WireClient, name: string): Promise<unknown> {
  return client.call("chat.send", { sessionKey: SESSION, message: questionText(name), idempotencyKey: name });
}

function findFaults(state: StateDirectory, ...questions: string[]): string[] {
  const expected = new Map([[SESSION, new Set(questions)]]);
  return [...findLedgerFaults(state.ledgerPath), ...findMirrorFaults(state.path, expected)];
}

test("a stop lets the running turn finish, tells clients, and closes with 1012", async () => {
  const state = await workshop.createState();
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const held = model.hold("q-slow");
  await send(client, "q-slow");
  await held.reached;
  gateway.child.kill("SIGTERM");
  const shutdown = await client.untilEvent("shutdown");
  expect(shutdown.payload).toMatchObject({ reason: expect.stringContaining("stopping") });
  held.release();
  const final = await client.chatEnd("q-slow");
  expect(final.payload.state).toBe("final");
  expect(await client.closed).toEqual({ code: 1012, reason: "service restart" });
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(findFaults(state, "q-slow")).toEqual([]);
  expect(client.frames.indexOf(shutdown)).toBeLessThan(client.frames.indexOf(final));
});

test("messages that wait behind the running turn are answered after the next start", async () => {
  const state = await workshop.createState();
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const held = model.hold("q-first");
  await send(client, "q-first");
  await held.reached;
  await send(client, "q-second");
  gateway.child.kill("SIGTERM");
  await client.untilEvent("shutdown");
  await send(client, "q-third");
  held.release();
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(JSON.stringify(readMirror(state.path).get(SESSION)?.messages)).not.toContain("q-second");
  await workshop.start(state).connect();
  await eventually("all three are answered", () => findFaults(state, "q-first", "q-second", "q-third").length === 0);
});

test("a second signal ends the process at once, and the message is answered after the next start", async () => {
  const state = await workshop.createState();
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const held = model.hold("q-slow");
  await send(client, "q-slow");
  await held.reached;
  gateway.child.kill("SIGTERM");
  await client.untilEvent("shutdown");
  const { code } = await gateway.kill("SIGTERM");
  expect(code).not.toBe(0);
  held.release();
  await workshop.start(state).connect();
  await eventually("it is answered", () => findFaults(state, "q-slow").length === 0);
});

test("a second gateway on the same directory is refused with the number of the first process", async () => {
  const state = await workshop.createState();
  const first = workshop.start(state);
  const client = await first.connect();
  const second = workshop.start(state);
  expect((await second.ended).code).toBe(1);
  expect(second.output).toMatch(/Another gateway already uses this state directory/);
  expect(second.output).toContain(String(first.pid));
  expect(await client.agent(questionText("q-still"), { sessionKey: SESSION })).toBe(answerText("q-still"));
  await first.kill();
  // The lock of a dead process is in nobody's way.
  const third = await workshop.start(state).connect();
  expect(await third.agent(questionText("q-after"), { sessionKey: SESSION })).toBe(answerText("q-after"));
});

test("a port that is taken is named, and nothing is answered by a gateway that could not start", async () => {
  const state = await workshop.createState();
  const other = await workshop.createState();
  const running = workshop.start(state);
  await running.connect();
  const blocked = workshop.start({ ...other, port: state.port });
  expect((await blocked.ended).code).toBe(1);
  expect(blocked.output).toMatch(new RegExp(`port cannot be opened: .*${state.port}`));
});
