// The audit trail of a whole gateway: everything that happens leaves its row, in whose name, in the commit that made it true.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { AuditRecord, Change } from "@chela/sdk";
import { callTool, createFakeClock, say } from "@chela/sdk/testing";
import { openDatabase, SqliteLedger } from "../../src/rooms/ledger/room.ts";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { createTestDevice, type Json, type WireClient } from "../support/wire-client.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const rowsOf = async (client: WireClient, filter: Json = {}): Promise<AuditRecord[]> =>
  (await client.call("audit.list", { order: "oldest", limit: 1000, ...filter })).records;
const brief = ({ action, target, outcome, actor }: AuditRecord): string[] => [action, target, outcome, actor];
/** What a program that reads the file finds, without asking the gateway. */
async function rowsOnDisk(stateDir: string): Promise<AuditRecord[]> {
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite"), { readOnly: true }));
  const rows = await ledger.audit({ limit: 1000, order: "oldest" });
  await ledger.close();
  return rows;
}

describe("a turn", () => {
  let gateway: TestGateway;
  let client: WireClient;
  let me: string;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: { tools: { deny: ["web_fetch"], exec: { host: "gateway", security: "allowlist" } } },
    });
    client = await gateway.connect({ client: { displayName: "Desk" } });
    me = `device:${client.device?.id}`;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  afterEach(() => void vi.restoreAllMocks());

  async function turn(
    ...steps: Parameters<TestGateway["model"]["script"]>
  ): Promise<{ runId: string; session: string }> {
    const [runId, session] = [randomUUID(), `agent:main:audit-${randomUUID()}`];
    gateway.model.script(...steps);
    await client.agent("please", { sessionKey: session, idempotencyKey: runId });
    await eventually(
      "it is delivered",
      async () => (await rowsOf(client, { traceId: runId, actions: ["delivery"] }))[0],
    );
    return { runId, session };
  }

  test("that calls a tool leaves a row for each call of model and tool, and for the answer", async () => {
    const { runId, session } = await turn(callTool("session_status", { verbose: true }, "call_1"), say("fine"));
    const rows = await rowsOf(client, { traceId: runId });
    expect(rows.map(brief)).toEqual([
      ["model", "scripted/test", "ok", me],
      ["tool", "session_status", "ok", me],
      ["model", "scripted/test", "ok", me],
      ["delivery", "webchat", "ok", "gateway"],
    ]);
    for (const row of rows) expect(row).toMatchObject({ traceId: runId, sessionKey: session, channel: "webchat" });
    const [asked, tool, again] = rows;
    expect(tool?.detail).toMatchObject({ toolCallId: "call_1", args: { verbose: true }, isError: false });
    const result = gateway.model.requests.at(-1)?.messages.find(({ role }) => role === "toolResult");
    expect(tool?.detail?.["resultDigest"]).toBe(sha256(JSON.stringify(result?.content)));
    const { system, tools, messages } = gateway.model.requests.at(-1) ?? { system: "", tools: [], messages: [] };
    const parts = [sha256(system), ...[tools, ...messages].map((part) => sha256(JSON.stringify(part)))];
    expect(again?.detail).toMatchObject({
      provider: "scripted",
      model: "test",
      promptDigest: sha256(parts.join("\n")),
    });
    expect(asked?.detail?.["promptDigest"]).not.toBe(again?.detail?.["promptDigest"]);
  });

  test("writes each row with what it tells of, so that no crash can part them", async () => {
    const commits: Array<readonly Change[]> = [];
    const { commit } = SqliteLedger.prototype;
    vi.spyOn(SqliteLedger.prototype, "commit").mockImplementation(function (this: SqliteLedger, changes) {
      commits.push(changes);
      return commit.call(this, changes);
    });
    const { runId } = await turn(callTool("write", { path: "a.txt", content: "a" }), say("fine"));
    const holding = (action: string) =>
      commits.filter((changes) =>
        changes.some((one) => one.kind === "audit-add" && one.event.action === action && one.event.traceId === runId),
      );
    const kindsOf = (changes: readonly Change[] | undefined) => changes?.map(({ kind }) => kind);
    expect(holding("tool")).toHaveLength(1);
    expect(kindsOf(holding("tool")[0])).toEqual(expect.arrayContaining(["tool-end", "entries-append"]));
    const [first, last] = holding("model");
    expect(kindsOf(first)).toContain("tool-start");
    expect(kindsOf(last)).toContain("turn-end");
    expect(kindsOf(holding("delivery")[0])).toContain("outbox-add");
  });

  test("says nothing secret of what a tool was called with", async () => {
    const secret = "sk-proj-abcdefghijklmnop1234567890";
    const args = {
      path: "a.txt",
      content: `OPENAI_API_KEY=${secret}\n${"x".repeat(5000)}`,
      password: "hunter2hunter2",
    };
    const { runId } = await turn(callTool("write", args), say("fine"));
    const text = JSON.stringify(await rowsOf(client, { traceId: runId, actions: ["tool"] }));
    expect(text).toContain("a.txt");
    expect(text).not.toMatch(/sk-proj-abc|hunter2/);
  });

  test.for([
    ["forbidden by the configuration", "web_fetch", { url: "https://example.com" }, "denied"],
    ["that does not exist", "no_such_tool", {}, "failed"],
    ["with wrong arguments", "read", { limit: "few" }, "failed"],
    ["that fails", "read", { path: "not-there.txt" }, "failed"],
  ] as const)("says what became of a tool %s", async ([, name, args, outcome]) => {
    const { runId } = await turn(callTool(name, args), say("I see"));
    const [row] = await rowsOf(client, { traceId: runId, actions: ["tool"] });
    expect(row).toMatchObject({ target: name, outcome, detail: { isError: true } });
    if (outcome === "denied") expect(row?.detail?.["decidedBy"]).toEqual(expect.any(String));
  });

  test("that fails says which model was asked, and why it failed", async () => {
    gateway.model.script([
      { kind: "failure", failure: { reason: "auth", message: "the key is wrong", retry: "never" } },
    ]);
    const runId = randomUUID();
    await client.request("agent", { message: "please", sessionKey: "agent:main:fails", idempotencyKey: runId });
    await client.chatEnd(runId).catch(() => {});
    const rows = await eventually("the row", async () => {
      const found = await rowsOf(client, { traceId: runId, actions: ["model"] });
      return found.length > 0 ? found : undefined;
    });
    expect(rows[0]).toMatchObject({ outcome: "failed", detail: { failure: "auth" } });
  });

  test("that needs a yes says who was asked and who answered", async () => {
    const phone = await gateway.connect({ client: { id: "openclaw-ios", mode: "ui", displayName: "Phone" } });
    for (const [decision, outcome] of [
      ["allow-once", "ok"],
      ["deny", "denied"],
    ] as const) {
      const runId = randomUUID();
      gateway.model.script(callTool("exec", { command: "id -u" }), say("done"));
      const answer = client.agent("run it", { sessionKey: `agent:main:yes-${runId}`, idempotencyKey: runId });
      const { payload } = await phone.untilEvent(
        "exec.approval.requested",
        (one) => one.payload.request.runId === runId,
      );
      await phone.call("exec.approval.resolve", { id: payload.id, decision });
      // What was decided is on the disk when the one who decided is told so.
      const decided = (await rowsOnDisk(gateway.stateDir)).filter(
        (row) => row.traceId === runId && row.action === "approval",
      );
      expect(decided.map(brief)).toEqual([
        ["approval", "id -u", "ok", expect.stringMatching(/^webchat:default:./)],
        ["approval", "id -u", outcome, `device:${phone.device?.id}`],
      ]);
      expect(decided[1]?.detail).toMatchObject({ step: "answered", decision, by: "Phone" });
      await answer;
      const [tool] = await rowsOf(client, { traceId: runId, actions: ["tool"] });
      expect(tool).toMatchObject({
        target: "exec",
        outcome,
        ...(decision === "deny" ? { detail: { decidedBy: "approval" } } : {}),
      });
    }
  });

  test("of a job is done in its name", async () => {
    gateway.model.script(say("done"));
    const { id } = await client.call("cron.add", { schedule: "every 1h", message: "look", sessionTarget: "isolated" });
    await client.call("cron.run", { id });
    const row = await eventually("the job ran", async () => (await rowsOf(client, { actor: `cron:${id}` }))[0]);
    expect(row).toMatchObject({ action: "model", channel: "cron" });
  });
});

describe("a message to a channel", () => {
  test("leaves a row when it arrived, and when it was given up", async () => {
    await using stage = await openChannelStage();
    const { client, fake } = stage;
    await stage.ask("hello");
    fake.failNext({ kind: "failed", reason: "unreachable", why: "no such chat" });
    await fake.say("again");
    const rows = await eventually("both rows", async () => {
      const found = await rowsOf(client, { actions: ["delivery"] });
      return found.length === 2 ? found : undefined;
    });
    expect(rows.map(brief)).toEqual([
      ["delivery", `${fake.channel.id}:default:${rows[0]?.target.split(":")[2]}`, "ok", "gateway"],
      ["delivery", rows[0]?.target, "failed", "gateway"],
    ]);
    expect(rows[0]?.detail).toMatchObject({ attempts: 1, messageId: expect.any(String) });
    expect(rows[1]?.detail).toMatchObject({ error: "no such chat" });
    const models = await rowsOf(client, { actions: ["model"] });
    expect(models.map(({ actor }) => actor)).toEqual(Array(2).fill(`${fake.channel.id}:default:alice`));
  });

  test("and who asks to be let in, and is let in or not, leave rows", async () => {
    await using stage = await openChannelStage({ settings: { dmPolicy: "pairing" } });
    const { client, fake } = stage;
    const me = `device:${client.device?.id}`;
    const channel = fake.channel.id;
    for (const [from, method] of [
      ["bob", "pairing.approve"],
      ["eve", "pairing.reject"],
    ] as const) {
      await fake.say("let me in", { from });
      const { requests } = await client.call("pairing.list", {});
      const { code } = requests.find(({ id }: Json) => id === from);
      await client.call(method, { channel, code });
      const rows = (await rowsOnDisk(stage.gateway.stateDir)).filter(
        ({ target }) => target === `${channel}:default:${from}`,
      );
      const outcome = method === "pairing.approve" ? "ok" : "denied";
      const step = method === "pairing.approve" ? "approved" : "rejected";
      expect(
        rows.filter(({ action }) => action === "pairing").map((row) => [...brief(row), row.detail?.["step"]]),
      ).toEqual([
        ["pairing", `${channel}:default:${from}`, "ok", `${channel}:default:${from}`, "requested"],
        ["pairing", `${channel}:default:${from}`, outcome, me, step],
      ]);
    }
  });
});

describe("the configuration", () => {
  test("that is changed by a client: who, which keys, and on the disk before the answer when they guard something", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const patch = async (raw: string) => {
      const { hash } = await client.call("config.get");
      await client.call("config.patch", { raw, baseHash: hash });
    };
    await patch('{tools: {exec: {security: "deny"}}, ui: {seamColor: "#00ff00"}}');
    const onDisk = (await rowsOnDisk(gateway.stateDir)).filter(({ action }) => action === "config");
    expect(onDisk).toMatchObject([{ actor: `device:${client.device?.id}`, outcome: "ok" }]);
    expect(onDisk[0]?.detail?.["security"]).toEqual(["tools.exec.security"]);
    expect(onDisk[0]?.detail?.["changed"]).toEqual(expect.arrayContaining(["tools.exec.security", "ui.seamColor"]));
    await patch('{ui: {seamColor: "#0000ff"}}');
    const rows = await rowsOf(client, { actions: ["config"] });
    expect(rows).toHaveLength(2);
    expect(rows[1]?.detail).not.toHaveProperty("security");
    expect(rows[1]?.target).toBe("ui.seamColor");
  });

  test("that is changed by a method that is about something else", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    await client.call("agents.create", { name: "Helper", workspace: join(gateway.stateDir, "workspaces", "helper") });
    const rows = await rowsOf(client, { actions: ["config"] });
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([`device:${client.device?.id}`]));
    expect(rows[0]?.detail?.["security"]).toEqual([expect.stringMatching(/^agents\.list/)]);
  });

  test("that is changed in its file", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const config = JSON.parse(readFileSync(gateway.configPath, "utf8"));
    writeFileSync(gateway.configPath, JSON.stringify({ ...config, ui: { seamColor: "#00ff00" } }));
    const row = await eventually("the row", async () => (await rowsOf(client, { actions: ["config"] }))[0]);
    expect(row).toMatchObject({ actor: "file", detail: { changed: ["ui.seamColor"] } });
  });

  test("that is changed in a chat is changed by whoever wrote there", async () => {
    await using gateway = await startTestGateway({ config: { commands: { config: true } } });
    const client = await gateway.connect();
    await client.agent("/config set ui.seamColor=#00ff00");
    const [row] = await rowsOf(client, { actions: ["config"] });
    expect(row).toMatchObject({ actor: `device:${client.device?.id}`, target: "ui.seamColor" });
  });

  test("that was changed while no gateway ran is noticed by the next start", async () => {
    using state = createStateDirectory();
    await (await startTestGateway({ stateDir: state.path }))[Symbol.asyncDispose]();
    const path = join(state.path, "openclaw.json");
    const config = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...config, ui: { seamColor: "#00ff00" } }));
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    const row = await eventually("the row", async () => (await rowsOf(client, { actions: ["config"] }))[0]);
    expect(row).toMatchObject({ actor: "file", detail: { step: "changed while the gateway did not run" } });
  });
});

describe("the door", () => {
  const AWAY = { headers: { "x-forwarded-for": "203.0.113.9" } };

  test("says who came in, who was turned away, and who was given a key or lost it", async () => {
    await using gateway = await startTestGateway();
    const admin = await gateway.connect({ client: { id: "cli", mode: "cli" } });
    const device = createTestDevice();
    await gateway.dial({ token: "wrong".repeat(8), device: createTestDevice(), ...AWAY }).tryConnect();
    await gateway.fetch("/v1/models", { token: "wrong".repeat(8) });
    const { error } = await gateway.dial({ ...AWAY, device, scopes: ["operator.read"] }).tryConnect();
    await admin.call("device.pair.approve", { requestId: error?.details?.["requestId"] });
    await admin.call("device.token.rotate", { deviceId: device.id, role: "operator" }).catch(() => {});
    await gateway.connect({ ...AWAY, device, scopes: ["operator.read"] });
    await admin.call("device.token.rotate", { deviceId: device.id, role: "operator" });
    await admin.call("device.token.revoke", { deviceId: device.id, role: "operator" });
    await admin.call("device.pair.remove", { deviceId: device.id });
    const me = `device:${admin.device?.id}`;
    const other = `device:${device.id}`;
    const pairing = (await rowsOnDisk(gateway.stateDir)).filter(
      ({ action, target }) => action === "pairing" && target === other,
    );
    expect(pairing.map(({ actor, outcome, detail }) => [detail?.["step"], actor, outcome])).toEqual([
      ["requested", other, "ok"],
      ["approved", me, "ok"],
      ["rotated", me, "ok"],
      ["revoked", me, "ok"],
      ["removed", me, "ok"],
    ]);
    const logins = await rowsOf(admin, { actions: ["login"] });
    expect(logins.map(({ actor, target, outcome }) => [actor, target, outcome])).toEqual([
      [me, "operator", "ok"],
      ["address:127.0.0.1", "ws", "denied"],
      ["address:127.0.0.1", "http", "denied"],
      ["address:127.0.0.1", "ws", "denied"],
      [other, "operator", "ok"],
    ]);
    expect(logins[0]?.detail).toMatchObject({ method: "token", client: "cli", mode: "cli" });
    expect(logins[1]?.detail).toMatchObject({ claims: expect.any(String) });
    expect(logins[2]?.detail).toMatchObject({ path: "/v1/models" });
    expect(JSON.stringify(logins)).not.toContain("wrongwrong");
  });

  test("does not fill the trail for one who knocks without end", async () => {
    const clock = createFakeClock(Date.now());
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.connect();
    for (let knock = 0; knock < 40; knock++) await gateway.fetch("/v1/models", { token: "wrong" });
    await clock.advance(61_000);
    const { total, records } = await client.call("audit.list", { actions: ["login"], outcomes: ["denied"], limit: 1 });
    expect(total).toBe(21);
    expect(records[0]).toMatchObject({ actor: "many", detail: { count: 20 } });
  });
});

test("a credential that is added, checked and removed leaves rows without its value", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const value = "a-value-nobody-may-see-0123456789";
  await client.call("credentials.add", { id: "search", service: "brave", value });
  await client.call("credentials.verify", { id: "search" });
  await client.call("credentials.remove", { id: "search" });
  const rows = (await rowsOnDisk(gateway.stateDir)).filter(({ action }) => action === "credential");
  const me = `device:${client.device?.id}`;
  expect(rows.filter(({ actor }) => actor === me).map(({ target, detail }) => [target, detail?.["step"]])).toEqual(
    ["added", "verified", "removed"].map((step) => ["search", step]),
  );
  expect(JSON.stringify(rows)).not.toContain(value);
});

describe("the methods", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect();
    for (const key of ["one", "two"]) await client.agent("hello", { sessionKey: `agent:main:${key}` });
    await eventually("both are delivered", async () => (await rowsOf(client, { actions: ["delivery"] }))[1]);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("show the newest first, page by page", async () => {
    const all: AuditRecord[] = [];
    for (let before: number | undefined; ; before = all.at(-1)?.seq) {
      const page = await client.call("audit.list", { limit: 2, ...(before ? { before } : {}) });
      all.push(...page.records);
      expect(page.base).toMatchObject({ seq: 0 });
      if (!page.hasMore) break;
      expect(page.records).toHaveLength(2);
    }
    const seqs = all.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((one, other) => other - one));
    expect(seqs.at(-1)).toBe(1);
  });

  test.for([
    [{ sessionKey: "agent:main:one" }, 2],
    [{ actions: ["model"] }, 2],
    [{ actions: ["model"], sessionKey: "agent:main:two" }, 1],
    [{ outcomes: ["denied"] }, 0],
    [{ actor: "nobody" }, 0],
    [{ search: "SCRIPTED/TEST" }, 2],
    [{ to: 1 }, 0],
  ] as const)("find what was asked for: %j", async ([filter, count]) => {
    const page = await client.call("audit.list", filter);
    expect(page.records).toHaveLength(count);
    expect(page).toMatchObject({ total: count, hasMore: false });
  });

  test("verify the whole, and find what was changed behind the gateway's back", async () => {
    expect(await client.call("audit.verify")).toMatchObject({ ok: true, problems: [] });
    const database = openDatabase(join(gateway.stateDir, "ledger.sqlite"));
    database.exec("UPDATE audit SET outcome = 'denied' WHERE seq = 2");
    const report = await client.call("audit.verify");
    expect(report).toMatchObject({ ok: false, problems: [{ kind: "changed", seq: 2 }] });
    database.exec("UPDATE audit SET outcome = 'ok' WHERE seq = 2");
    database.close();
  });

  test("are for administrators", async () => {
    const reader = await gateway.connect({ scopes: ["operator.read", "operator.write", "operator.approvals"] });
    for (const method of ["audit.list", "audit.verify"])
      expect((await reader.request(method, {})).error?.message).toBe("missing scope: operator.admin");
  });

  test("and those who look on are told that something is new", async () => {
    const before = client.eventsOf("changed").length;
    await client.agent("hello");
    await client.until("the topic", () =>
      client
        .eventsOf("changed")
        .slice(before)
        .some(({ payload }) => payload.topics.includes("audit"))
        ? true
        : undefined,
    );
  });
});

test("what is old is let go once a day, and what is left is whole", async () => {
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ clock, config: { audit: { retentionDays: 2 } } });
  const client = await gateway.connect();
  expect(await rowsOf(client)).not.toEqual([]);
  await clock.advance(4 * 86_400_000);
  const rows = await eventually("they are gone", async () => {
    const found = await rowsOf(client);
    return found[0]?.target === "forgotten" ? found : undefined;
  });
  expect(rows).toMatchObject([{ action: "audit", actor: "gateway", outcome: "ok" }]);
  expect(await client.call("audit.verify")).toMatchObject({ ok: true, checked: 1 });
});
