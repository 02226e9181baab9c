// Jobs in the whole gateway: what runs by itself, in whose name, where its result goes, and what a stop leaves of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, createFakeChannel, say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

/** Due at once: what was said a moment ago is meant. */
const now = () => ({ kind: "at", at: new Date().toISOString() });
const finished = async (client: WireClient, jobId: unknown): Promise<Json> =>
  (await client.untilEvent("cron", ({ payload }) => payload.action === "finished" && payload.jobId === jobId)).payload;
const saidIn = async (client: WireClient, sessionKey: string): Promise<string> =>
  JSON.stringify((await client.call("chat.history", { sessionKey })).messages);

describe("A job", () => {
  it("runs in a conversation of its own, tells the main one, and is gone", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    gateway.model.script(say("Good morning!"));
    const job = await client.call("cron.add", { name: "brief", schedule: now(), message: "say good morning" });
    const end = await finished(client, job.id);
    expect(end).toMatchObject({
      status: "ok",
      executed: "ok",
      delivered: true,
      deliveryStatus: "delivered",
      summary: "Good morning!",
      jobName: "brief",
      model: "test",
      provider: "scripted",
    });
    expect(end["sessionKey"]).toMatch(new RegExp(`^agent:main:cron:${job.id}:run:`));
    expect(await saidIn(client, "agent:main:main")).toContain("Good morning!");
    const shown = await client.call("chat.page", { sessionKey: "agent:main:main", from: 0, limit: 10 });
    expect(shown.messages.at(-1)).toMatchObject({ role: "assistant", job: { id: job.id, name: "brief" } });
    expect((await client.request("cron.get", { id: job.id })).error).toMatchObject({ code: "INVALID_REQUEST" });
    const [request] = gateway.model.requests;
    expect(textOf(request?.messages.at(-1) as never)).toMatch(
      new RegExp(`\\[cron:${job.id} brief\\] say good morning\nCurrent time: `),
    );
    // It acts in its own name, and never has what only owners have.
    expect(request?.tools?.map(({ name }) => name)).not.toContain("cron");
    const listed = await client.call("sessions.list", {});
    expect(listed.sessions.map(({ key }: Json) => key)).not.toContain(end["sessionKey"]);
    expect(await client.call("cron.runs", { id: job.id })).toMatchObject({
      total: 1,
      entries: [{ status: "ok", receipts: [{ channel: "webchat" }] }],
    });
    const log = join(gateway.stateDir, "cron", "runs", `${job.id}.jsonl`);
    await eventually("the log of runs", () => existsSync(log));
    const store = join(gateway.stateDir, "cron", "jobs.json");
    await eventually(
      "the job is gone from the file",
      () => existsSync(store) && readFileSync(store, "utf8").includes('"jobs": []'),
    );
  });

  it.for([
    ["named", { sessionTarget: "session:agent:main:garden" }],
    ["the current one", { sessionTarget: "current", sessionKey: "agent:main:garden" }],
  ] as const)("asks in a conversation that is %s, and nobody takes its words for a person's", async ([, target]) => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const sessionKey = "agent:main:garden";
    gateway.model.script(say("All are watered."));
    const words = { schedule: now(), message: "Are the plants\nwatered?", ...target };
    const job = await client.call("cron.add", { name: "plants [daily]", ...words });
    expect(await finished(client, job.id)).toMatchObject({ status: "ok", sessionKey });
    const titleOf = async (): Promise<unknown> => {
      const { sessions } = await client.call("sessions.list", { includeDerivedTitles: true });
      return sessions.find(({ key }: Json) => key === sessionKey)?.derivedTitle;
    };
    expect(await titleOf()).toBe("plants [daily]");
    gateway.model.script(say("You are welcome."));
    await client.agent("Thank you!", { sessionKey });
    expect(await titleOf()).toBe("Thank you!");

    const named = { id: job.id, name: "plants [daily]" };
    const { messages: shown } = await client.call("chat.page", { sessionKey, from: 0, limit: 10 });
    const visible = shown.filter(({ hidden }: Json) => !hidden);
    expect(visible).toMatchObject([
      { role: "user", kind: "errand", job: named, content: [{ text: "Are the plants\nwatered?" }] },
      { role: "assistant", content: [{ text: "All are watered." }] },
      { role: "user", content: [{ text: "Thank you!" }] },
      { role: "assistant" },
    ]);
    expect(visible[2]).not.toHaveProperty("kind");
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages[0]).toMatchObject({
      role: "user",
      job: named,
      senderLabel: "plants [daily]",
      provenance: { kind: "internal_system", sourceTool: "cron" },
      content: [{ text: "Are the plants\nwatered?" }],
    });
    const { previews } = await client.call("sessions.preview", { keys: [sessionKey] });
    expect(previews[0].items.map(({ role }: Json) => role)).toEqual(["system", "assistant", "user", "assistant"]);
    const { hits } = await client.call("sessions.search", { query: "plants watered" });
    expect(hits).toMatchObject([{ role: "user", job: named }]);
    // The model is told whose words they are, and when.
    expect(textOf(gateway.model.requests[0]?.messages.at(-1) as never)).toMatch(
      /\[cron:[^ ]+ plants \[daily\]\] Are the plants\nwatered\?\nCurrent time: /,
    );
  });

  it("sends its result to a chat, with the receipt of the platform", async () => {
    const fake = createFakeChannel();
    const open = { token: "t", dmPolicy: "open", allowFrom: ["*"] };
    await using gateway = await startTestGateway({
      channels: { fake: fake.channel },
      config: { channels: { fake: open } },
    });
    await fake.untilConnected();
    const client = await gateway.connect();
    gateway.model.script(say("News!"));
    const delivery = { mode: "announce", channel: "fake", to: "ann" };
    const job = await client.call("cron.add", { name: "news", schedule: now(), message: "news", delivery });
    expect(await finished(client, job.id)).toMatchObject({
      delivered: true,
      receipts: [{ channel: "fake", messageId: expect.any(String) }],
    });
    expect(fake.sent.map(({ target, text }) => `${target.to}: ${text}`)).toEqual(["ann: News!"]);
  });

  it.each([
    ["where alerts go", { failureAlert: { channel: "webchat" } }],
    ["where the agent was last spoken to, because the place of the result is not there", {}],
  ])("whose result cannot arrive has failed, and somebody is told: %s", async (_where, wishes) => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    gateway.model.script(say("to nobody"));
    const job = await client.call("cron.add", {
      name: "lost",
      schedule: now(),
      message: "go",
      delivery: { mode: "announce", channel: "irc", to: "#gone" },
      ...wishes,
    });
    expect(await finished(client, job.id)).toMatchObject({
      status: "error",
      executed: "ok",
      deliveryStatus: "not-delivered",
    });
    await eventually("the alert", async () =>
      (await saidIn(client, "agent:main:main")).includes('The job \\"lost\\" failed'),
    );
    expect(await client.call("cron.get", { id: job.id })).toMatchObject({
      enabled: false,
      state: { lastErrorReason: "delivery" },
    });
  });

  it("runs a command without asking a model", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const payload = { kind: "exec", command: "echo $((6 * 7))" };
    const job = await client.call("cron.add", { schedule: now(), payload, delivery: { mode: "announce" } });
    expect(await finished(client, job.id)).toMatchObject({ status: "ok", summary: "42", delivered: true });
    expect(gateway.model.requests).toEqual([]);
  });

  it("posts its result to a page, with the operator's token", async () => {
    const received: Array<{ headers: Json; body: Json }> = [];
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += String(chunk)));
      request.on("end", () => {
        received.push({ headers: request.headers as Json, body: JSON.parse(text) as Json });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using gateway = await startTestGateway({ config: { cron: { webhookToken: "operator-token-123" } } });
    const client = await gateway.connect();
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`;
    gateway.model.script(say("posted"));
    const job = await client.call("cron.add", { schedule: now(), message: "go", delivery: { mode: "webhook", to } });
    expect(await finished(client, job.id)).toMatchObject({ delivered: true });
    expect(received).toMatchObject([
      {
        headers: {
          authorization: "Bearer operator-token-123",
          "x-chela-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
        },
        body: { jobId: job.id, action: "finished", status: "ok", summary: "posted" },
      },
    ]);
    server.close();
  });

  it("wakes the agent of the main conversation with what it is reminded of", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const payload = { kind: "systemEvent", text: "the kettle boils" };
    const job = await client.call("cron.add", { schedule: now(), payload, wakeMode: "next-heartbeat" });
    expect(await finished(client, job.id)).toMatchObject({ status: "ok", summary: "the kettle boils" });
    await client.agent("anything new?");
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).toContain("the kettle boils");
  });

  it("made by the owner's agent answers in the chat it was made in", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    gateway.model.script(
      callTool("cron", {
        action: "add",
        job: { name: "r", schedule: now(), payload: { kind: "agentTurn", message: "x" } },
      }),
      say("noted"),
      say("here it is"),
    );
    await client.agent("remind me", { sessionKey: "agent:main:desk" });
    await eventually("the answer", async () => (await saidIn(client, "agent:main:desk")).includes("here it is"));
  });
});

describe("A stop", () => {
  it("in the middle of a run leaves it to the next start, which goes on with it once", async () => {
    using directory = createStateDirectory();
    const first = await startTestGateway({ stateDir: directory.path });
    const client = await first.connect();
    const job = await client.call("cron.add", { name: "long", schedule: "every 1h", message: "work" });
    // Whoever stops before the turn runs has not lost it.
    const stopping = client.call("cron.run", { id: job.id });
    await stopping;
    await first[Symbol.asyncDispose]();
    await using second = await startTestGateway({ stateDir: directory.path });
    const again = await second.connect();
    const runs = await eventually("the run is settled", async () => {
      const { entries } = await again.call("cron.runs", { id: job.id });
      return entries.length > 0 ? entries : undefined;
    });
    expect(runs).toMatchObject([{ status: "ok", trigger: "force", delivered: true }]);
    expect(first.model.requests.length + second.model.requests.length).toBe(1);
    expect((await again.call("cron.get", { id: job.id })).state).not.toHaveProperty("runningAtMs");
  });

  it("while a job came due is made up for", async () => {
    using directory = createStateDirectory();
    mkdirSync(join(directory.path, "cron"));
    const nextRunAtMs = Date.now() - 3 * 3_600_000;
    const kept = {
      id: "older",
      name: "older",
      enabled: true,
      schedule: { kind: "every", everyMs: 3_600_000, anchorMs: nextRunAtMs },
      payload: { kind: "agentTurn", message: "x" },
      state: { nextRunAtMs },
    };
    writeFileSync(join(directory.path, "cron", "jobs.json"), JSON.stringify({ version: 1, jobs: [kept] }));
    await using gateway = await startTestGateway({ stateDir: directory.path });
    const client = await gateway.connect();
    const entries = await eventually("the run is settled", async () => {
      const found = (await client.call("cron.runs", { scope: "all" })).entries;
      return found.length > 1 ? found : undefined;
    });
    expect(entries).toMatchObject([
      { status: "skipped", reason: "missed", skipped: { count: 3 } },
      { status: "ok", delivered: true },
    ]);
  });
});

it("jobs that are switched off in the configuration wait until they are switched on", async () => {
  await using gateway = await startTestGateway({ config: { cron: { enabled: false } } });
  const client = await gateway.connect();
  const job = await client.call("cron.add", { schedule: now(), message: "x" });
  expect(await client.call("cron.status")).toMatchObject({ enabled: false, jobs: 1, nextWakeAtMs: null });
  expect((await client.call("cron.runs", { includeRunning: true })).total).toBe(0);
  const config = JSON.parse(readFileSync(gateway.configPath, "utf8")) as Json;
  writeFileSync(gateway.configPath, JSON.stringify({ ...config, cron: { enabled: true } }));
  expect(await finished(client, job.id)).toMatchObject({ status: "ok" });
});
