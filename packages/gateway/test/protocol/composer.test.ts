// What a composer offers: commands, models, and the settings of its session.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const model = (id: string, more: Json) => ({ id, name: id, contextWindow: 100_000, maxTokens: 1000, ...more });

describe("a composer", () => {
  let gateway: TestGateway;
  let page: WireClient;
  beforeAll(async () => {
    const models = [
      model("test", { reasoning: true, input: ["text", "image"] }),
      model("plain", { reasoning: false, input: ["text"], cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }),
    ];
    gateway = await startTestGateway({
      config: {
        models: { providers: { scripted: { baseUrl: "http://127.0.0.1:1", models } } },
        agents: {
          defaults: { models: { "scripted/plain": { alias: "simple" } } },
          list: [{ id: "main" }, { id: "other", model: "scripted/plain" }],
        },
      },
    });
    const headers = { origin: gateway.http };
    page = await gateway.connect({ client: { id: "openclaw-control-ui", mode: "ui" }, headers });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const find = (rows: Json[], name: string) => rows.find((row) => row["name"] === name);

  test("is told which commands there are, and which the caller may use", async () => {
    const { commands } = await page.call("commands.list");
    expect(find(commands, "model")).toMatchObject({ says: expect.any(String), category: "Options", allowed: true });
    expect(find(commands, "config")).toMatchObject({ scope: "owner", allowed: false, off: "config" });
    const reader = await gateway.connect({ scopes: ["operator.read"] });
    const { commands: seen } = await reader.call("commands.list");
    expect(find(seen, "model")).toMatchObject({ allowed: false });
    expect(find(seen, "whoami")).toMatchObject({ allowed: true });
  });

  test("offers to think as much as the session's model can", async () => {
    const levelsOf = async (params: Json): Promise<unknown> => {
      const { commands } = await page.call("commands.list", params);
      return commands.find(({ name }: Json) => name === "think").arguments[0].choices;
    };
    expect(await levelsOf({})).toContain("high");
    expect(await levelsOf({ agentId: "other" })).toEqual(["off", "default"]);
    const key = "agent:main:simple";
    await page.call("sessions.patch", { key, model: "simple" });
    expect(await levelsOf({ sessionKey: key })).toEqual(["off", "default"]);
    expect((await page.request("commands.list", { sessionKey: "agent:" })).ok).toBe(false);
  });

  test("is told what it needs to know of models", async () => {
    const { models, default: usual } = await page.call("models.list");
    expect(usual).toBe("scripted/test");
    expect(find(models, "test")).toMatchObject({
      input: ["text", "image"],
      isDefault: true,
      thinkingLevels: ["off", "minimal", "low", "medium", "high", "xhigh"],
      usable: true,
    });
    expect(find(models, "plain")).toMatchObject({
      aliases: ["simple"],
      isDefault: false,
      thinkingLevels: ["off"],
      cost: { input: 1, output: 2 },
      contextWindow: 100_000,
    });
  });

  test("changes how messages wait, and the list tells it", async () => {
    const key = "agent:main:waits";
    const { entry, resolved } = await page.call("sessions.patch", { key, queueMode: "collect", thinkingLevel: "low" });
    expect(entry).toMatchObject({ queueMode: "collect", thinkingLevel: "low" });
    expect(resolved).toEqual({ modelProvider: "scripted", model: "test" });
    const row = async () => (await page.call("sessions.list")).sessions.find((one: { key: string }) => one.key === key);
    expect(await row()).toMatchObject({ agentId: "main", queueMode: "collect", thinkingLevel: "low" });
    await page.call("sessions.patch", { key, queueMode: null, model: "scripted/plain" });
    expect(await row()).not.toHaveProperty("queueMode");
    expect(await row()).toMatchObject({ providerOverride: "scripted", modelOverride: "plain" });
    const { error } = await page.request("sessions.patch", { key, queueMode: "sometimes" });
    expect(error?.message).toMatch(/queueMode/);
  });
});
