// The methods of jobs: pages, filters, patches, refusals, events.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

let gateway: TestGateway;
let client: WireClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  client = await gateway.connect();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const add = (over: Json = {}): Promise<Json> =>
  client.call("cron.add", { schedule: "every 1h", message: "look", ...over });
const refusal = async (method: string, params: object) => (await client.request(method, params)).error;

test("what is written loosely is understood, and the answer says how", async () => {
  const job = await add({ name: undefined, schedule: "30 7 * * 1-5", message: "Read the news to me" });
  expect(job).toMatchObject({
    name: "Read the news to me",
    schedule: { kind: "cron", expr: "30 7 * * 1-5" },
    payload: { kind: "agentTurn", message: "Read the news to me" },
    sessionTarget: "isolated",
    wakeMode: "now",
    delivery: { mode: "announce" },
    enabled: true,
    says: { schedule: "at 07:30 on weekdays", next: expect.stringContaining("07:30") },
    notes: expect.arrayContaining([expect.stringContaining("first words")]),
  });
  const wrapped = await client.call("cron.add", {
    job: { schedule: { everyMs: 60_000 }, payload: { kind: "systemEvent", text: "x" } },
  });
  expect(wrapped).toMatchObject({ sessionTarget: "main", schedule: { kind: "every", everyMs: 60_000 } });
});

test.each<[string, object, RegExp]>([
  ["a wrong field of an expression", { schedule: "99 7 * * *", message: "x" }, /minute is "99"/],
  [
    "a zone nobody knows",
    { schedule: { kind: "cron", expr: "0 7 * * *", tz: "Mars/Base" }, message: "x" },
    /Mars\/Base/,
  ],
  ["a time that is past", { schedule: { kind: "at", at: "2020-01-01T00:00:00Z" }, message: "x" }, /past/],
  ["no work", { schedule: "every 1h" }, /payload/],
  [
    "a main job that announces",
    { schedule: "every 1h", payload: { kind: "systemEvent", text: "x" }, delivery: { mode: "announce" } },
    /main conversation/,
  ],
  [
    "a page without an address",
    { schedule: "every 1h", message: "x", delivery: { mode: "webhook", to: "ftp://x" } },
    /http/,
  ],
  ["an agent nobody knows", { schedule: "every 1h", message: "x", agentId: "nobody" }, /unknown agent/],
])("%s is refused in words, and nothing is kept", async (_what, params, why) => {
  const before = (await client.call("cron.status")).jobs;
  expect(await refusal("cron.add", params)).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(why),
  });
  expect((await client.call("cron.status")).jobs).toBe(before);
});

test("a patch changes what it names, by either name of the id, and everybody is told", async () => {
  const watcher = await gateway.connect();
  const job = await add({ description: "first" });
  const changed = await client.call("cron.update", {
    jobId: job["id"],
    patch: { name: "new", description: null, schedule: { everyMs: 120_000 } },
  });
  expect(changed).toMatchObject({ id: job["id"], name: "new", schedule: { kind: "every", everyMs: 120_000 } });
  expect(changed).not.toHaveProperty("description");
  expect(await client.call("cron.update", { id: job["id"], patch: { enabled: false } })).toMatchObject({
    enabled: false,
    says: {},
  });
  expect((await client.call("cron.get", { id: job["id"] })).state).not.toHaveProperty("nextRunAtMs");
  expect(await client.call("cron.remove", { id: job["id"] })).toEqual({ ok: true, removed: true });
  expect(await client.call("cron.remove", { id: job["id"] })).toEqual({ ok: true, removed: false });
  await watcher.untilEvent("cron", ({ payload }) => payload.jobId === job["id"] && payload.action === "added");
  await watcher.untilEvent("cron", ({ payload }) => payload.jobId === job["id"] && payload.action === "removed");
  await watcher.untilEvent("changed", ({ payload }) => payload.topics.includes("jobs"));
});

test("an id that is missing or unknown is named", async () => {
  expect(await refusal("cron.get", {})).toMatchObject({ message: expect.stringContaining("which job") });
  expect(await refusal("cron.run", { id: "gone" })).toMatchObject({
    message: expect.stringContaining('no job "gone"'),
  });
  expect(await refusal("cron.runs", { scope: "job" })).toMatchObject({ code: "INVALID_REQUEST" });
});

test("lists come in pages, and disabled jobs only when they are asked for", async () => {
  const names = [1, 2, 3].map((count) => `page ${count}`);
  for (const name of names) await add({ name });
  await add({ name: "page off", enabled: false });
  const first = await client.call("cron.list", { query: "page ", sortBy: "name", limit: 2 });
  expect(first).toMatchObject({ total: 3, offset: 0, limit: 2, hasMore: true, nextOffset: 2 });
  const rest = await client.call("cron.list", { query: "page ", sortBy: "name", limit: 2, offset: first.nextOffset });
  expect([...first.jobs, ...rest.jobs].map(({ name }: Json) => name)).toEqual(names);
  expect(rest).toMatchObject({ hasMore: false, nextOffset: null });
  expect((await client.call("cron.list", { query: "page ", includeDisabled: true })).total).toBe(4);
  expect((await client.call("cron.list", { query: "page ", enabled: "disabled" })).jobs).toMatchObject([
    { name: "page off" },
  ]);
});

test("runs are filtered by how they ended and whether they arrived", async () => {
  const good = await add({
    name: "good",
    payload: { kind: "exec", command: ["echo", "fine"] },
    message: undefined,
    delivery: { mode: "announce" },
  });
  const bad = await add({ name: "bad", payload: { kind: "exec", command: "exit 4" }, message: undefined });
  for (const { id } of [good, bad]) {
    expect(await client.call("cron.run", { id })).toMatchObject({
      ok: true,
      ran: true,
      enqueued: true,
      runId: expect.stringContaining(":force:"),
    });
    await client.untilEvent("cron", ({ payload }) => payload.action === "finished" && payload.jobId === id);
  }
  const found = async (params: object) =>
    (await client.call("cron.runs", params)).entries.map(({ jobName }: Json) => jobName);
  expect(await found({ status: "error" })).toEqual(["bad"]);
  expect(await found({ statuses: ["ok", "error"], sortDir: "asc" })).toEqual(["good", "bad"]);
  expect(await found({ deliveryStatus: "delivered" })).toEqual(["good"]);
  expect(await found({ query: "ended with 4" })).toEqual(["bad"]);
  expect((await client.call("cron.list", { lastStatus: "error" })).jobs).toMatchObject([{ name: "bad" }]);
  expect(await client.call("cron.runs", { jobId: good["id"] })).toMatchObject({
    total: 1,
    entries: [{ executed: "ok", summary: "fine", trigger: "force" }],
  });
  expect(await client.call("cron.run", { id: good["id"], mode: "due" })).toEqual({
    ok: true,
    ran: false,
    reason: "not-due",
  });
});

test("a preview says what a schedule means while it is typed", async () => {
  const good = await client.call("cron.preview", { schedule: "0 9 * * 1", tz: "Asia/Kolkata", count: 3 });
  expect(good.runs).toHaveLength(3);
  expect(good.human).toContain("Asia/Kolkata");
  expect(await client.call("cron.preview", { schedule: "0 25 * * *" })).toMatchObject({
    runs: [],
    problems: [expect.stringContaining("hour")],
  });
});
