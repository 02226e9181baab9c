// Sessions of the past: parts of a long list, what was deleted or started anew and comes back, and the search through it all.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

let gateway: TestGateway;
let client: WireClient;
beforeAll(async () => {
  gateway = await startTestGateway({ config: { agents: { list: [{ id: "main" }, { id: "lists" }] } } });
  client = await gateway.connect();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const fresh = (agent = "main") => `agent:${agent}:h-${randomUUID()}`;
const filesOf = () => readdirSync(join(gateway.stateDir, "agents", "main", "sessions"));
const indexOf = (): Json => {
  const path = join(gateway.stateDir, "agents", "main", "sessions", "sessions.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
};
const saidIn = async (sessionKey: string): Promise<string[]> =>
  (await client.call("chat.history", { sessionKey })).messages.flatMap((message: Json) =>
    message["role"] === "user" ? [(message["content"] as Json[])[0]?.["text"] as string] : [],
  );
const ended = async (key: string): Promise<Json[]> => (await client.call("sessions.deleted", { key })).sessions;
const refusal = async (params: object) => (await client.request("sessions.restore", params)).error;

test("a part of the list comes with the length of the whole, in the order that was asked for", async () => {
  const keys = [fresh("lists"), fresh("lists"), fresh("lists")];
  for (const key of keys) await client.agent("hello", { sessionKey: key });
  const [first, second, third] = keys;
  await client.agent("again", { sessionKey: first });
  const list = async (params: object) => {
    const { total, sessions } = await client.call("sessions.list", { agentId: "lists", ...params });
    return [total, sessions.map(({ key }: Json) => key)];
  };
  expect(await list({})).toEqual([3, [first, third, second]]);
  expect(await list({ limit: 1, offset: 1 })).toEqual([3, [third]]);
  expect(await list({ limit: 2, offset: 2 })).toEqual([3, [second]]);
  expect(await list({ sort: "created", limit: 2 })).toEqual([3, [third, second]]);
  expect(await list({ kind: "group" })).toEqual([0, []]);
  expect(await list({ channel: "webchat", search: String(second).slice(-8) })).toEqual([1, [second]]);
  const { sessions } = await client.call("sessions.list", { agentId: "lists", limit: 1 });
  expect(sessions[0].createdAt).toBeLessThanOrEqual(sessions[0].updatedAt);
  for (const params of [{ offset: -1 }, { sort: "cost" }, { kind: "odd" }]) {
    expect((await client.request("sessions.list", params)).error?.code).toBe("INVALID_REQUEST");
  }
});

describe("A deleted session", () => {
  test("is listed, and comes back with its conversation, its settings and its files", async () => {
    const key = fresh();
    await client.agent("remember the blue door", { sessionKey: key, label: `label ${key}` });
    await client.call("sessions.patch", { key, thinkingLevel: "high" });
    const before = (await client.call("sessions.list", { search: key })).sessions[0];
    const transcript = join(gateway.stateDir, "agents", "main", "sessions", `${before.sessionId}.jsonl`);
    await eventually("the files are there", () => existsSync(transcript) && indexOf()[key]);
    const file = readFileSync(transcript, "utf8");
    await client.call("sessions.delete", { key });
    await eventually("they are archived", () => !existsSync(transcript) && !indexOf()[key]);

    const [row] = await ended(key);
    expect(row).toMatchObject({
      id: before.sessionId,
      key,
      agentId: "main",
      sessionId: before.sessionId,
      reason: "deleted",
      label: `label ${key}`,
      preview: "remember the blue door",
      isKeyInUse: false,
    });
    const found = await client.call("sessions.deleted", { search: `LABEL ${key}`, reason: "deleted" });
    expect(found).toMatchObject({ total: 1, sessions: [{ key }] });

    expect(await client.call("sessions.restore", { id: row?.["id"] })).toEqual({
      ok: true,
      key,
      sessionId: before.sessionId,
    });
    expect(await saidIn(key)).toEqual(["remember the blue door"]);
    const after = (await client.call("sessions.list", { search: key })).sessions[0];
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
    await eventually("the files are back", () => existsSync(transcript) && indexOf()[key]);
    expect(readFileSync(transcript, "utf8")).toBe(file);
    expect(filesOf().filter((name) => name.startsWith(before.sessionId))).toEqual([`${before.sessionId}.jsonl`]);
    expect(await ended(key)).toEqual([]);
    gateway.model.script(say("blue"));
    await client.agent("which colour?", { sessionKey: key });
    expect(await saidIn(key)).toEqual(["remember the blue door", "which colour?"]);
  });

  test("is not put over one that has its key now, unless that is wished", async () => {
    const key = fresh();
    await client.agent("the first", { sessionKey: key });
    await client.call("sessions.delete", { key });
    await client.agent("the second", { sessionKey: key });
    const [row] = await ended(key);
    expect(row).toMatchObject({ isKeyInUse: true });
    const error = await refusal({ id: row?.["id"] });
    expect(error).toMatchObject({ code: "INVALID_REQUEST", details: { code: "SESSION_RESTORE" } });
    expect(error?.message).toMatch(/in use again; restore with "replace"/);
    expect(await saidIn(key)).toEqual(["the second"]);
    await client.call("sessions.restore", { id: row?.["id"], replace: true });
    expect(await saidIn(key)).toEqual(["the first"]);
    expect(await ended(key)).toMatchObject([{ reason: "reset", preview: "the second" }]);
  });

  test("does not take a label back that another session has now", async () => {
    const [key, other] = [fresh(), fresh()];
    const label = `label-${randomUUID()}`;
    await client.agent("hello", { sessionKey: key, label });
    await client.call("sessions.delete", { key });
    await client.agent("hello", { sessionKey: other, label });
    const [row] = await ended(key);
    expect(await client.call("sessions.restore", { id: row?.["id"] })).toMatchObject({ key, lostLabel: label });
    expect(await client.call("sessions.resolve", { label })).toMatchObject({ key: other });
  });

  test("whose transcript stayed where it was comes back as well", async () => {
    const key = fresh();
    await client.agent("stay", { sessionKey: key });
    expect(await client.call("sessions.delete", { key, deleteTranscript: false })).toMatchObject({ archived: [] });
    const [row] = await ended(key);
    await client.call("sessions.restore", { id: row?.["id"] });
    expect(await saidIn(key)).toEqual(["stay"]);
  });

  test("that is not known is named", async () => {
    expect((await refusal({ id: "nobody" }))?.message).toMatch(
      /nothing that was deleted or started anew has the id nobody/,
    );
  });
});

test("a conversation before a new start comes back, and the present one is archived in turn", async () => {
  const key = fresh();
  await client.agent("in the old one", { sessionKey: key });
  await client.call("sessions.reset", { key });
  await client.agent("in the new one", { sessionKey: key });
  await client.call("sessions.patch", { key, verboseLevel: "full" });
  const [row] = await ended(key);
  expect(row).toMatchObject({ reason: "reset", preview: "in the old one" });
  await client.call("sessions.restore", { id: row?.["id"] });
  expect(await saidIn(key)).toEqual(["in the old one"]);
  expect((await client.call("sessions.list", { search: key })).sessions[0]).toMatchObject({ verboseLevel: "full" });
  const [present] = await ended(key);
  await client.call("sessions.restore", { id: present?.["id"] });
  expect(await saidIn(key)).toEqual(["in the new one"]);
});

test("whoever watches the session is told that another conversation took its place", async () => {
  const key = fresh();
  await client.agent("the old one", { sessionKey: key });
  await client.call("sessions.reset", { key });
  const watcher = await gateway.connect();
  await watcher.call("chat.watch", { sessionKey: key });
  const [row] = await ended(key);
  await client.call("sessions.restore", { id: row?.["id"] });
  await watcher.untilEvent("session.moved", ({ payload }) => payload.sessionId === row?.["id"] && payload.total > 0);
});

test("a conversation is not taken away while somebody is being answered in it", async () => {
  const key = fresh();
  await client.agent("before", { sessionKey: key });
  await client.call("sessions.reset", { key });
  const gate = gateway.gate();
  gateway.model.script(gate.step("thinking", "done"));
  const running = client.agent("now", { sessionKey: key });
  await gate.reached;
  const [row] = await ended(key);
  expect((await refusal({ id: row?.["id"] }))?.message).toMatch(/is being answered/);
  gate.open();
  await running;
});

test("a restored session is the same after a restart", async () => {
  const first = await startTestGateway();
  const key = "agent:main:restart";
  const one = await first.connect();
  await one.agent("kept in mind", { sessionKey: key });
  await one.call("sessions.delete", { key });
  await first.gateway.stop("stop");
  const second = await startTestGateway({ stateDir: first.stateDir });
  const two = await second.connect({ token: first.token });
  const { id, sessionId } = (await two.call("sessions.deleted")).sessions[0];
  await two.call("sessions.restore", { id });
  await second.gateway.stop("stop");
  const names = readdirSync(join(first.stateDir, "agents", "main", "sessions"));
  expect(names.filter((name) => name.startsWith(sessionId))).toEqual([`${sessionId}.jsonl`]);
  const third = await startTestGateway({ stateDir: first.stateDir });
  const three = await third.connect({ token: first.token });
  const { messages } = await three.call("chat.history", { sessionKey: key });
  expect(messages[0].content[0].text).toBe("kept in mind");
  await third[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});

describe("The search", () => {
  test("finds what was said in any conversation, with its place and its label", async () => {
    const [key, old] = [fresh(), fresh()];
    const word = `w${randomUUID().slice(0, 8)}`;
    gateway.model.script(say(`The answer has ${word} too.`));
    await client.agent(`A question with ${word} in it`, { sessionKey: key, label: `of ${word}` });
    await client.agent(`earlier ${word}`, { sessionKey: old });
    await client.call("sessions.reset", { key: old });
    const found = await client.call("sessions.search", { query: word });
    expect(found).toMatchObject({ total: found.hits.length, hasMore: false });
    const hits = found.hits.filter(({ role, sessionKey }: Json) => role === "user" || sessionKey === key);
    expect(hits.map(({ sessionKey }: Json) => sessionKey)).toEqual([old, key, key]);
    expect(hits[0]).toMatchObject({ archived: "reset" });
    expect(hits[1]).toMatchObject({ role: "assistant", label: `of ${word}`, snippet: `The answer has ${word} too.` });
    for (const { snippet, ranges } of hits) expect(snippet.slice(...ranges[0])).toBe(word);
    const one = await client.call("chat.entry", { sessionKey: key, id: hits[2].entryId });
    expect(one).toMatchObject({ role: "user", index: expect.any(Number) });
    const users = await client.call("sessions.search", { query: word, role: "user", sessionKey: key, limit: 1 });
    expect(users.hits).toHaveLength(1);
  });

  test("forgets what was deleted and finds it again when it is restored", async () => {
    const key = fresh();
    const word = `w${randomUUID().slice(0, 8)}`;
    const count = async (over = {}) =>
      (await client.call("sessions.search", { query: word, role: "user", ...over })).total;
    await client.agent(`about ${word}`, { sessionKey: key });
    expect(await count()).toBe(1);
    await client.call("sessions.delete", { key });
    expect(await count()).toBe(0);
    expect(await count({ includeDeleted: true })).toBe(1);
    await client.call("sessions.restore", { id: (await ended(key))[0]?.["id"] });
    expect(await count()).toBe(1);
  });

  test("never fails over what is typed", async () => {
    for (const query of ['"', "-only", "a AND (", "NEAR/2", "tags:x", "' OR 1=1 --"]) {
      expect(await client.call("sessions.search", { query })).toMatchObject({ hits: expect.any(Array) });
    }
  });
});
