// What nodes may offer, who may ask them for it, and which answers count.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../../base/ids.ts";
import { createLog } from "../../base/log.ts";
import {
  createNodes,
  findNode,
  readNodeEvent,
  readSurface,
  type CommandSettings,
  type DeclaredSurface,
  type NodeFacts,
  type NodeLink,
  type Nodes,
} from "./room.ts";

const ADMIN = ["operator.admin"];
const PHONE = { platform: "ios", commands: ["location.get", "system.notify"], caps: ["location"] };

let stateDir: string;
let clock: FakeClock;
let lines: string[];
let settings: CommandSettings;
let devices: NodeFacts[];
let nodes: Nodes;
let sent: { connId: string; payload: Record<string, unknown> }[];

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "chela-nodes-"));
  clock = createFakeClock();
  lines = [];
  settings = {};
  devices = [];
  sent = [];
  const log = createLog({ clock, level: "silent", consoleLevel: "warn", console: (line) => lines.push(line) });
  nodes = createNodes({ stateDir, clock, ids: createIds(), log, settings: () => settings, devices: () => devices });
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

interface Arrival extends DeclaredSurface {
  readonly platform?: string;
  readonly name?: string;
  readonly isPairedNow?: boolean;
}

let connections = 0;
function arrive(nodeId: string, { platform = "ios", name, isPairedNow = false, ...declared }: Arrival = {}) {
  const connId = `conn-${++connections}`;
  const facts = { nodeId, platform, ...(name ? { displayName: name } : {}) };
  if (!devices.some((one) => one.nodeId === nodeId)) devices.push({ nodeId, platform });
  const link: NodeLink = {
    connId,
    nodeId,
    facts,
    declared: readSurface(declared),
    isPairedNow,
    send: (_event, payload) => sent.push({ connId, payload }),
  };
  return { connId, leave: nodes.connect(link) };
}

const waiting = () => nodes.list().pending;
const lastId = (): string => String(sent.at(-1)?.payload["id"]);

describe("what a node may offer", () => {
  it("is what it declared when it was let in", () => {
    arrive("a", { ...PHONE, isPairedNow: true });
    expect(nodes.find("a")).toMatchObject({
      connected: true,
      paired: true,
      waits: false,
      commands: PHONE.commands,
      caps: ["location"],
    });
    expect(waiting()).toEqual([]);
    expect(statSync(join(stateDir, "nodes", "paired.json")).mode & 0o777).toBe(0o600);
  });

  it.each([
    "file.write",
    "dir.fetch",
    "system.execApprovals.set",
    "system.run",
    "browser.proxy",
    "camera.snap",
    "sms.send",
    "some.new.command",
  ])("is not %s, before an administrator has read that, however it was let in", (command) => {
    settings = { allowCommands: [command] };
    arrive("a", { platform: "linux", commands: ["system.notify", command], isPairedNow: true });
    expect(nodes.find("a")).toMatchObject({ commands: ["system.notify"], waits: true });
    const [request] = waiting();
    expect(request).toMatchObject({ adds: { commands: [command] } });
    expect(nodes.approve(request?.requestId ?? "", ["operator.pairing"]).kind).toBe("beyond-approver");
    expect(nodes.approve(request?.requestId ?? "", ADMIN).kind).toBe("approved");
    expect(nodes.find("a")?.commands).toContain(command);
  });

  it("is no program on a machine that does not say what it is", () => {
    arrive("a", { platform: "toaster", commands: ["system.notify", "system.run", "system.which"] });
    nodes.approve(waiting()[0]?.requestId ?? "", ADMIN);
    expect(nodes.find("a")).toMatchObject({ commands: ["system.notify"] });
  });

  it("is nothing, until somebody approves it, for a node nobody approved anything for", () => {
    arrive("a", PHONE);
    expect(nodes.find("a")).toMatchObject({ commands: [], caps: [], waits: true });
    const [request] = waiting();
    expect(request).toMatchObject({ nodeId: "a", isRepair: false, adds: { commands: PHONE.commands } });
    nodes.approve(request?.requestId ?? "", []);
    expect(nodes.find("a")).toMatchObject({ commands: PHONE.commands, waits: false });
  });

  it("does not grow when it comes back with more; what is new is shown and waits", () => {
    arrive("a", { ...PHONE, isPairedNow: true }).leave();
    const more = {
      commands: [...PHONE.commands, "camera.list"],
      caps: ["location", "camera"],
      permissions: { camera: true },
    };
    arrive("a", more);
    expect(nodes.find("a")).toMatchObject({
      commands: PHONE.commands,
      caps: ["location"],
      permissions: { camera: false },
    });
    const adds = { commands: ["camera.list"], caps: ["camera"], permissions: { camera: true } };
    expect(waiting()).toMatchObject([{ nodeId: "a", isRepair: true, adds }]);
  });

  it("shrinks with an approval of less: nothing of an older one is kept, nor its token", () => {
    const first = nodes.grant({ nodeId: "a" }, readSurface(PHONE));
    const { request } = nodes.request({ nodeId: "a" }, readSurface({ commands: ["camera.list"] }));
    expect(nodes.approve(request.requestId, [])).toMatchObject({
      kind: "approved",
      node: { commands: ["camera.list"] },
    });
    expect(nodes.verify("a", first.token)).toBeUndefined();
    arrive("a", { commands: [...PHONE.commands, "camera.list"] });
    expect(nodes.find("a")?.commands).toEqual(["camera.list"]);
  });

  it("is asked for once, and under a new id when it grows", () => {
    const ask = (commands: string[]) => nodes.request({ nodeId: "a" }, readSurface({ commands }));
    const first = ask(["camera.list"]);
    expect(ask(["camera.list"])).toMatchObject({ created: false, request: { requestId: first.request.requestId } });
    const second = ask(["camera.list", "location.get"]);
    expect(second.created).toBe(true);
    expect(nodes.approve(first.request.requestId, ADMIN).kind).toBe("unknown-request");
    expect(nodes.approve(second.request.requestId, []).kind).toBe("approved");
  });

  it.each(["system.run", "browser.proxy", "camera.snap", "sms.send"])(
    "with %s is approved by an administrator only",
    (command) => {
      const { request } = nodes.request({ nodeId: "a" }, readSurface({ commands: [command] }));
      expect(nodes.approve(request.requestId, ["operator.pairing"])).toMatchObject({
        kind: "beyond-approver",
        command,
      });
      expect(nodes.approve(request.requestId, ADMIN).kind).toBe("approved");
    },
  );

  it("is forgotten with the node", () => {
    const { token } = nodes.grant({ nodeId: "a" }, readSurface(PHONE));
    expect(nodes.verify("a", token)).toMatchObject({ nodeId: "a" });
    expect(JSON.stringify(nodes.list())).not.toContain(token);
    expect(nodes.forget("a")).toBe(true);
    expect(nodes.verify("a", token)).toBeUndefined();
  });

  it("is bounded, and made of names only", () => {
    const many = Array.from({ length: 500 }, (_, index) => `x.${index}`);
    expect(readSurface({ commands: many }).commands).toHaveLength(128);
    const odd = ["__proto__", "", "a b", "<b>", "x".repeat(200), "ok.one", "ok.one"];
    expect(readSurface({ commands: odd, caps: odd }).commands).toEqual(["ok.one"]);
    const permissions = JSON.parse('{"__proto__": true, "constructor": true}') as Record<string, boolean>;
    expect(readSurface({ permissions }).permissions).toEqual({ constructor: true });
  });

  it("is asked for until it is decided while the node is there, and for five minutes else", async () => {
    const here = arrive("a", PHONE);
    nodes.request({ nodeId: "b" }, readSurface(PHONE));
    await clock.advance(5 * 60_000);
    expect(waiting().map(({ nodeId }) => nodeId)).toEqual(["a"]);
    here.leave();
    expect(waiting()).toEqual([]);
  });

  it("touches no file before the first question", () => expect(readdirSync(stateDir)).toEqual([]));
});

describe("names", () => {
  it("are the operator's to change, not the node's", () => {
    arrive("a", { ...PHONE, name: "Phone", isPairedNow: true }).leave();
    arrive("a", { ...PHONE, name: "Gateway" });
    expect(nodes.find("a")?.displayName).toBe("Phone");
    expect(nodes.rename({ nodeId: "a" }, "  Pocket ")).toBe("Pocket");
    expect(nodes.find("a")).toMatchObject({ displayName: "Pocket", commands: PHONE.commands });
  });

  const rows = [
    { nodeId: "aaaaaaaa1", displayName: "Kitchen Mac" },
    { nodeId: "bbbbbbbb2", displayName: "aaaaaaaa1" },
    { nodeId: "cccccccc3", displayName: "kitchen-mac", remoteIp: "192.0.2.9" },
    { nodeId: "dddddddd4", displayName: "bbbbbbbb2", remoteIp: "192.0.2.7" },
  ];
  it.each([
    ["aaaaaaaa1", "aaaaaaaa1"],
    ["bbbbbbbb2", "bbbbbbbb2"],
    ["cccccc", "cccccccc3"],
    ["192.0.2.7", "dddddddd4"],
    ["Kitchen Mac", "several"],
    ["ccccc", "none"],
    ["", "none"],
    ["-", "none"],
  ])("%s means %s", (wanted, meant) => {
    const found = findNode(rows, wanted);
    expect(found.kind === "found" ? found.node.nodeId : found.kind).toBe(meant);
  });
});

describe("asking a node", () => {
  const ask = (command = "location.get", more = {}) => nodes.invoke("a", { command, ...more });

  it("gives its answer, with what it was told", async () => {
    const { connId } = arrive("a", { ...PHONE, isPairedNow: true });
    const asked = ask("location.get", { params: { maxAgeMs: 5 }, idempotencyKey: "k" });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.payload).toEqual({
      id: expect.any(String),
      nodeId: "a",
      command: "location.get",
      paramsJSON: '{"maxAgeMs":5}',
      timeoutMs: 30_000,
      idempotencyKey: "k",
    });
    expect(nodes.answer(connId, { id: lastId(), ok: true, payloadJSON: '{"lat":1}' })).toBe(true);
    expect(await asked).toEqual({ kind: "answered", payload: { lat: 1 }, payloadJSON: '{"lat":1}' });
  });

  it("counts an answer once, from the connection that was asked, with the id it was given", async () => {
    const asked = arrive("a", { ...PHONE, isPairedNow: true });
    const other = arrive("b", { ...PHONE, isPairedNow: true });
    const outcome = ask();
    const id = lastId();
    expect(nodes.answer(other.connId, { id, ok: true, payload: "forged" })).toBe(false);
    expect(nodes.answer(asked.connId, { id: "made-up", ok: true, payload: "forged" })).toBe(false);
    expect(nodes.answer(asked.connId, { id, ok: true, payload: "real" })).toBe(true);
    expect(nodes.answer(asked.connId, { id, ok: true, payload: "again" })).toBe(false);
    expect(await outcome).toMatchObject({ kind: "answered", payload: "real" });
    expect(lines.join("\n")).toContain("addressed to another connection");
    expect(lines.join("\n")).not.toContain("forged");
  });

  it("is over when the time is; what comes later does not count", async () => {
    const { connId } = arrive("a", { ...PHONE, isPairedNow: true });
    const outcome = ask("location.get", { timeoutMs: 1_000 });
    await clock.advance(1_000);
    expect(await outcome).toEqual({ kind: "timed-out" });
    expect(nodes.answer(connId, { id: lastId(), ok: true })).toBe(false);
  });

  it("fails at once when the node goes, and only what was addressed to that connection", async () => {
    const old = arrive("a", { ...PHONE, isPairedNow: true });
    const first = ask();
    const newer = arrive("a", PHONE);
    const second = ask();
    old.leave();
    expect(await first).toEqual({ kind: "gone" });
    nodes.answer(newer.connId, { id: lastId(), ok: true, payload: 2 });
    expect(await second).toMatchObject({ kind: "answered", payload: 2 });
  });

  it.each([
    [
      "a refusal",
      { ok: false, error: { code: "X", message: "no" } },
      { kind: "failed", error: { code: "X", message: "no" } },
    ],
    ["a refusal without words", { ok: false }, { kind: "failed", error: {} }],
    ["nothing", { ok: true }, { kind: "answered", payload: null, payloadJSON: null }],
    ["what is not JSON", { ok: true, payloadJSON: "{" }, { kind: "failed", error: { code: "INVALID_ANSWER" } }],
    [
      "what is nested without end",
      { ok: true, payloadJSON: `${"[".repeat(200_000)}${"]".repeat(200_000)}` },
      { kind: "failed", error: { code: "INVALID_ANSWER" } },
    ],
    ["too much", { ok: true, payload: "x".repeat(9_000_000) }, { kind: "failed", error: { code: "TOO_LARGE" } }],
  ])("understands %s", async (_what, answer, expected) => {
    const { connId } = arrive("a", { ...PHONE, isPairedNow: true });
    const outcome = ask();
    nodes.answer(connId, { id: lastId(), ...answer });
    expect(await outcome).toMatchObject(expected);
  });

  it("has an end when too much is asked at once", async () => {
    arrive("a", { ...PHONE, isPairedNow: true });
    const all = Array.from({ length: 33 }, () => ask());
    expect(await all.at(-1)).toEqual({ kind: "busy" });
    expect(sent).toHaveLength(32);
  });

  it("reaches nobody who is not there or not known", async () => {
    expect(await ask()).toEqual({ kind: "unknown-node" });
    arrive("a", { ...PHONE, isPairedNow: true }).leave();
    expect(await ask()).toEqual({ kind: "not-connected" });
  });

  const everything = [
    "location.get",
    "camera.snap",
    "system.run",
    "system.notify",
    "unheard.of",
    "system.execApprovals.set",
  ];
  it.each([
    ["ios", {}, "location.get", true],
    ["ios", {}, "system.run", false],
    ["ios", {}, "camera.snap", false],
    ["ios", { allowCommands: ["camera.snap"] }, "camera.snap", true],
    ["ios", { allowCommands: ["camera.snap"], denyCommands: ["camera.snap"] }, "camera.snap", false],
    ["ios", { denyCommands: ["location.get"] }, "location.get", false],
    ["linux", {}, "system.run", true],
    ["linux", {}, "location.get", false],
    ["android", {}, "system.notify", false],
    ["beos", {}, "system.notify", true],
    ["linux", { allowCommands: ["unheard.of"] }, "unheard.of", true],
    ["linux", {}, "unheard.of", false],
    ["linux", { allowCommands: ["system.execApprovals.set"] }, "system.execApprovals.set", false],
    ["linux", {}, "system.which", false],
  ] as const)("on %s with %j, %s is asked for: %s", (platform, allowed, command, isAsked) => {
    settings = allowed;
    arrive("a", { platform, commands: everything });
    nodes.grant({ nodeId: "a", platform }, readSurface({ commands: everything }));
    void nodes.invoke("a", { command });
    expect(sent).toHaveLength(isAsked ? 1 : 0);
    if (isAsked) expect(nodes.find("a")?.commands).toContain(command);
  });
});

describe("a node that is let in as it arrives", () => {
  it("by a code is given nothing that only an administrator may approve; that waits", () => {
    arrive("a", { platform: "linux", commands: ["system.notify", "system.run", "camera.snap"], isPairedNow: true });
    expect(nodes.find("a")).toMatchObject({ commands: ["system.notify"], waits: true });
    expect(nodes.list().pending).toMatchObject([{ nodeId: "a" }]);
    void nodes.invoke("a", { command: "system.run" });
    expect(sent).toEqual([]);
  });
});

describe("what nodes say", () => {
  it.each([
    ["voice.transcript", { text: "hello", eventId: "e" }, { kind: "spoken", text: "hello", key: "e" }],
    ["agent.request", { message: "hi", sessionKey: "main", deliver: true, to: "x" }, { kind: "spoken", text: "hi" }],
    ["agent.request", { message: "" }, { kind: "invalid" }],
    ["agent.request", { message: "x".repeat(20_001) }, { kind: "invalid" }],
    ["exec.finished", { sessionKey: "main", output: "done" }, { kind: "unused" }],
    ["chat.subscribe", { sessionKey: "main" }, { kind: "unused" }],
    ["exec.approval.resolved", {}, { kind: "unknown" }],
    ["constructor", {}, { kind: "unknown" }],
  ])("%s %j is %j", (event, payload, expected) => {
    const read = readNodeEvent(event, payload, undefined);
    expect(read).toMatchObject(expected);
    if (expected.kind === "spoken") expect(Object.keys(read)).toEqual(Object.keys(expected));
    expect(readNodeEvent(event, undefined, JSON.stringify(payload))).toEqual(read);
  });

  it("is heard thirty times a minute, each node for itself", async () => {
    for (let count = 0; count < 30; count += 1) expect(nodes.waitToSpeak("a")).toBe(0);
    expect(nodes.waitToSpeak("a")).toBe(60_000);
    expect(nodes.waitToSpeak("b")).toBe(0);
    await clock.advance(60_000);
    expect(nodes.waitToSpeak("a")).toBe(0);
  });
});

it("keeps requests and nodes in the files other programs know", () => {
  nodes.request({ nodeId: "a", platform: "ios" }, readSurface(PHONE));
  nodes.grant({ nodeId: "b", platform: "linux" }, readSurface(PHONE));
  const read = (name: string) =>
    JSON.parse(readFileSync(join(stateDir, "nodes", name), "utf8")) as Record<string, unknown>;
  const [id, request] = Object.entries(read("pending.json"))[0] ?? [];
  expect(request).toMatchObject({ requestId: id, nodeId: "a", platform: "ios", commands: PHONE.commands });
  expect(read("paired.json")["b"]).toMatchObject({ nodeId: "b", token: expect.stringMatching(/^[\w-]{43}$/) });
});
