// One human over several channels: one conversation, one role, one limit. The whole gateway, with two channels a test speaks for.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noUsage, textOf, type ModelEvent, type PersonRole } from "@chela/sdk";
import { callTool, createFakeChannel, say, type ScriptStep } from "@chela/sdk/testing";
import { toldBy } from "../support/stages/channel-stage.ts";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const DM = { token: "t", dmPolicy: "pairing", groupPolicy: "open", groups: { g1: { requireMention: false } } };

async function openStage(options: { config?: Json; stateDir?: string; settings?: Json } = {}) {
  const [pigeon, owl] = [createFakeChannel({ id: "pigeon" }), createFakeChannel({ id: "owl" })];
  const block = { ...DM, ...options.settings };
  const clock = createShiftedClock();
  const gateway = await startTestGateway({
    clock,
    channels: { pigeon: pigeon.channel, owl: owl.channel },
    config: { channels: { pigeon: block, owl: block }, messages: { queue: { mode: "followup" } }, ...options.config },
    ...(options.stateDir ? { stateDir: options.stateDir } : {}),
  });
  await Promise.all([pigeon.untilConnected(), owl.untilConnected()]);
  const client = await gateway.connect();
  const answered = async (fake: typeof pigeon, from: string, text = "hello") => {
    const before = fake.sent.length;
    // Of its own, also behind a restart.
    const received = await fake.say(text, { from, id: randomUUID() });
    if (received.kind === "accepted") await fake.until(before + 1);
    return received.kind;
  };
  return { pigeon, owl, gateway, client, clock, answered, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

const put = (client: WireClient, role: PersonRole, ids: readonly string[], more: Json = {}) =>
  client.call("people.put", { person: { id: "ann", name: "Ann", role, ids: ids.map(written), ...more } });
const written = (word: string) => ({ channel: word.split(":")[0] ?? "", id: word.split(":")[1] ?? "" });
const toolsOf = (request: { tools: readonly { name: string }[] } | undefined) =>
  request?.tools.map(({ name }) => name) ?? [];

describe("a person with two ids", () => {
  it("has one conversation on two channels, and strangers have their own", async () => {
    await using stage = await openStage({
      config: { session: { dmScope: "per-peer" } },
      settings: { dmPolicy: "open", allowFrom: ["*"] },
    });
    const { pigeon, owl, client, gateway, answered } = stage;
    await put(client, "member", ["pigeon:7", "owl:ann-o"]);
    await answered(pigeon, "7", "the word is heron");
    await answered(owl, "ann-o", "what was the word?");
    expect(toldBy(gateway.model.requests.at(-1)).join("\n")).toMatch(/heron[^]*what was the word/);
    // Somebody whose id looks like the person's name in keys.
    await answered(owl, "ann", "let me in");
    expect(toldBy(gateway.model.requests.at(-1)).join("\n")).not.toContain("heron");
    const { sessions } = await client.call("sessions.list");
    expect(sessions.map(({ key }: Json) => key).toSorted()).toEqual([
      "agent:main:direct:ann",
      "agent:main:direct:ann~0",
    ]);
  });

  it("follows what the configuration links, and never takes a name it gave to somebody else", async () => {
    const identityLinks = { annie: ["pigeon:7"], bob: ["owl:b"] };
    await using stage = await openStage({
      config: { session: { dmScope: "per-peer", identityLinks } },
      settings: { dmPolicy: "open", allowFrom: ["*"] },
    });
    const { client, owl, pigeon, answered } = stage;
    const ids = ["pigeon:8", "owl:c"].map(written);
    await put(client, "member", ["pigeon:7", "owl:ann-o"]);
    await client.call("people.put", { person: { id: "bob", name: "Other Bob", role: "member", ids } });
    for (const [fake, from] of [
      [owl, "ann-o"],
      [pigeon, "7"],
      [owl, "b"],
      [owl, "c"],
      [pigeon, "8"],
    ] as const)
      await answered(fake, from);
    const { sessions } = await client.call("sessions.list");
    expect(sessions.map(({ key }: Json) => key).toSorted()).toEqual([
      "agent:main:direct:annie",
      "agent:main:direct:bob",
      "agent:main:direct:bob%7eperson",
    ]);
  });
});

describe("a role", () => {
  it.for([
    ["none", { speaks: false, commands: false, owner: false }],
    ["guest", { speaks: false, commands: false, owner: false }],
    ["member", { speaks: true, commands: true, owner: false }],
    ["approver", { speaks: true, commands: true, owner: false }],
    ["owner", { speaks: true, commands: true, owner: true }],
  ] as const)("of %s gives exactly this: %j", async ([role, expected]) => {
    await using stage = await openStage({ config: { commands: { ownerAllowFrom: [], config: true } } });
    const { client, pigeon, gateway } = stage;
    if (role !== "none") await put(client, role, ["pigeon:7"]);
    const speaks = (await pigeon.say("hello", { from: "7" })).kind === "accepted";
    if (speaks) await pigeon.until(1);
    const tools = toolsOf(gateway.model.requests.at(-1));
    const commands = (await pigeon.say("/status", { from: "7" })).kind === "accepted";
    const isShown = (await pigeon.say("/config get", { from: "7" })).kind === "accepted";
    expect({ speaks, commands, owner: tools.includes("cron") }).toEqual(expected);
    expect(isShown).toBe(expected.owner);
  });

  it("is nobody else's: a name, a spelling, another channel or an empty id do not make one an owner", async () => {
    await using stage = await openStage();
    const { client, pigeon, owl } = stage;
    await put(client, "owner", ["pigeon:7"]);
    for (const [fake, from, name] of [
      [pigeon, "8", "7"],
      [pigeon, "8", "Ann"],
      [pigeon, "ann", "ann"],
      [pigeon, "person:ann", "Ann"],
      [pigeon, "pigeon:7", "Ann"],
      [pigeon, "", "7"],
      [pigeon, "*", "Ann"],
      [owl, "7", "Ann"],
    ] as const) {
      expect(await fake.say("hello", { from, name }), `${from} ${name}`).toMatchObject({ kind: "settled" });
    }
    expect(stage.gateway.model.requests).toEqual([]);
  });

  it("ends with the next message when it is taken away", async () => {
    await using stage = await openStage();
    const { client, pigeon, gateway, answered } = stage;
    await put(client, "owner", ["pigeon:7"]);
    expect(await answered(pigeon, "7")).toBe("accepted");
    expect(toolsOf(gateway.model.requests.at(-1))).toContain("cron");
    await put(client, "member", ["pigeon:7"]);
    await answered(pigeon, "7");
    expect(toolsOf(gateway.model.requests.at(-1))).not.toContain("cron");
    await client.call("people.link", { id: "ann", remove: [written("pigeon:7")] });
    expect(await pigeon.say("hello", { from: "7" })).toMatchObject({ kind: "settled" });
    await put(client, "member", ["pigeon:7"]);
    expect(await answered(pigeon, "7")).toBe("accepted");
    await client.call("people.delete", { id: "ann" });
    expect(await pigeon.say("hello", { from: "7" })).toMatchObject({ kind: "settled" });
  });

  it("of owner keeps the first stranger who is approved from becoming one", async () => {
    await using stage = await openStage();
    await put(stage.client, "owner", ["pigeon:7"]);
    await stage.pigeon.say("hello", { from: "8" });
    const { requests } = await stage.client.call("pairing.list");
    const approved = await stage.client.call("pairing.approve", { channel: "pigeon", code: requests[0].code });
    expect(approved).toMatchObject({ id: "8", isOwner: false });
  });

  it("can be given by no one who may not administer, and by no message", async () => {
    await using stage = await openStage();
    const { client, gateway, pigeon, answered } = stage;
    await put(client, "member", ["pigeon:7"]);
    const writer = await gateway.connect({
      scopes: ["operator.read", "operator.write", "operator.approvals", "operator.pairing"],
    });
    for (const [method, params] of [
      ["people.put", { person: { id: "eve", name: "Eve", role: "owner", ids: [written("pigeon:9")] } }],
      ["people.link", { id: "ann", add: [written("pigeon:9")] }],
      ["people.delete", { id: "ann" }],
      ["people.suggest", {}],
    ] as const)
      expect(await writer.request(method, params), method).toMatchObject({ ok: false });
    await answered(pigeon, "7", "/people put ann owner");
    const { people } = await client.call("people.list");
    expect(people).toMatchObject([{ id: "ann", role: "member", ids: [{ channel: "pigeon", id: "7" }] }]);
  });
});

describe("an approver", () => {
  const asked = (stage: Awaited<ReturnType<typeof openStage>>) => {
    const { pigeon, gateway } = stage;
    gateway.model.script(callTool("exec", { command: "touch canary" }), say("Done with it."));
    return {
      hasRun: () => existsSync(join(gateway.stateDir, "workspace", "canary")),
      yes: () => {
        const content = pigeon.sent.findLast(({ content: one }) => one.kind === "text" && one.buttons)?.content;
        return content?.kind === "text" ? (content.buttons?.flat()[0]?.data ?? "") : "";
      },
      done: () => eventually("the answer", () => pigeon.sent.some(({ text }) => text === "Done with it.") || undefined),
    };
  };

  it("is asked in the own chat and may say yes", async () => {
    await using stage = await openStage();
    await put(stage.client, "approver", ["pigeon:7"]);
    const question = asked(stage);
    await stage.pigeon.say("do it", { from: "7" });
    await stage.pigeon.until(1);
    await stage.pigeon.say("", { from: "7", content: { kind: "button", data: question.yes(), on: "out" } });
    await question.done();
    expect(question.hasRun()).toBe(true);
  });

  it.for([
    ["approver", true],
    ["member", false],
    ["guest", false],
    ["none", false],
  ] as const)("answers in a group as %s: %s", async ([role, may]) => {
    await using stage = await openStage();
    const chat = { kind: "group" as const, id: "g1" };
    await put(stage.client, "owner", ["pigeon:1"]);
    if (role !== "none") {
      const ids = [written("pigeon:7")];
      await stage.client.call("people.put", { person: { id: "pat", name: "Pat", role, ids } });
    }
    const question = asked(stage);
    await stage.pigeon.say("do it", { from: "1", chat });
    await stage.pigeon.until(1);
    const yes = question.yes();
    await stage.pigeon.say("", { from: "7", chat, content: { kind: "button", data: yes, on: "out" } });
    if (!may) {
      expect(question.hasRun()).toBe(false);
      await stage.pigeon.say("", {
        from: "1",
        chat,
        content: { kind: "button", data: yes.replace("allow-once", "deny"), on: "out" },
      });
    }
    await question.done();
    expect(question.hasRun()).toBe(may);
  });
});

describe("a guest", () => {
  const NOT_THEIRS = [
    "exec",
    "process",
    "write",
    "edit",
    "apply_patch",
    "message",
    "cron",
    "gateway",
    "nodes",
    "subagents",
  ];

  it("has no tools that act, even when the configuration names them as an owner, and cannot call one", async () => {
    await using stage = await openStage({ settings: { dmPolicy: "allowlist", allowFrom: ["7", "8"] } });
    const { client, pigeon, gateway, answered } = stage;
    await put(client, "guest", ["pigeon:7"]);
    await answered(pigeon, "8");
    expect(toolsOf(gateway.model.requests.at(-1))).toEqual(
      expect.arrayContaining(["exec", "write", "message", "cron"]),
    );
    gateway.model.script(callTool("exec", { command: "touch canary" }), say("Could not."));
    await answered(pigeon, "7");
    const tools = toolsOf(gateway.model.requests.at(-1));
    expect(tools.filter((name) => NOT_THEIRS.includes(name) || name.startsWith("session"))).toEqual([]);
    expect(tools).toContain("read");
    const result = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
    expect(result && textOf(result)).toMatch(/layer "person"/);
    expect(existsSync(join(gateway.stateDir, "workspace", "canary"))).toBe(false);
    for (const command of ["/config get", "/exec ask=off", "/elevated full", "/subagents spawn x", "/export", "/new"])
      expect(await pigeon.say(command, { from: "7" }), command).toMatchObject({ kind: "settled" });
  });
});

describe("a limit", () => {
  it("on messages is told once, loses nothing silently, and holds over channels and a restart", async () => {
    using state = createStateDirectory({
      channels: { pigeon: DM, owl: DM },
      messages: { queue: { mode: "followup" } },
    });
    {
      await using stage = await openStage({ stateDir: state.path });
      await put(stage.client, "member", ["pigeon:7", "owl:ann-o"], { quota: { messagesPerDay: 2 } });
      expect(await stage.answered(stage.pigeon, "7")).toBe("accepted");
      expect(await stage.answered(stage.owl, "ann-o", "/status")).toBe("accepted");
    }
    await using stage = await openStage({ stateDir: state.path });
    const { pigeon, owl, gateway, client, answered, clock } = stage;
    expect(await answered(owl, "ann-o")).toBe("accepted");
    for (let times = 0; times < 3; times++)
      expect(await pigeon.say("more", { from: "7", id: `over-${times}` })).toMatchObject({
        kind: "settled",
        why: /ann has sent all 2 messages/,
      });
    await pigeon.until(1);
    expect(pigeon.sent.map(({ text, target }) => [target.to, text])).toEqual([
      [
        "7",
        expect.stringMatching(
          /^That was your limit of 2 messages for this day\. Please write again in about \d+ hours\.$/,
        ),
      ],
    ]);
    expect(gateway.readLog()).toContain("ann has sent all 2 messages of this day");
    expect(await answered(pigeon, "7", "/status")).toBe("accepted");
    expect(gateway.model.requests).toHaveLength(1);
    expect((await client.call("people.list")).used).toEqual({ ann: { thisHour: expect.any(Number), today: 2 } });
    await put(client, "member", ["pigeon:7", "owl:ann-o"], { quota: { messagesPerDay: 3 } });
    expect(await answered(pigeon, "7")).toBe("accepted");
    clock.advance(24 * 3_600_000);
    expect(await answered(pigeon, "7")).toBe("accepted");
  });

  it("on money counts all ids together, in usage and in the audit trail by the person's name", async () => {
    const models = [
      {
        id: "test",
        name: "Test",
        contextWindow: 100_000,
        maxTokens: 2000,
        cost: { input: 1, output: 1000, cacheRead: 0, cacheWrite: 0 },
      },
    ];
    await using stage = await openStage({
      config: { models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } } },
    });
    const { client, pigeon, owl, gateway, answered } = stage;
    await put(client, "member", ["pigeon:7", "owl:ann-o"], { quota: { costPerDay: 3 } });
    const costly: ScriptStep = async function* (): AsyncGenerator<ModelEvent> {
      const usage = {
        ...noUsage(),
        output: 1500,
        totalTokens: 1500,
        cost: { ...noUsage().cost, output: 1.5, total: 1.5 },
      };
      yield* [{ kind: "text", delta: "dear" } as const, { kind: "finish", stopReason: "stop", usage } as const];
    };
    gateway.model.script(costly, costly);
    await answered(pigeon, "7");
    await answered(owl, "ann-o");
    expect(await pigeon.say("more", { from: "7" })).toMatchObject({ why: /ann has spent all \$3\.00/ });
    const { rows } = await client.call("usage.by", { dimension: "person" });
    expect(rows).toMatchObject([{ name: "person:ann" }]);
    const { records } = await client.call("audit.list", { actions: ["model"] });
    expect(records.map(({ actor, detail }: Json) => [actor, (detail as Json)["person"]])).toEqual([
      ["owl:default:ann-o", "ann"],
      ["pigeon:default:7", "ann"],
    ]);
    const { budgets } = await client.call("usage.budgets");
    expect(budgets).toMatchObject([{ name: "daily limit of person ann", usd: { limit: 3, spent: 3 } }]);
  });

  it("of the configuration on one of the ids still holds when that id became a person's", async () => {
    const budgets = [{ scope: "person", name: "7", tokens: 10 }];
    await using stage = await openStage({ config: { budgets } });
    await put(stage.client, "member", ["pigeon:7", "owl:ann-o"]);
    await stage.answered(stage.pigeon, "7");
    expect(stage.pigeon.sent.at(-1)?.text).toMatch(/spending limit is reached/);
  });
});

it("tells watchers that people changed, and says who did it", async () => {
  await using stage = await openStage();
  const changed = stage.client.untilEvent("changed", ({ payload }) => payload.topics.includes("people"));
  await put(stage.client, "member", ["pigeon:7"]);
  await changed;
  const { records } = await stage.client.call("audit.list", { actions: ["people"] });
  expect(records).toMatchObject([{ target: "ann", actor: /^device:/, detail: { step: "added", role: "member" } }]);
});
