// Other agents as workers: they answer in place of a model, ask people before they act, and leave nothing behind.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { isBubblewrapInstalled } from "../../src/rooms/sandbox/room.ts";
import { isAlive } from "../../src/base/processes.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const WORKER = new URL("../fixtures/acp-worker.mjs", import.meta.url).pathname;

/** An agent as small as can be, for places where there is nothing but a shell. */
const SMALL = `
while read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case "$line" in
    *'"initialize"'*) result='{"protocolVersion":1}' ;;
    *session/new*) result='{"sessionId":"s"}' ;;
    *session/prompt*)
      text="I work in $(pwd)."
      update='{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'$text'"}}'
      printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":%s}}\\n' "$update"
      result='{"stopReason":"end_turn"}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done`;

const folder = mkdtempSync(join(tmpdir(), "chela-acp-"));
const journal = join(folder, "journal");
const config = {
  acp: {
    agents: {
      helper: { command: process.execPath, args: [WORKER], env: { JOURNAL: journal } },
      broken: { command: process.execPath, args: ["-e", "process.stderr.write('no key'); process.exit(7)"] },
      small: { command: "/bin/sh", args: ["-c", SMALL] },
      nowhere: { command: "/no/such/program" },
    },
    defaultAgent: "helper",
  },
  agents: {
    list: [
      { id: "main", default: true },
      { id: "outside", runtime: { type: "acp", acp: { agent: "helper" } } },
      { id: "homely", runtime: { type: "acp", acp: { agent: "helper", cwd: "~" } } },
      { id: "elsewhere", runtime: { type: "acp", acp: { agent: "helper", cwd: "/no/such/folder" } } },
      { id: "small", runtime: { type: "acp", acp: { agent: "small" } } },
      { id: "lost", runtime: { type: "acp", acp: { agent: "broken" } } },
    ],
  },
};

let gateway: TestGateway;
let client: WireClient;
beforeAll(async () => {
  gateway = await startTestGateway({ config });
  client = await gateway.connect();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const pid of pidsIn("started")) expect(isAlive(pid)).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

const lines = () => readFileSync(journal, "utf8").trimEnd().split("\n");
function pidsIn(word: string): number[] {
  return lines().flatMap((line) => (line.startsWith(`${word} `) ? [Number(line.split(" ")[1])] : []));
}

let count = 0;
/** In a conversation of its own. */
const ask = (message: string, sessionKey = `agent:outside:c${(count += 1)}`) => client.agent(message, { sessionKey });
const asked = (word: string) => lines().filter((line) => line.startsWith("prompt ") && line.includes(word)).length;

test("an agent whose runtime is a worker answers with its words, in one session of one process", async () => {
  const sessionKey = "agent:outside:talk";
  expect(await ask("first thing", sessionKey)).toMatch(/^Done 1 in .*: .*first thing$/);
  expect(await ask("second thing", sessionKey)).toMatch(/^Done 2 in /);
  expect(await ask("third thing")).toMatch(/^Done 1 in /);
  expect(pidsIn("started")).toHaveLength(1);
  expect(gateway.model.requests).toHaveLength(0);
  const { messages } = await client.call("chat.history", { sessionKey });
  expect(messages.at(-1)).toMatchObject({ role: "assistant", provider: "acp", model: "helper" });
  expect(client.events.some(({ payload }) => payload.stream === "thinking" && payload.sessionKey === sessionKey)).toBe(
    true,
  );
});

test("its folder may be written as people write it", async () => {
  expect(await client.agent("where?", { sessionKey: "agent:homely:c" })).toContain(`Done 1 in ${gateway.stateDir}: `);
});

test("/new begins anew with the worker, too", async () => {
  const sessionKey = "agent:outside:anew";
  for (const word of ["one", "two"]) await ask(word, sessionKey);
  expect(await ask("three", sessionKey)).toMatch(/Done 3 in /);
  // The first of the new session is the greeting.
  expect(await client.agent("/new", { sessionKey })).toMatch(/Done 1 in /);
  expect(await ask("four", sessionKey)).toMatch(/Done 2 in /);
});

test("sessions_spawn gives work to one; its result comes to whoever asked", async () => {
  gateway.model.script(
    callTool("sessions_spawn", { task: "look around", runtime: "acp", label: "scout" }),
    say("Started."),
    say("The scout is back."),
  );
  const sessionKey = "agent:main:boss";
  await client.agent("send a scout", { sessionKey });
  const request = await eventually("the result", () =>
    gateway.model.requests.find(({ messages }) => /Done 1 in /.test(JSON.stringify(messages.at(-1)))),
  );
  expect(JSON.stringify(request.messages)).toMatch(/agent:main:acp:[0-9a-f-]{36}/);
  expect(asked("look around")).toBe(1);
});

test("an agent sends a worker to folders of its workspace alone", async () => {
  gateway.model.script(
    callTool("sessions_spawn", { task: "look elsewhere", runtime: "acp", cwd: "/" }),
    say("Started."),
    say("It could not."),
  );
  await client.agent("send a scout away", { sessionKey: "agent:main:roamer" });
  await eventually("the refusal", () =>
    gateway.model.requests.find(({ messages }) => /may only name folders/.test(JSON.stringify(messages.at(-1)))),
  );
  expect(asked("look elsewhere")).toBe(0);
});

test("/acp lists workers, starts one, and refuses what there is not", async () => {
  const say = (message: string) => client.agent(message, { sessionKey: "agent:main:chat" });
  expect(await say("/acp")).toMatch(/helper \(default\) – 0 at work, here\nbroken – not running/);
  expect(await say("/acp spawn helper tidy up")).toMatch(/helper works as [0-9a-f]{8}/);
  await eventually("the work", () => asked("tidy up") || undefined);
  expect(await say("/acp spawn")).toMatch(/Usage/);
  expect(await say("/acp dance")).toMatch(/does not know "dance"/);
});

test.each([
  ["allow-once", "yes"],
  ["deny", "no"],
])("a question of the worker goes to our own approvals: %s", async (decision, optionId) => {
  const answered = ask("needs permission");
  const { payload } = await client.untilEvent(
    "exec.approval.requested",
    ({ payload: { id } }) => !client.eventsOf("exec.approval.resolved").some((event) => event.payload.id === id),
  );
  expect(payload.request).toMatchObject({
    command: "helper: Delete everything – rm -rf /",
    host: "acp",
    onlyOnce: true,
  });
  await client.call("exec.approval.resolve", { id: payload.id, decision });
  expect(await answered).toContain(`The answer was ${optionId}.`);
});

test("where nobody can answer, it is refused and said so", async () => {
  const http = { endpoints: { chatCompletions: { enabled: true } } };
  await using other = await startTestGateway({ config: { ...config, gateway: { http } } });
  const reply = await other.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "openclaw:outside", messages: [{ role: "user", content: "needs permission" }] }),
  });
  const text = await reply.text();
  expect(text).toContain("The answer was no.");
  expect(text).toContain("nobody who may allow it answered");
});

test("what is stopped ends, and the next question is answered", async () => {
  const sessionKey = "agent:outside:stopped";
  const runId = "stopped-run";
  await client.call("chat.send", { sessionKey, message: "please hang", idempotencyKey: runId });
  await client.untilEvent("agent", ({ payload }) => payload.runId === runId && payload.stream === "assistant");
  await client.call("chat.abort", { sessionKey, runId });
  expect((await client.chatEnd(runId)).payload.state).toBe("aborted");
  expect(await ask("go on", sessionKey)).toMatch(/Done 2 in /);
});

test("one that dies is told with how it ended, is not asked again, and comes back for the next", async () => {
  const before = pidsIn("started").length;
  const failed = await client.request("agent", {
    message: "please crash",
    sessionKey: "agent:outside:crash",
    idempotencyKey: "crash",
  });
  expect(JSON.stringify(failed)).toMatch(/ended with code 3.*not asked again/);
  expect(asked("please crash")).toBe(1);
  expect(await ask("and now?", "agent:outside:crash")).toMatch(
    /does not remember[^]*Done 1 in|Done 1 in [^]*does not remember/,
  );
  expect(pidsIn("started").length).toBe(before + 1);
});

test("one that cannot be started says why; after three falls it rests", async () => {
  const tell = async (agentId: string) =>
    JSON.stringify(
      await client.request("agent", {
        message: "hello",
        sessionKey: `agent:${agentId}:c${(count += 1)}`,
        idempotencyKey: `f${count}`,
      }),
    );
  for (let at = 0; at < 3; at += 1) expect(await tell("lost")).toMatch(/ended with code 7: no key/);
  expect(await tell("lost")).toMatch(/3 times in a row/);
  expect(await tell("elsewhere")).toMatch(/no folder \/no\/such\/folder/);
});

test("what it says is bounded", async () => {
  const text = await ask("flood me");
  expect(text.length).toBeLessThan(450_000);
  expect(text).toContain("more than is kept");
});

test("whoever is no owner has no worker outside of a sandbox", async () => {
  const before = pidsIn("started").length;
  const writer = await gateway.connect({ scopes: ["operator.write", "operator.read"] });
  const reply = await writer.request("agent", {
    message: "hello",
    sessionKey: "agent:outside:writer",
    idempotencyKey: "writer",
  });
  expect(JSON.stringify(reply)).toMatch(/helper does not answer|Only an owner's workers run outside of a sandbox/);
  expect(pidsIn("started").length).toBe(before);
  if (!isBubblewrapInstalled()) return;
  const inside = await writer.agent("hello", { sessionKey: "agent:small:writer" });
  expect(inside).toBe("I work in /workspace.");
});

test("nothing is left after a stop, neither the worker nor what it started", async () => {
  const other = await startTestGateway({ config });
  const one = await other.connect();
  await one.agent("start a child", { sessionKey: "agent:outside:child" });
  const pids = [...pidsIn("child"), ...pidsIn("started").slice(-1)];
  expect(pids).toHaveLength(2);
  expect(pids.every(isAlive)).toBe(true);
  await other[Symbol.asyncDispose]();
  expect(pids.filter(isAlive)).toEqual([]);
});
