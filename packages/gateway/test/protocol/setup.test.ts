// The way to a first model: what there is, whether it works, and taking it into use; keys stay where they belong.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openModelHouse } from "../support/models/model-house.ts";
import { startTestGateway, TEST_TOKEN, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const KEY = "sk-the-right-key-0123456789abcdef";
const WRONG = "sk-a-wrong-key-0123456789abcdef";
/** A gateway as it is at its first start, on a machine without model servers. */
const elsewhere = { baseUrl: "http://127.0.0.1:9", models: [] };
const servers = { ollama: elsewhere, lmstudio: elsewhere, llamacpp: elsewhere, vllm: elsewhere };
const startFresh = (providers: Json = servers) =>
  startTestGateway({
    rawConfig: JSON.stringify({ gateway: { auth: { mode: "token", token: TEST_TOKEN } }, models: { providers } }),
  });

describe("a gateway without a model", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startFresh();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const tried = (params: Json) => client.call("setup.test", params);

  test("says that it needs one, and which providers there are", async () => {
    const reader = await gateway.connect({ scopes: ["operator.read"] });
    const status = await reader.call("setup.status");
    expect(status).toMatchObject({ needsModel: true, isDemo: true, model: "demo/demo" });
    expect(status.providers).toContainEqual({
      id: "anthropic",
      label: "Anthropic",
      kind: "hosted",
      keyUrl: expect.stringMatching(/^https:/),
      envVar: "ANTHROPIC_API_KEY",
      defaultModel: expect.any(String),
      configured: false,
    });
    expect(status.providers.map(({ id }: { id: string }) => id)).not.toContain("demo");
    expect((await reader.request("setup.test", { provider: "openai" })).error?.message).toMatch(/missing scope/);
  });

  test("tries a key with one tiny call, lists the models, and keeps nothing", async () => {
    await using house = await openModelHouse({ key: KEY, models: ["text-embedding-3", "small", "large"] });
    const before = readFileSync(gateway.configPath, "utf8");
    const found = await tried({ provider: "house", apiKey: ` ${KEY} `, baseUrl: `${house.origin}/v1/` });
    expect(found).toEqual({
      ok: true,
      latencyMs: expect.any(Number),
      models: [
        { id: "small", name: "small" },
        { id: "large", name: "large" },
      ],
      suggested: "small",
    });
    expect(house.seen.map(({ path }) => path)).toEqual(["/v1/models", "/v1/chat/completions"]);
    expect(JSON.parse(house.seen[1]?.body ?? "")).toMatchObject({ model: "small" });
    expect(readFileSync(gateway.configPath, "utf8")).toBe(before);
    await expect(client.call("setup.status")).resolves.toMatchObject({ needsModel: true });
  });

  test.for([
    ["a wrong key", { apiKey: WRONG }, { key: KEY }, "auth", /does not accept the key/],
    ["no key where one is needed", {}, { key: KEY }, "auth", /does not accept the key/],
    [
      "no credit",
      { apiKey: KEY },
      { key: KEY, refusal: { status: 429, message: "You exceeded your current quota: insufficient_quota" } },
      "billing",
      /no credit left/,
    ],
    ["a model that is not there", { model: "huge" }, {}, "not-found", /does not have this model/],
    ["no model at all", {}, { models: [] }, "no-model", /does not say which models/],
  ] as const)("tells of %s in plain words", async ([, params, options, code, message]) => {
    await using house = await openModelHouse(options);
    const { ok, problem } = await tried({ provider: "house", baseUrl: `${house.origin}/v1`, ...params });
    expect(ok).toBe(false);
    expect(problem).toMatchObject({ code, message: expect.stringMatching(message), fix: expect.stringMatching(/\.$/) });
    expect(JSON.stringify(problem)).not.toContain("sk-");
  });

  test.for([
    [{ provider: "house", baseUrl: "http://127.0.0.1:9/v1" }, "network"],
    [{ provider: "house", baseUrl: "file:///etc/passwd" }, "address"],
    [{ provider: "house", baseUrl: "http://user:word@127.0.0.1/v1" }, "address"],
    [{ provider: "house", baseUrl: "not an address" }, "address"],
    [{ provider: "house" }, "address"],
    [{ provider: "__proto__", baseUrl: "http://127.0.0.1:9" }, "address"],
    [{ provider: "demo" }, "address"],
    [{ provider: "openai" }, "no-key"],
  ] as const)("does not get far with %j: %s", async ([params, code]) => {
    const { ok, problem } = await tried(params);
    expect(ok).toBe(false);
    expect(problem).toMatchObject({ code, message: expect.any(String), fix: expect.any(String) });
  });

  test("finds the model servers of this machine", async () => {
    await using house = await openModelHouse({ isOllama: true, models: ["qwen3:8b"] });
    await using other = await startFresh({ ...servers, ollama: { baseUrl: house.origin, models: [] } });
    const admin = await other.connect();
    expect(await admin.call("setup.scan")).toEqual({
      servers: [
        {
          kind: "ollama",
          label: "Ollama",
          baseUrl: house.origin,
          models: [{ id: "qwen3:8b", name: "qwen3:8b" }],
        },
      ],
    });
    expect(await client.call("setup.scan")).toEqual({ servers: [] });
  });
});

describe("a model is taken into use", () => {
  test("and the next turn is answered by it; the key lies with the agent's credentials and nowhere else", async () => {
    await using house = await openModelHouse({ key: KEY });
    await using gateway = await startFresh();
    const client = await gateway.connect();
    const choice = { provider: "house", baseUrl: `${house.origin}/v1`, model: "large" };
    expect(await client.call("setup.apply", { ...choice, apiKey: KEY })).toEqual({ ok: true, model: "house/large" });
    expect(await client.agent("who are you?")).toContain("I am large.");
    expect(await client.call("setup.status")).toMatchObject({
      needsModel: false,
      isDemo: false,
      model: "house/large",
      providers: expect.arrayContaining([expect.objectContaining({ id: "house", kind: "custom", configured: true })]),
    });
    const config = readFileSync(gateway.configPath, "utf8");
    expect(JSON.parse(config)).toMatchObject({
      agents: { defaults: { model: "house/large" } },
      models: { providers: { house: { baseUrl: choice.baseUrl, models: [{ id: "large" }] } } },
    });
    expect(config).not.toContain(KEY);
    const profiles = join(gateway.stateDir, "agents", "main", "agent", "auth-profiles.json");
    expect(JSON.parse(readFileSync(profiles, "utf8")).profiles).toMatchObject({
      "house:default": { type: "api_key", provider: "house", key: "vault:profiles/main/house:default/key" },
    });
    expect(readFileSync(join(gateway.stateDir, "credentials", "vault.json"), "utf8")).not.toContain(KEY);
    expect(await client.call("setup.test", { provider: "house" })).toMatchObject({ ok: true });
    expect(JSON.stringify(client.frames)).not.toContain(KEY);
    expect(gateway.readLog()).not.toContain(KEY);
  });

  test("of a server on this machine, without a key and without a second address", async () => {
    await using house = await openModelHouse();
    await using gateway = await startFresh({ ...servers, lmstudio: { baseUrl: `${house.origin}/v1`, models: [] } });
    const client = await gateway.connect();
    await client.call("setup.apply", { provider: "lmstudio", baseUrl: `${house.origin}/v1`, model: "small" });
    expect(await client.agent("who are you?")).toContain("I am small.");
    expect(house.seen.every(({ key }) => key === "")).toBe(true);
  });

  test("but a key that is there for another address is not sent along", async () => {
    await using house = await openModelHouse();
    await using gateway = await startFresh({
      ...servers,
      own: { baseUrl: "http://127.0.0.1:9/v1", apiKey: KEY, models: [] },
    });
    const client = await gateway.connect();
    const choice = { provider: "own", baseUrl: `${house.origin}/v1`, model: "small" };
    expect(await client.call("setup.test", choice)).toMatchObject({ ok: true });
    expect(house.seen.every(({ key }) => key === "")).toBe(true);
    const { error } = await client.request("setup.apply", choice);
    expect(error?.message).toMatch(/own:config.*another address.*choose another id/);
    expect(readFileSync(gateway.configPath, "utf8")).not.toContain(house.origin);
  });

  test("and fallbacks and the list of allowed models stay complete", async () => {
    await using gateway = await startTestGateway({
      config: {
        agents: {
          defaults: {
            model: { primary: "scripted/test", fallbacks: ["scripted/spare"] },
            models: { "scripted/test": { alias: "t" } },
          },
          list: [{ id: "main", model: "scripted/test" }],
        },
      },
    });
    const client = await gateway.connect();
    const applied = await client.call("setup.apply", { provider: "scripted", model: "next" });
    expect(applied).toMatchObject({ ok: true, model: "scripted/next", note: expect.stringContaining("scripted/test") });
    expect(JSON.parse(readFileSync(gateway.configPath, "utf8")).agents.defaults).toEqual({
      model: { primary: "scripted/next", fallbacks: ["scripted/spare"] },
      models: { "scripted/test": { alias: "t" }, "scripted/next": {} },
      sandbox: { mode: "off" },
      memorySearch: { enabled: false },
    });
    const { error } = await client.request("setup.apply", { provider: "nobody", model: "x" });
    expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("address is needed") });
  });
});
