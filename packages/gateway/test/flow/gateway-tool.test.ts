// The tool with which an owner's agent looks after the gateway: it reads and changes what guards nothing, and restarts.
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import type { Json } from "../support/wire-client.ts";

describe("the tool gateway", () => {
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await openChannelStage({
      settings: { allowFrom: ["alice", "bob"] },
      config: { commands: { ownerAllowFrom: ["alice"] }, messages: { responsePrefix: "" } },
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const lastResult = () => stage.model.requests.at(-1)?.messages.at(-1);

  async function call(args: Json): Promise<{ readonly isError: unknown; readonly text: string }> {
    stage.model.script(callTool("gateway", args), say("done"));
    await stage.client.agent("look after it", { sessionKey: `agent:main:${randomUUID()}` });
    const result = lastResult();
    return { isError: result?.["isError"], text: result ? textOf(result) : "" };
  }
  const ok = async (args: Json) => {
    const { isError, text } = await call(args);
    expect([isError, text]).toEqual([false, text]);
    return JSON.parse(text);
  };

  test("tells the configuration without its secrets, and what can be set", async () => {
    const whole = await ok({ action: "config.get" });
    expect(whole).toMatchObject({ hash: expect.any(String), valid: true, config: { gateway: { auth: {} } } });
    expect(JSON.stringify(whole)).not.toContain(stage.gateway.token);
    expect(await ok({ action: "config.get", path: "commands.ownerAllowFrom" })).toMatchObject({ value: ["alice"] });
    expect(await ok({ action: "config.schema" })).toMatchObject({ sections: { gateway: expect.any(String) } });
    const { keys } = await ok({ action: "config.schema", path: "messages" });
    expect(keys).toContainEqual(expect.objectContaining({ key: "messages.responsePrefix", type: "string" }));
    const guarding = await ok({ action: "config.schema", path: "gateway.auth" });
    expect(guarding.keys).toContainEqual(expect.objectContaining({ key: "gateway.auth.mode", guards: true }));
  });

  test("changes what guards nothing, in the name of whoever asked, and keeps the rest of the file", async () => {
    const raw = "{ messages: { responsePrefix: '[ours]' }, // a remark\n }";
    expect(await ok({ action: "config.patch", raw })).toMatchObject({ changed: true });
    expect(stage.gateway.gateway.config.current().messages?.responsePrefix).toBe("[ours]");
    const whole = JSON.parse(readFileSync(stage.gateway.configPath, "utf8"));
    const next = { ...whole, messages: { responsePrefix: "[theirs]" } };
    expect(await ok({ action: "config.apply", raw: JSON.stringify(next) })).toMatchObject({ changed: true });
    expect(stage.gateway.gateway.config.current()).toMatchObject({
      messages: { responsePrefix: "[theirs]" },
      commands: { ownerAllowFrom: ["alice"] },
    });
    const { records } = await stage.client.call("audit.list", { actions: ["config"], limit: 1 });
    expect(records[0]).toMatchObject({ action: "config", actor: expect.stringMatching(/^webchat:/) });
    await ok({ action: "config.patch", raw: "{ messages: { responsePrefix: null } }" });
  });

  test.for([
    [
      "a key that guards",
      { action: "config.patch", raw: "{ gateway: { auth: { mode: 'none' } } }" },
      /gateway\.auth\.mode guards the gateway, so nothing was changed.*chela config set gateway\.auth\.mode/,
    ],
    [
      "one that guards among others",
      { action: "config.patch", raw: "{ messages: { responsePrefix: 'x' }, tools: { exec: { ask: 'off' } } }" },
      /tools\.exec\.ask guards/,
    ],
    ["an empty file", { action: "config.apply", raw: "{}" }, /guard the gateway/],
    ["a version that is gone", { action: "config.patch", raw: "{ ui: {} }", baseHash: "0" }, /changed/i],
    [
      "a wrong value",
      { action: "config.patch", raw: "{ messages: { queue: { cap: 'many' } } }" },
      /messages\.queue\.cap/,
    ],
    ["nothing to write", { action: "config.patch" }, /needs raw/],
    ["a key that is none", { action: "config.schema", path: "no.such" }, /no setting no\.such/],
    ["an update", { action: "update.run" }, /does not update itself\. On its machine: .*chela gateway stop, /],
  ] as const)("is refused with a sentence, and changes nothing: %s", async ([, args, says]) => {
    const before = readFileSync(stage.gateway.configPath, "utf8");
    const { isError, text } = await call(args);
    expect([isError, text]).toEqual([true, expect.stringMatching(says)]);
    expect(readFileSync(stage.gateway.configPath, "utf8")).toBe(before);
  });

  test("is offered to owners only", async () => {
    const offered = () => stage.model.requests.at(-1)?.tools.map(({ name }) => name);
    stage.model.script(say("hello alice"), callTool("gateway", { action: "config.get" }), say("hello bob"));
    await stage.fake.say("hi", { from: "alice" });
    await stage.client.until("alice's answer", () => stage.fake.sent.find(({ text }) => text?.includes("hello alice")));
    expect(offered()).toContain("gateway");
    await stage.fake.say("hi", { from: "bob" });
    await stage.client.until("bob's answer", () => stage.fake.sent.find(({ text }) => text?.includes("hello bob")));
    expect(offered()).not.toContain("gateway");
    expect(textOf(lastResult() ?? { content: "" })).toMatch(/gateway was taken away/);
  });

  test("restarts the gateway once the turn has ended, unless that is switched off", async () => {
    const { config } = stage.gateway.gateway;
    config.setPath("commands.restart", false);
    expect(await call({ action: "restart" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/switched off/),
    });
    config.unsetPath("commands.restart");
    expect(await ok({ action: "restart" })).toMatchObject({ restarting: true });
    expect(await stage.gateway.gateway.done).toBe("restart");
  });
});
