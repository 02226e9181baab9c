// An owner is asked in the chat whether a command may run; nobody else can say yes, and all of the command is shown.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, createFakeChannel, say, type FakeChannelOptions } from "@chela/sdk/testing";
import { eventually, startTestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

async function openStage(config: Json = {}, options: FakeChannelOptions = {}) {
  const fake = createFakeChannel(options);
  const groups = { groupPolicy: "open", groups: { g1: { requireMention: false } } };
  const gateway = await startTestGateway({
    channels: { fake: fake.channel },
    config: {
      channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice", "bob"], ...groups } },
      commands: { ownerAllowFrom: ["alice"] },
      ...config,
    },
  });
  await fake.untilConnected();
  // Whoever is no member has commands run in a sandbox, where nobody is asked.
  const client = await gateway.connect();
  for (const id of ["alice", "bob"])
    await client.call("people.put", { person: { id, name: id, role: "member", ids: [{ channel: "fake", id }] } });
  await client.close();
  const canary = join(gateway.stateDir, "workspace", "canary");
  const pressed = (data: string, from: string, chat = {}) =>
    fake.say("", { from, chat: { id: from, ...chat }, content: { kind: "button", data, on: "out" } });
  const lastResult = () => {
    const result = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
    return result ? textOf(result) : "";
  };
  return {
    fake,
    gateway,
    pressed,
    lastResult,
    hasRun: () => existsSync(canary),
    /** The buttons of the newest question. */
    buttons: () => {
      const content = fake.sent.findLast(({ content: one }) => one.kind === "text" && one.buttons)?.content;
      return content?.kind === "text" ? (content.buttons ?? []).flat() : [];
    },
    async ask(command: string, said: Parameters<typeof fake.say>[1] = {}) {
      gateway.model.script(callTool("exec", { command }), say("Done with it."));
      await fake.say("do it", said);
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

describe("a command that needs a yes", () => {
  it("is asked for in the owner's chat, runs when a button is pressed, and the question says so", async () => {
    await using stage = await openStage();
    await stage.ask("touch canary");
    const [question] = await stage.fake.until(1);
    expect(question).toMatchObject({ target: { to: "alice" } });
    expect(question?.text).toMatch(/touch canary[^]*\/approve [0-9a-f]{8} allow-once/);
    expect(stage.buttons().map(({ data }) => data.split(" ")[2])).toEqual(["allow-once", "allow-always", "deny"]);
    expect(stage.hasRun()).toBe(false);
    await stage.pressed(stage.buttons()[0]?.data ?? "", "alice");
    await eventually("the answer", () => stage.fake.sent.some(({ text }) => text === "Done with it.") || undefined);
    expect(stage.hasRun()).toBe(true);
    expect(await stage.fake.untilDone((deed) => deed.startsWith("edit"))).toMatch(/touch canary[^]*Allowed once\./);
    expect(question?.text).not.toContain("/approve");
  });

  it("does not run when the owner writes no", async () => {
    await using stage = await openStage();
    await stage.ask("touch canary");
    const [question] = await stage.fake.until(1);
    const short = /\/approve ([0-9a-f]{8})/.exec(question?.text ?? "")?.[1];
    await stage.fake.say(`/approve ${short} deny`);
    await eventually("the answer", () => stage.fake.sent.some(({ text }) => text === "Done with it.") || undefined);
    expect(stage.hasRun()).toBe(false);
    expect(stage.lastResult()).toMatch(/refused the command/);
    expect(await stage.fake.untilDone((deed) => deed.startsWith("edit"))).toMatch(/Denied/);
  });

  it.for([["bob"], ["mallory"]])("is not approved by %s, in whatever form", async ([other = ""]) => {
    await using stage = await openStage();
    const chat = { kind: "group" as const, id: "g1" };
    await stage.ask("touch canary", { chat });
    await stage.fake.until(1);
    const yes = stage.buttons()[0]?.data ?? "";
    await stage.pressed(yes, other, chat);
    await stage.fake.say(yes, { from: other, chat });
    await stage.fake.say("", { from: other, chat, content: { kind: "command", text: yes } });
    expect(stage.hasRun()).toBe(false);
    expect(stage.fake.done.filter((deed) => deed.startsWith("edit"))).toEqual([]);
    await stage.pressed(stage.buttons()[2]?.data ?? "", "alice", chat);
    await eventually("the answer", () => stage.fake.sent.some(({ text }) => text === "Done with it.") || undefined);
    expect(stage.hasRun()).toBe(false);
  });

  it("is shown to the last character, and what cannot be seen is spelt out", async () => {
    await using stage = await openStage({}, { traits: { textLimit: 400 } });
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
    await stage.ask(`touch ${words.join(" ")} \u202e\u200b canary \`\`\` end`);
    await eventually("the buttons", () => (stage.buttons().length > 0 ? true : undefined));
    const parts = stage.fake.sent.map(({ text }) => text);
    await stage.pressed(stage.buttons().at(-1)?.data ?? "", "alice");
    // Each part has fences of its own.
    const shown = parts.map((part) => part.replace(/^`{3,}$/gm, "").replace(/\s+/g, "")).join("");
    expect(shown).toContain(`touch${words.join("")}<U+202E><U+200B>canary\`\`\`end`);
    expect(parts.join("")).not.toMatch(/[\u202e\u200b]/);
    expect(parts.every((text) => text.length <= 400)).toBe(true);
    expect(await stage.fake.untilDone((deed) => deed.startsWith("edit"))).toMatch(/^edit out-\d+ ⛔ Denied/);
  });

  it("of a turn that is stopped is not waited for any more", async () => {
    await using stage = await openStage();
    await stage.ask("touch canary");
    await stage.fake.until(1);
    await stage.fake.say("/stop");
    expect(await stage.fake.untilDone((deed) => deed.startsWith("edit"))).toMatch(/Nobody waits for it any more/);
    await stage.pressed(stage.buttons()[0]?.data ?? "", "alice");
    await eventually(
      "a refusal",
      () => stage.fake.sent.some(({ text }) => /unknown approval id/.test(text)) || undefined,
    );
    expect(stage.hasRun()).toBe(false);
  });
});

describe("nobody is asked", () => {
  it.for([
    ["when the sender is no owner", {}, "bob"],
    ["when there are no owners at all", { commands: { ownerAllowFrom: [] } }, "alice"],
    ["when the operator does not want it", { approvals: { exec: { enabled: false } } }, "alice"],
    ["when it is for other agents", { approvals: { exec: { enabled: true, agentFilter: ["other"] } } }, "alice"],
    [
      "when a place to ask has no owners",
      {
        commands: { ownerAllowFrom: [] },
        approvals: { exec: { enabled: true, mode: "targets", targets: [{ channel: "fake", to: "alice" }] } },
      },
      "bob",
    ],
  ] as const)("%s, and the command is refused at once", async ([, config, from]) => {
    await using stage = await openStage(config);
    await stage.ask("touch canary", { from });
    const [answer] = await stage.fake.until(1);
    expect([answer?.text, stage.fake.sent.length]).toEqual(["Done with it.", 1]);
    expect(stage.lastResult()).toMatch(/Nobody who could approve it is connected/);
    expect(stage.hasRun()).toBe(false);
  });
});

describe("places the operator named", () => {
  it.for([
    ["targets", ["alice"]],
    ["both", ["alice", "bob"]],
    ["session", ["bob"]],
  ] as const)("with mode %s are %j", async ([mode, asked]) => {
    const exec = { enabled: true, mode, targets: [{ channel: "fake", to: "alice" }] };
    await using stage = await openStage({ approvals: { exec } });
    await stage.ask("touch canary", { from: "bob" });
    const questions = (await stage.fake.until(asked.length)).slice(0, asked.length);
    expect(questions.map(({ target }) => target.to).sort()).toEqual(asked);
    await stage.pressed(stage.buttons()[0]?.data ?? "", "alice");
    await eventually("the answer", () => stage.fake.sent.some(({ text }) => text === "Done with it.") || undefined);
    expect(stage.hasRun()).toBe(true);
    await eventually("all questions", () => questions.every(({ text }) => /Allowed once/.test(text)) || undefined);
  });
});
