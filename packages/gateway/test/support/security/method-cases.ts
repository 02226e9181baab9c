// One good call of each method of the protocol, for the tests that call all of them.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { MethodName } from "@chela/sdk/protocol";
import { eventually, startTestGateway, type TestGateway, type TestGatewayOptions } from "../in-process.ts";
import { createOperatorChannel, type OperatorChannel } from "../operator-channel.ts";
import { SMALL_PNG } from "../durability/small-files.ts";
import { connectNode, type TestNode } from "../test-node.ts";
import { createTestDevice, type Json, type WireClient } from "../wire-client.ts";

const SESSION = "agent:main:case";

export interface MethodScene {
  readonly gateway: TestGateway;
  readonly client: WireClient;
  readonly operated: OperatorChannel;
  /** A node that answers whatever it is asked. */
  node(): Promise<TestNode>;
}

const hash = async ({ client }: MethodScene) => String((await client.call("config.get")).hash);
const pairedDevice = async ({ gateway }: MethodScene): Promise<string> => String((await gateway.connect()).device?.id);
const waitingRequest = async ({ gateway }: MethodScene): Promise<Json> => {
  const away = { headers: { "x-forwarded-for": "203.0.113.9" }, device: createTestDevice() };
  const { error } = await gateway.dial(away).tryConnect();
  return { requestId: error?.details?.["requestId"] };
};
const waitingNode = async ({ client }: MethodScene): Promise<Json> => {
  const { request } = await client.call("node.pair.request", { nodeId: `n${randomUUID()}` });
  return { requestId: request.requestId };
};
const message = () => ({ sessionKey: SESSION, message: "hello", idempotencyKey: randomUUID() });

const newAgent = ({ stateDir }: TestGateway): Json => {
  const name = `a${randomUUID()}`;
  return { name, workspace: join(stateDir, "workspaces", name) };
};

const pairingCode = async ({ client, operated }: MethodScene): Promise<Json> => {
  const from = `p${randomUUID()}`;
  await operated.fake.say("hello", { from });
  const { requests } = await client.call("pairing.list", { channel: "fake" });
  return { channel: "fake", code: requests.find(({ id }: Json) => id === from).code };
};

const lostDelivery = async ({ client, operated }: MethodScene): Promise<Json> => {
  operated.fake.failNext({ kind: "failed", reason: "unreachable", why: "a case" });
  await operated.fake.say("hello", { from: "friend" });
  return eventually("it is given up", async () => {
    const { deliveries } = await client.call("deliveries.list", { state: "undeliverable" });
    return deliveries[0] && { id: deliveries[0].id };
  });
};

const spawned = async ({ client, gateway }: MethodScene): Promise<Json> => {
  const gate = gateway.gate();
  gateway.model.script(gate.step("", "done"));
  const sessionKey = `agent:main:spawn-${randomUUID()}`;
  await client.agent("/subagents spawn a case", { sessionKey });
  await gate.reached;
  return { sessionKey, target: "last" };
};

const newJob = async ({ client }: MethodScene): Promise<string> =>
  String((await client.call("cron.add", { schedule: "every 1h", message: "look" })).id);

const newSession = async ({ client }: MethodScene): Promise<string> =>
  String((await client.call("sessions.create", {})).key);

const newCredential = async ({ client }: MethodScene): Promise<Json> => {
  const id = `case/${randomUUID()}`;
  await client.call("credentials.add", { id, service: "case", value: "a-value-of-a-case" });
  return { id };
};

const somebody = (): Json => {
  const id = `p${randomUUID()}`;
  return { id, name: "Somebody", role: "member", ids: [{ channel: "fake", id }], quota: { messagesPerDay: 5 } };
};
const newPerson = async ({ client }: MethodScene): Promise<string> =>
  String((await client.call("people.put", { person: somebody() })).person.id);

const newNote = async ({ client }: MethodScene): Promise<Json> => {
  const path = `memory/${randomUUID()}.md`;
  const { hash: baseHash } = await client.call("memory.notes.set", { path, text: "a case" });
  return { path, baseHash };
};

/** Parameters of one good call of each method. A new method needs a case here. */
export const METHOD_CASES: { readonly [M in MethodName]: (scene: MethodScene) => Promise<Json> | Json } = {
  health: () => ({ probe: true }),
  "cron.list": () => ({ includeDisabled: true }),
  "cron.get": async (scene) => ({ id: await newJob(scene) }),
  "cron.status": () => ({}),
  "cron.add": () => ({ schedule: "every 1h", message: "look" }),
  "cron.update": async (scene) => ({ id: await newJob(scene), patch: { enabled: false } }),
  "cron.remove": async (scene) => ({ id: await newJob(scene) }),
  "cron.run": async (scene) => ({ id: await newJob(scene), mode: "due" }),
  "cron.runs": () => ({ scope: "all" }),
  "cron.next": () => ({ limit: 3 }),
  "cron.preview": () => ({ schedule: "30 7 * * 1-5", tz: "Europe/Stockholm" }),
  "logs.tail": () => ({ limit: 10 }),
  "logs.follow": () => ({ limit: 10 }),
  "logs.unfollow": () => ({}),
  status: () => ({}),
  "channels.status": () => ({ probe: true, timeoutMs: 1000 }),
  "channels.capabilities": () => ({ channel: "fake" }),
  "channels.setup": () => ({}),
  "channels.check": () => ({ channel: "fake", accountId: "new", settings: { token: "t" } }),
  "channels.resolve": () => ({ channel: "fake", entries: ["7", "@known-8", "@nobody"] }),
  "directory.self": () => ({ channel: "fake" }),
  "directory.users": () => ({ channel: "fake", query: "a", limit: 5 }),
  "directory.groups": () => ({ channel: "fake" }),
  "directory.members": () => ({ channel: "fake", groupId: "g1" }),
  "routing.explain": () => ({ channel: "fake", peer: { kind: "group", id: "g1" }, senderId: "alice" }),
  "deliveries.list": () => ({ limit: 5 }),
  "deliveries.resend": lostDelivery,
  "web.login.start": () => ({ channel: "fake", accountId: "other", force: true }),
  "web.login.wait": () => ({ channel: "fake", accountId: "other", timeoutMs: 1 }),
  "channels.logout": () => ({ channel: "fake", accountId: "third" }),
  "people.list": () => ({ who: { channel: "fake", id: "nobody" } }),
  "people.put": () => ({ person: somebody() }),
  "people.delete": async (scene) => ({ id: await newPerson(scene) }),
  "people.link": async (scene) => ({ id: await newPerson(scene), add: [{ channel: "fake", id: randomUUID() }] }),
  "people.suggest": () => ({}),
  "pairing.list": () => ({}),
  "pairing.approve": async (scene) => ({ ...(await pairingCode(scene)), notify: true }),
  "pairing.reject": pairingCode,
  "usage.status": () => ({}),
  "usage.cost": () => ({ days: 7 }),
  "usage.by": () => ({ dimension: "agent", days: 7 }),
  "usage.budgets": () => ({}),
  "config.get": () => ({}),
  "config.check": () => ({ raw: "{ gateway: { port: 'x' } }" }),
  "config.set": async (scene) => ({ raw: (await scene.client.call("config.get")).raw, baseHash: await hash(scene) }),
  "config.apply": async (scene) => ({ raw: (await scene.client.call("config.get")).raw, baseHash: await hash(scene) }),
  "config.patch": async (scene) => ({ raw: '{ui: {seamColor: "#00ff00"}}', baseHash: await hash(scene) }),
  "config.schema": () => ({}),
  "config.schema.lookup": () => ({ path: "agents.list[].model" }),
  "gateway.identity.get": () => ({}),
  "secrets.reload": () => ({}),
  "secrets.resolve": () => ({ commandName: "memory status", targetIds: ["models.providers.*.apiKey"] }),
  "sessions.create": () => ({ message: "hello" }),
  "sessions.send": async (scene) => ({ key: await newSession(scene), message: "hello" }),
  "sessions.steer": async (scene) => ({ key: await newSession(scene), message: "hello" }),
  "sessions.abort": async (scene) => ({ key: await newSession(scene) }),
  "sessions.get": async (scene) => ({ key: await newSession(scene) }),
  "sessions.subscribe": () => ({}),
  "sessions.unsubscribe": () => ({}),
  "sessions.messages.subscribe": () => ({ key: SESSION }),
  "sessions.messages.unsubscribe": () => ({ key: SESSION }),
  "setup.status": () => ({}),
  "setup.scan": () => ({}),
  "setup.test": () => ({ provider: "unheard-of", baseUrl: "http://127.0.0.1:9/v1", model: "m" }),
  "setup.apply": () => ({ provider: "scripted", model: "test" }),
  "exec.approvals.get": () => ({}),
  "exec.approvals.set": async ({ client }) => {
    const { hash } = await client.call("exec.approvals.get");
    return { file: { version: 1 }, baseHash: hash };
  },
  "exec.approval.request": () => ({ command: "ls", timeoutMs: 1 }),
  "exec.approval.waitDecision": async ({ client }) => ({
    id: (await client.call("exec.approval.request", { command: "ls", timeoutMs: 1 })).id,
  }),
  "exec.approval.resolve": async ({ client }) => {
    client.send({ type: "req", id: "asked", method: "exec.approval.request", params: { id: "asked", command: "ls" } });
    await client.untilEvent("exec.approval.requested", ({ payload }) => payload.id === "asked");
    return { id: "asked", decision: "deny" };
  },
  "exec.approval.list": () => ({}),
  "credentials.list": () => ({}),
  "credentials.add": () => ({ id: `case/${randomUUID()}`, service: "case", value: "a-value-of-a-case" }),
  "credentials.remove": newCredential,
  "credentials.verify": newCredential,
  "credentials.rotate": () => ({ key: "file" }),
  "credentials.import": () => ({}),
  "audit.list": () => ({ actions: ["login", "tool"], outcomes: ["ok"], limit: 5 }),
  "audit.verify": () => ({}),
  "memory.status": () => ({}),
  "doctor.memory.status": () => ({ agentId: "main" }),
  "memory.search": () => ({ query: "hello", maxResults: 5, minScore: 0, sources: ["memory"] }),
  "memory.index": () => ({ force: true }),
  "memory.rebuild": () => ({ what: "learned" }),
  "memory.check": () => ({ repair: true }),
  "memory.notes.list": () => ({}),
  "memory.notes.get": async (scene) => ({ path: (await newNote(scene)).path }),
  "memory.notes.set": async (scene) => ({ ...(await newNote(scene)), text: "another case" }),
  "memory.notes.delete": newNote,
  "memory.subjects": () => ({ search: "a", limit: 5 }),
  "memory.facts": () => ({ search: "a", limit: 5 }),
  "memory.block": () => ({}),
  "memory.forget": () => ({ what: { kind: "subject", subject: "nobody" } }),
  "models.list": () => ({}),
  "models.retry": () => ({}),
  "commands.list": () => ({ sessionKey: SESSION }),
  "media.get": async ({ client }) => {
    const attachments = [{ fileName: "a.png", content: SMALL_PNG }];
    await client.agent("look", { sessionKey: "agent:main:files", attachments });
    const { messages } = await client.call("chat.history", { sessionKey: "agent:main:files" });
    return { id: messages[0].content.find(({ type }: Json) => type === "media").id };
  },
  "tools.catalog": () => ({ agentId: "main" }),
  "tools.explain": () => ({ tool: "session_status", sessionKey: SESSION }),
  "agents.list": () => ({}),
  "agents.create": ({ gateway }) => newAgent(gateway),
  "agents.update": () => ({ agentId: "main", name: "Main" }),
  "agents.delete": async ({ gateway, client }) => ({
    agentId: (await client.call("agents.create", newAgent(gateway))).agentId,
  }),
  "agents.files.list": () => ({ agentId: "main" }),
  "agents.files.get": () => ({ agentId: "main", name: "SOUL.md" }),
  "agents.files.set": () => ({ agentId: "main", name: "TOOLS.md", content: "a case" }),
  "sandbox.status": () => ({}),
  "sandbox.explain": () => ({ sessionKey: SESSION }),
  "sandbox.recreate": () => ({ all: true }),
  // One that is not there: the whole test is a suite of its own.
  "sandbox.selftest": () => ({ backend: "podman" }),
  "security.audit": () => ({ deep: true }),
  "security.fix": () => ({ ids: ["redaction-off"] }),
  "sessions.list": () => ({ includeDerivedTitles: true, includeLastMessage: true }),
  "sessions.preview": () => ({ keys: [SESSION] }),
  "sessions.resolve": () => ({ key: SESSION }),
  "sessions.patch": () => ({ key: SESSION, label: "a case" }),
  "sessions.reset": () => ({ key: "agent:main:reset-me" }),
  "sessions.delete": () => ({ key: "agent:main:delete-me" }),
  "sessions.compact": () => ({ key: SESSION, maxLines: 1 }),
  "sessions.deleted": () => ({ limit: 5 }),
  "sessions.restore": async ({ client }) => {
    const key = `agent:main:${randomUUID()}`;
    await client.agent("hello", { sessionKey: key });
    await client.call("sessions.delete", { key });
    return { id: (await client.call("sessions.deleted", { key })).sessions[0].id };
  },
  "sessions.search": () => ({ query: "hello" }),
  "sessions.usage": () => ({ key: SESSION }),
  "sessions.usage.timeseries": () => ({ key: SESSION }),
  "sessions.usage.logs": () => ({ key: SESSION }),
  "runs.list": () => ({ limit: 5, state: "done" }),
  "runs.explain": async ({ client }) => {
    const params = message();
    await client.call("agent", params);
    return { id: params.idempotencyKey };
  },
  "sessions.branches": () => ({ key: SESSION }),
  "sessions.checkpoint": () => ({ key: "agent:main:tree", name: "here" }),
  "sessions.checkpoint.patch": () => ({ key: "agent:main:tree", name: "here", to: "here" }),
  "sessions.rewind": () => ({ key: "agent:main:tree", turns: 1 }),
  "sessions.switch": () => ({ key: "agent:main:tree", to: "here" }),
  "last-heartbeat": () => ({}),
  "heartbeat.status": () => ({}),
  "set-heartbeats": () => ({ enabled: true }),
  wake: () => ({ mode: "next-heartbeat", text: "a case" }),
  "device.pair.list": () => ({}),
  "access.code": () => ({}),
  "device.pair.approve": waitingRequest,
  "device.pair.reject": waitingRequest,
  "device.pair.remove": async (scene) => ({ deviceId: await pairedDevice(scene) }),
  "device.token.rotate": async (scene) => ({ deviceId: await pairedDevice(scene), role: "operator" }),
  "device.token.revoke": async (scene) => ({ deviceId: await pairedDevice(scene), role: "operator" }),
  "device.setup.create": () => ({ name: "Phone", url: "wss://claw.example" }),
  "node.pair.request": () => ({ nodeId: `n${randomUUID()}`, commands: ["camera.list"] }),
  "node.pair.list": () => ({}),
  "node.pair.approve": waitingNode,
  "node.pair.reject": waitingNode,
  "node.pair.verify": async ({ client }) => {
    const nodeId = `n${randomUUID()}`;
    const { request } = await client.call("node.pair.request", { nodeId });
    const { node } = await client.call("node.pair.approve", { requestId: request.requestId });
    return { nodeId, token: node.token };
  },
  "node.pair.remove": async ({ gateway }) => ({ nodeId: (await connectNode(gateway)).nodeId }),
  "node.rename": async ({ node }) => ({ nodeId: (await node()).nodeId, displayName: "A case" }),
  "node.list": () => ({}),
  "node.describe": async ({ node }) => ({ nodeId: (await node()).nodeId }),
  "node.invoke": async ({ node }) => {
    const { nodeId } = await node();
    return { nodeId, command: "system.notify", params: { title: "a case" }, idempotencyKey: randomUUID() };
  },
  "node.invoke.result": async ({ node }) => ({ id: "a case", nodeId: (await node()).nodeId, ok: true }),
  "node.event": () => ({ event: "chat.subscribe", payload: { sessionKey: "a case" } }),
  "editor.attach": () => ({ sessionKey: SESSION, folders: ["/a/project"], read: true }),
  "editor.detach": () => ({ sessionKey: SESSION }),
  "editor.answer": () => ({ id: "a case", ok: true, text: "" }),
  "system-presence": () => ({}),
  "system-event": () => ({ text: "a case" }),
  send: () => ({ channel: "fake", to: "friend", message: "a case", idempotencyKey: randomUUID() }),
  poll: () => ({
    channel: "fake",
    to: "friend",
    question: "A case?",
    options: ["Yes", "No"],
    idempotencyKey: randomUUID(),
  }),
  "message.action": () => ({ channel: "fake", action: "react", target: "friend", messageId: "m1", emoji: "👍" }),
  agent: message,
  "agent.identity.get": () => ({ agentId: "main" }),
  "agent.wait": async ({ client }) => {
    const params = message();
    await client.call("agent", params);
    return { runId: params.idempotencyKey };
  },
  "chat.history": () => ({ sessionKey: SESSION }),
  "chat.watch": () => ({ sessionKey: SESSION }),
  "chat.unwatch": () => ({ sessionKey: SESSION }),
  "chat.page": () => ({ sessionKey: SESSION, from: 0, limit: 10 }),
  "chat.entry": async ({ client }) => {
    const { leafId } = await client.call("chat.watch", { sessionKey: SESSION });
    return { sessionKey: SESSION, id: leafId };
  },
  "chat.abort": () => ({ sessionKey: SESSION }),
  "chat.send": message,
  "chat.inject": () => ({ sessionKey: SESSION, message: "a case" }),
  "subagents.list": () => ({ sessionKey: SESSION, recursive: true }),
  "subagents.kill": spawned,
  "subagents.steer": async (scene) => ({ ...(await spawned(scene)), message: "a case" }),
  "hooks.list": () => ({}),
  "hooks.info": () => ({ name: "session-memory" }),
  "hooks.check": () => ({}),
  "hooks.enable": () => ({ name: "command-logger" }),
  "hooks.disable": () => ({ name: "command-logger" }),
  "webhooks.list": () => ({}),
  "webhooks.test": () => ({ hook: "agent", body: JSON.stringify({ message: "hello" }) }),
};

const ACCOUNTS = { default: {}, other: {}, third: {} };
/** What the configuration has to say for the calls to be good. */
export const METHOD_MEMORY: Json = { enabled: true, store: { vector: { enabled: false } } };
export const METHOD_CHANNELS: Json = { fake: { token: "t", allowFrom: ["friend"], accounts: ACCOUNTS } };

/** A gateway in which every call of the table is good. */
export async function openMethodScene(options: TestGatewayOptions = {}): Promise<MethodScene> {
  const operated = createOperatorChannel();
  const gateway = await startTestGateway({
    config: { channels: METHOD_CHANNELS, agents: { defaults: { memorySearch: METHOD_MEMORY } } },
    ...options,
    channels: { ...options.channels, fake: operated.channel },
  });
  for (const account of Object.keys(ACCOUNTS)) await operated.fake.untilConnected(account);
  const client = await gateway.connect();
  for (const sessionKey of [SESSION, "agent:main:delete-me", "agent:main:tree"]) {
    await client.agent("hello", { sessionKey });
  }
  let node: Promise<TestNode> | undefined;
  const connectOnce = async (): Promise<TestNode> => {
    const connected = await connectNode(gateway, { commands: ["system.notify"] });
    connected.answerAll({ ok: true, payload: { shown: true } });
    return connected;
  };
  return { gateway, client, operated, node: () => (node ??= connectOnce()) };
}
