// S-04: a connection may do what was granted to it, method by method, and not what it says of itself.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { METHODS, SCOPES, type MethodName } from "@chela/sdk/protocol";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import { createTestDevice, type Json, type WireClient } from "../support/wire-client.ts";

/** Which scopes open which methods, written down apart from the code. */
const NEEDS: { readonly [M in MethodName]: "none" | "read" | "write" | "approvals" | "pairing" | "admin" | "node" } = {
  health: "none",
  "config.schema.lookup": "read",
  "gateway.identity.get": "read",
  "secrets.reload": "admin",
  "secrets.resolve": "admin",
  "sessions.create": "write",
  "sessions.send": "write",
  "sessions.steer": "write",
  "sessions.abort": "write",
  "sessions.get": "read",
  "sessions.subscribe": "read",
  "sessions.unsubscribe": "read",
  "sessions.messages.subscribe": "read",
  "sessions.messages.unsubscribe": "read",
  "cron.list": "read",
  "cron.get": "read",
  "cron.status": "read",
  "cron.add": "admin",
  "cron.update": "admin",
  "cron.remove": "admin",
  "cron.run": "admin",
  "cron.runs": "read",
  "cron.next": "read",
  "cron.preview": "read",
  "logs.tail": "read",
  "credentials.list": "admin",
  "credentials.add": "admin",
  "credentials.remove": "admin",
  "credentials.verify": "admin",
  "credentials.rotate": "admin",
  "credentials.import": "admin",
  "logs.follow": "read",
  "logs.unfollow": "read",
  status: "read",
  "channels.status": "read",
  "channels.logout": "admin",
  "channels.capabilities": "read",
  "channels.resolve": "read",
  "channels.setup": "read",
  "channels.check": "admin",
  "web.login.start": "admin",
  "web.login.wait": "admin",
  "directory.self": "read",
  "directory.users": "read",
  "directory.groups": "read",
  "directory.members": "read",
  "routing.explain": "read",
  "deliveries.list": "read",
  "deliveries.resend": "write",
  "pairing.list": "pairing",
  "pairing.approve": "pairing",
  "pairing.reject": "pairing",
  "people.list": "read",
  "people.put": "admin",
  "people.delete": "admin",
  "people.link": "admin",
  "people.suggest": "admin",
  "usage.status": "read",
  "usage.cost": "read",
  "usage.by": "read",
  "usage.budgets": "read",
  "config.get": "read",
  "config.check": "admin",
  "setup.status": "read",
  "setup.scan": "admin",
  "setup.test": "admin",
  "setup.apply": "admin",
  "config.set": "admin",
  "config.apply": "admin",
  "config.patch": "admin",
  "config.schema": "admin",
  "exec.approvals.get": "admin",
  "exec.approvals.set": "admin",
  "exec.approval.request": "approvals",
  "exec.approval.waitDecision": "approvals",
  "exec.approval.resolve": "approvals",
  "exec.approval.list": "approvals",
  "audit.list": "admin",
  "audit.verify": "admin",
  "memory.status": "read",
  "doctor.memory.status": "read",
  "memory.search": "read",
  "memory.index": "admin",
  "memory.rebuild": "admin",
  "memory.check": "admin",
  "memory.notes.list": "read",
  "memory.notes.get": "read",
  "memory.notes.set": "admin",
  "memory.notes.delete": "admin",
  "memory.subjects": "read",
  "memory.facts": "read",
  "memory.block": "read",
  "memory.forget": "admin",
  "models.list": "read",
  "models.retry": "write",
  "commands.list": "read",
  "media.get": "read",
  "tools.catalog": "read",
  "tools.explain": "read",
  "agents.list": "read",
  "agents.create": "admin",
  "agents.update": "admin",
  "agents.delete": "admin",
  "agents.files.list": "read",
  "agents.files.get": "read",
  "agents.files.set": "admin",
  "sessions.list": "read",
  "sessions.preview": "read",
  "sessions.resolve": "read",
  "sessions.patch": "admin",
  "sessions.reset": "admin",
  "sessions.delete": "admin",
  "sessions.deleted": "read",
  "sessions.restore": "admin",
  "sessions.search": "read",
  "sessions.compact": "admin",
  "sessions.usage": "read",
  "sessions.usage.timeseries": "read",
  "sessions.usage.logs": "read",
  "runs.list": "read",
  "runs.explain": "read",
  "sessions.branches": "read",
  "sessions.checkpoint": "write",
  "sessions.checkpoint.patch": "write",
  "sessions.rewind": "write",
  "sessions.switch": "write",
  "last-heartbeat": "read",
  "heartbeat.status": "read",
  "set-heartbeats": "admin",
  wake: "write",
  "device.pair.list": "pairing",
  "access.code": "admin",
  "device.pair.approve": "pairing",
  "device.pair.reject": "pairing",
  "device.pair.remove": "pairing",
  "device.token.rotate": "pairing",
  "device.token.revoke": "pairing",
  "device.setup.create": "pairing",
  "node.pair.request": "pairing",
  "node.pair.list": "pairing",
  "node.pair.approve": "pairing",
  "node.pair.reject": "pairing",
  "node.pair.verify": "pairing",
  "node.pair.remove": "pairing",
  "node.rename": "pairing",
  "node.list": "read",
  "node.describe": "read",
  "node.invoke": "write",
  "node.invoke.result": "node",
  "node.event": "node",
  "system-presence": "read",
  "system-event": "admin",
  send: "write",
  poll: "write",
  "message.action": "read",
  agent: "write",
  "agent.identity.get": "read",
  "agent.wait": "write",
  "chat.history": "read",
  "chat.watch": "read",
  "chat.unwatch": "read",
  "chat.page": "read",
  "chat.entry": "read",
  "chat.abort": "write",
  "chat.send": "write",
  "chat.inject": "admin",
  "editor.attach": "admin",
  "editor.detach": "admin",
  "editor.answer": "admin",
  "subagents.list": "read",
  "subagents.kill": "write",
  "subagents.steer": "write",
  "hooks.list": "read",
  "hooks.info": "read",
  "hooks.check": "read",
  "hooks.enable": "admin",
  "hooks.disable": "admin",
  "webhooks.list": "read",
  "webhooks.test": "admin",
  "sandbox.status": "read",
  "sandbox.explain": "read",
  "sandbox.recreate": "admin",
  "sandbox.selftest": "admin",
  "security.audit": "admin",
  "security.fix": "admin",
};

function isAllowed(granted: readonly string[], need: string): boolean {
  if (need === "node") return false;
  if (need === "none" || granted.includes("operator.admin") || granted.includes(`operator.${need}`)) return true;
  return need === "read" && granted.includes("operator.write");
}

const SUBSETS = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, at) => bits & (1 << at)),
);

describe("S-04", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  /** Asks with parameters nobody accepts, so that a call which is let in does nothing. */
  async function expectGrant(client: WireClient, granted: readonly string[], role = "operator"): Promise<void> {
    countCases("S-04", Object.keys(NEEDS).length);
    for (const [method, need] of Object.entries(NEEDS)) {
      const { error } = await client.request(method, { "no such parameter": 1 });
      const letIn = /^(invalid .* params: |rate limit exceeded)/.test(error?.message ?? "");
      const expected = role === "operator" ? isAllowed(granted, need) : need === "none";
      expect([method, granted, letIn]).toEqual([method, granted, expected]);
      const refusal = need === "node" ? "unauthorized role: operator" : `missing scope: operator.${need}`;
      if (!expected && role === "operator") expect(error?.message).toBe(refusal);
    }
  }

  test("every method has a scope, and no other method is there", () => {
    expect(Object.keys(NEEDS).toSorted()).toEqual(Object.keys(METHODS).toSorted());
  });

  test.for(SUBSETS)("with %j, exactly the methods of these scopes can be called", async (granted) => {
    const client = await gateway.connect({ scopes: granted });
    await expectGrant(client, granted);
    const { error } = await client.request("no.such.method");
    const isAdmin = granted.includes("operator.admin");
    expect(error?.message).toBe(isAdmin ? "unknown method: no.such.method" : "missing scope: operator.admin");
  });

  test("a shared secret without a device is granted nothing, whatever it asks for", async () => {
    for (const client of [
      { id: "cli", mode: "cli" },
      { id: "gateway-client", mode: "backend" },
      { id: "openclaw-probe", mode: "probe" },
    ]) {
      await expectGrant(await gateway.connect({ device: null, client, scopes: [...SCOPES] }), []);
    }
  });

  test("scopes nobody knows grant nothing", async () => {
    const client = await gateway.connect({ scopes: ["*", "admin", "operator.*", "operator", "OPERATOR.ADMIN"] });
    await expectGrant(client, []);
  });

  test("a device from elsewhere gets no more than was approved, however it asks", async () => {
    const device = createTestDevice();
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const { token: deviceToken } = await pairForReading(device.id);
    async function pairForReading(deviceId: string): Promise<{ token: string }> {
      const admin = await gateway.connect();
      await gateway.dial({ headers, device, scopes: ["operator.read"] }).tryConnect();
      const { pending } = await admin.call("device.pair.list");
      const request = pending.find((one: { deviceId: string }) => one.deviceId === deviceId);
      await admin.call("device.pair.approve", { requestId: request.requestId });
      const first = await gateway.connect({ headers, device, scopes: ["operator.read"] });
      return { token: first.hello.auth.deviceToken };
    }
    for (const scopes of [["operator.admin"], ["operator.read", "operator.write"], [...SCOPES]]) {
      const byToken = await gateway.dial({ headers, device, scopes, token: undefined, deviceToken }).tryConnect();
      expect(byToken.ok).toBe(false);
      const bySecret = await gateway.dial({ headers, device, scopes }).tryConnect();
      expect(bySecret.error?.details).toMatchObject({ code: "PAIRING_REQUIRED", reason: "scope-upgrade" });
    }
    const nothing = await gateway.connect({ headers, device, scopes: [], token: undefined, deviceToken });
    await expectGrant(nothing, []);
  });

  test("a node is granted nothing of an operator, even with its scopes", async () => {
    const client = { id: "node-host", mode: "node" };
    const methods = Object.keys(NEEDS).filter(
      (method) => NEEDS[method as MethodName] !== "node" && method !== "health",
    );
    // Somebody who keeps asking is shown out after ten calls.
    for (let from = 0; from < methods.length; from += 9) {
      const node = await gateway.connect({ role: "node", client, scopes: ["operator.admin"] });
      for (const method of methods.slice(from, from + 9))
        expect((await node.request(method, {})).error?.message).toBe("unauthorized role: node");
    }
  });

  test("who may not read a conversation does not hear it either", async () => {
    const deaf = await Promise.all([
      gateway.connect({ device: null, client: { id: "gateway-client", mode: "backend" } }),
      gateway.connect({ scopes: ["operator.pairing"] }),
      gateway.connect({ role: "node", scopes: [], client: { id: "node-host", mode: "node" } }),
    ]);
    const hearing = await Promise.all(
      [["operator.read"], ["operator.write"], ["operator.admin"]].map((scopes) => gateway.connect({ scopes })),
    );
    const { payload } = await (await gateway.connect()).chat("a private matter");
    await (await gateway.connect()).call("chat.inject", { sessionKey: "main", message: "a private note" });
    for (const client of hearing) {
      expect((await client.chatEnd(payload.runId)).payload).toEqual(payload);
      await client.untilEvent("chat", (one) => JSON.stringify(one).includes("a private note"));
    }
    for (const client of deaf) {
      expect((await client.request("health")).ok).toBe(true);
      expect(JSON.stringify(client.frames)).not.toContain("a private");
    }
  });

  test("who may pair devices cannot give a device more than they hold", async () => {
    const clerk = await gateway.connect({ scopes: ["operator.pairing"] });
    const admin = await gateway.connect();
    const params = { deviceId: admin.device?.id, role: "operator" };
    const { error } = await clerk.request("device.token.rotate", params);
    expect(error?.message).toBe("missing scope: operator.admin");
    expect((await admin.request("health")).ok).toBe(true);
  });

  test("who may pair devices shows out nobody who may do more, and may leave", async () => {
    const clerk = await gateway.connect({ scopes: ["operator.pairing"] });
    const admin = await gateway.connect();
    const params = { deviceId: admin.device?.id };
    for (const [method, more] of [
      ["device.pair.remove", {}],
      ["device.token.revoke", { role: "operator" }],
      ["device.token.rotate", { role: "operator", scopes: [] }],
    ] as const)
      expect((await clerk.request(method, { ...params, ...more })).error?.message).toMatch(
        /^missing scope: operator\./,
      );
    expect((await admin.request("health")).ok).toBe(true);
    expect((await clerk.request("device.pair.remove", { deviceId: clerk.device?.id })).ok).toBe(true);
  });

  test("who may let people in makes nobody an owner, which the first one would be", async () => {
    await using stage = await openChannelStage({ settings: { dmPolicy: "pairing", allowFrom: [] } });
    await stage.fake.say("let me in", { from: "mallory" });
    const { requests } = await stage.client.call("pairing.list", {});
    const params = { channel: "fake", code: (requests as { code: string }[])[0]?.code };
    const clerk = await stage.gateway.connect({ scopes: ["operator.pairing"] });
    expect((await clerk.request("pairing.approve", params)).error?.message).toMatch(/^missing scope: operator.admin/);
    expect((await stage.client.call("pairing.list", {})).requests).toHaveLength(1);
    expect(await stage.client.call("pairing.approve", params)).toMatchObject({ id: "mallory", isOwner: true });
    await stage.fake.say("me, too", { from: "bob" });
    const { requests: more } = await stage.client.call("pairing.list", {});
    const second = { channel: "fake", code: (more as { code: string }[])[0]?.code };
    expect(await clerk.call("pairing.approve", second)).toMatchObject({ id: "bob", isOwner: false });
  });

  test("what an operator without operator.admin sends is nobody's own word in the conversation there", async () => {
    await using stage = await openChannelStage({ config: { commands: { ownerAllowFrom: ["alice"] } } });
    await stage.ask("hello");
    const clerk = await stage.gateway.connect({ scopes: ["operator.write"] });
    const to = { channel: "fake", to: "alice" };
    await clerk.call("send", { ...to, message: "canary of a clerk", idempotencyKey: "1" });
    await stage.client.call("send", { ...to, message: "canary of the owner", idempotencyKey: "2" });
    const { messages } = await stage.client.call("chat.history", { sessionKey: "agent:main:main" });
    const own = JSON.stringify((messages as Json[]).filter(({ role }) => role === "assistant"));
    expect(own).toContain("canary of the owner");
    expect(own).not.toContain("canary of a clerk");
    await stage.ask("and now?");
    expect(stage.lastTold()).toContain("an operator without operator.admin asked for it");
  });
});
