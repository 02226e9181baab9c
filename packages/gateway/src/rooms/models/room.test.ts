// Which models there are, which one is used when nobody says, and what the room does around a call.
import { createFakeClock, createScriptedModel, plainRequest, say } from "@chela/sdk/testing";
import { GatewayError, type ModelEvent, type ModelProvider } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { createModels, type Models, type ModelsConfigView } from "./room.ts";
import { openReplayServer, type Reply } from "./testing/replay-server.ts";
import { silentLog } from "./testing/wire-harness.ts";

/** Where nobody listens: port 9 is "discard", and closed on every machine that matters. */
const NOWHERE = "http://127.0.0.1:9";
const NO_SERVERS = Object.fromEntries(
  ["ollama", "lmstudio", "llamacpp", "vllm"].map((id) => [id, { baseUrl: NOWHERE }]),
);

type Providers = NonNullable<NonNullable<ModelsConfigView["models"]>["providers"]>;

function open(
  config: ModelsConfigView = {},
  env: Record<string, string> = {},
  providers: Record<string, ModelProvider> = {},
): Models {
  return createModels({ config: () => config, env: () => env, clock: createFakeClock(), log: silentLog, providers });
}

const withProviders = (providers: Providers = {}, more: object = {}): ModelsConfigView => ({
  models: { providers: { ...NO_SERVERS, ...providers }, ...more },
});

describe("resolving a reference", () => {
  const config: ModelsConfigView = {
    models: {
      providers: {
        proxy: {
          baseUrl: "http://localhost:4000",
          models: [{ id: "big", name: "Big", reasoning: true, contextWindow: 50_000, cost: { input: 1, output: 2 } }],
        },
        anthropic: { baseUrl: "http://localhost:5000", models: [{ id: "claude-opus-4-6", maxTokens: 1_000 }] },
        cloud: { baseUrl: "http://localhost:6000", api: "google-vertex", models: [{ id: "nova" }] },
      },
    },
    agents: { defaults: { models: { "proxy/big": { alias: "Mine" }, "anthropic/claude-sonnet-4-6": {} } } },
  };

  it.for<[string, object]>([
    [
      "anthropic/claude-sonnet-4-5",
      { provider: "anthropic", id: "claude-sonnet-4-5", api: "anthropic-messages", contextWindow: 200_000 },
    ],
    [
      "openrouter/anthropic/claude-sonnet-4.5",
      { provider: "openrouter", id: "anthropic/claude-sonnet-4.5", api: "openai-completions" },
    ],
    [
      "proxy/big",
      {
        name: "Big",
        reasoning: true,
        contextWindow: 50_000,
        maxTokens: 8_192,
        price: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
      },
    ],
    ["mine", { provider: "proxy", id: "big" }],
    ["sonnet", { provider: "anthropic", id: "claude-sonnet-4-6" }],
    ["claude-haiku-4-5", { provider: "anthropic", id: "claude-haiku-4-5" }],
    ["anthropic/claude-opus-4-6", { name: "Claude Opus 4.6", maxTokens: 1_000, contextWindow: 1_000_000 }],
    ["openai/gpt-99", { api: "openai-responses", reasoning: false, contextWindow: 128_000, maxTokens: 8_192 }],
    ["proxy/other", { api: "openai-completions", input: ["text"] }],
    ["ollama/llama3", { api: "ollama", contextWindow: 32_768 }],
    ["demo/demo", { api: "demo" }],
  ])("finds %s", ([ref, expected]) => {
    expect(open(config).resolve(ref)).toMatchObject(expected);
  });

  it.for<[string, string]>([
    ["antropic/claude-opus-4-6", '"antropic/claude-opus-4-6"; the nearest is "anthropic/claude-opus-4-6"'],
    ["nobody/x", '"nobody/x"; the nearest is'],
    ["opus", '"opus"'],
    ["proxy/", '"proxy/"; the nearest is "proxy/big"'],
    ["cloud/nova", '"google-vertex", which is not supported'],
  ])("does not know %s, and says what is near", ([ref, detail]) => {
    const models = open(config);
    expect(() => models.resolve(ref)).toThrow(GatewayError);
    expect(() => models.resolve(ref)).toThrow(detail);
  });

  it("knows only configured providers and the demo when the mode is replace", () => {
    const models = open({ models: { ...config.models, mode: "replace" } });
    expect(models.resolve("proxy/big").id).toBe("big");
    expect(models.resolve("demo/demo").id).toBe("demo");
    expect(() => models.resolve("openai/gpt-5")).toThrow("There is no model of that name");
  });
});

describe("the default model", () => {
  const DEMO = ["demo/demo", "the built-in demo, because no model is connected"] as const;
  const AWS_KEY = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-central-1" };

  it.for<[string, ModelsConfigView, Record<string, string>, string, string]>([
    [
      "the configured one",
      { agents: { defaults: { model: "openai/gpt-5" } } },
      { ANTHROPIC_API_KEY: "k" },
      "openai/gpt-5",
      "from agents.defaults.model",
    ],
    [
      "Anthropic's before OpenAI's",
      {},
      { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
      "anthropic/claude-opus-4-6",
      "from ANTHROPIC_API_KEY",
    ],
    ["OpenAI's", {}, { OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }, "openai/gpt-5.2", "from OPENAI_API_KEY"],
    [
      "Google's",
      {},
      { GEMINI_API_KEY: "k", OPENROUTER_API_KEY: "k" },
      "google/gemini-3.1-pro-preview",
      "from GEMINI_API_KEY",
    ],
    ["Google's by its other name", {}, { GOOGLE_API_KEY: "k" }, "google/gemini-3.1-pro-preview", "from GOOGLE_API_KEY"],
    [
      "OpenRouter's",
      {},
      { OPENROUTER_API_KEY: "k" },
      "openrouter/anthropic/claude-sonnet-4.5",
      "from OPENROUTER_API_KEY",
    ],
    [
      "one with a key in the configuration",
      withProviders({ openai: { apiKey: { source: "env", id: "MY_KEY" } } }),
      { MY_KEY: "k" },
      "openai/gpt-5.2",
      "from MY_KEY",
    ],
    [
      "the first of a configured provider",
      withProviders({ proxy: { baseUrl: NOWHERE, models: [{ id: "big" }] } }),
      {},
      "proxy/big",
      "from models.providers.proxy",
    ],
    ["Groq's", {}, { GROQ_API_KEY: "k", MISTRAL_API_KEY: "k" }, "groq/openai/gpt-oss-120b", "from GROQ_API_KEY"],
    [
      "Mistral's",
      {},
      { MISTRAL_API_KEY: "k", XAI_API_KEY: "k" },
      "mistral/mistral-medium-latest",
      "from MISTRAL_API_KEY",
    ],
    ["xAI's", {}, { XAI_API_KEY: "k", DEEPSEEK_API_KEY: "k" }, "xai/grok-4.7", "from XAI_API_KEY"],
    ["DeepSeek's", {}, { DEEPSEEK_API_KEY: "k" }, "deepseek/deepseek-v4-pro", "from DEEPSEEK_API_KEY"],
    [
      "OpenRouter's before Groq's",
      {},
      { GROQ_API_KEY: "k", OPENROUTER_API_KEY: "k" },
      "openrouter/anthropic/claude-sonnet-4.5",
      "from OPENROUTER_API_KEY",
    ],
    [
      "one of a configured provider before Groq's",
      withProviders({ proxy: { baseUrl: NOWHERE, models: [{ id: "big" }] } }),
      { GROQ_API_KEY: "k" },
      "proxy/big",
      "from models.providers.proxy",
    ],
    [
      "Copilot's with a token that is meant for it",
      withProviders(),
      { COPILOT_GITHUB_TOKEN: "k", GITHUB_TOKEN: "k" },
      "github-copilot/claude-sonnet-4.6",
      "from COPILOT_GITHUB_TOKEN",
    ],
    ["not Copilot's with any token of GitHub", withProviders(), { GITHUB_TOKEN: "k", GH_TOKEN: "k" }, ...DEMO],
    [
      "Copilot's with any token when somebody configured it",
      withProviders({ "github-copilot": {} }),
      { GITHUB_TOKEN: "k" },
      "github-copilot/claude-sonnet-4.6",
      "from GITHUB_TOKEN",
    ],
    ["not Bedrock's with any key of AWS", withProviders(), AWS_KEY, ...DEMO],
    [
      "Bedrock's with its own key",
      withProviders(),
      { ...AWS_KEY, AWS_BEARER_TOKEN_BEDROCK: "k" },
      "amazon-bedrock/global.anthropic.claude-opus-4-6-v1",
      "from AWS_BEARER_TOKEN_BEDROCK",
    ],
    ["the demo", withProviders(), {}, ...DEMO],
  ])("is %s", async ([, config, env, ref, source]) => {
    const chosen = await open(config, env).defaultModel();
    expect(`${chosen.model.provider}/${chosen.model.id}`).toBe(ref);
    expect(chosen.source).toBe(source);
  });

  it("is the one of a key before that of a server on this machine", async () => {
    await using server = await openReplayServer();
    server.answer({ body: LIST });
    const config = withProviders({ vllm: { baseUrl: server.url } });
    expect((await open(config, { GROQ_API_KEY: "k" }).defaultModel()).model.provider).toBe("groq");
    expect(server.requests).toEqual([]);
  });

  it("is the one of Ollama before that of vLLM", async () => {
    await using server = await openReplayServer();
    await using other = await openReplayServer();
    server.answer({ body: TAGS });
    other.answer({ body: LIST });
    const config = withProviders({ vllm: { baseUrl: other.url }, ollama: { baseUrl: server.url } });
    expect((await open(config).defaultModel()).model.provider).toBe("ollama");
  });

  it("has fallbacks", async () => {
    const model = { primary: "openai/gpt-5", fallbacks: ["anthropic/claude-haiku-4-5"] };
    const chosen = await open({ agents: { defaults: { model } } }).defaultModel();
    expect(chosen.fallbacks.map(({ id }) => id)).toEqual(["claude-haiku-4-5"]);
  });

  const TAGS = JSON.stringify({ models: [{ name: "llama3.2:3b", size: 1 }, { name: "qwen3:8b" }] });
  const LIST = JSON.stringify({ object: "list", data: [{ id: "text-embedding-nomic" }, { id: "mistral-7b" }] });

  it.for<[string, string, string, string]>([
    ["ollama", TAGS, "/api/tags", "ollama/llama3.2:3b"],
    ["lmstudio", LIST, "/models", "lmstudio/mistral-7b"],
    ["llamacpp", LIST, "/models", "llamacpp/mistral-7b"],
    ["vllm", LIST, "/models", "vllm/mistral-7b"],
  ])("is the first of %s when that runs on this machine", async ([provider, body, path, ref]) => {
    await using server = await openReplayServer();
    server.answer({ body });
    const chosen = await open(withProviders({ [provider]: { baseUrl: server.url } })).defaultModel();
    expect(`${chosen.model.provider}/${chosen.model.id}`).toBe(ref);
    expect(chosen.source).toMatch(new RegExp(`^from .* at ${server.url}$`));
    expect(server.requests.map((request) => request.path)).toEqual([path]);
  });

  it.for(["", "http://"])("asks the Ollama that OLLAMA_HOST names with %j before it", async (scheme) => {
    await using server = await openReplayServer();
    server.answer({ body: TAGS });
    const { ollama: _, ...providers } = NO_SERVERS;
    const config = { models: { providers } };
    const chosen = await open(config, { OLLAMA_HOST: server.url.replace("http://", scheme) }).defaultModel();
    expect(chosen.model.provider).toBe("ollama");
  });

  it.for<[string, Reply]>([
    ["has no model", { body: JSON.stringify({ object: "list", data: [] }) }],
    ["is something else", { body: "<html>Jenkins</html>" }],
    ["lists in another way", { body: JSON.stringify([{ id: "mistral" }]) }],
    ["fails", { status: 500, body: LIST }],
  ])("is the demo when the server on the usual port %s", async ([, reply]) => {
    await using server = await openReplayServer();
    server.answer(reply);
    const chosen = await open(withProviders({ llamacpp: { baseUrl: server.url } })).defaultModel();
    expect(chosen.model.provider).toBe("demo");
  });

  it("asks local servers again only after half a minute", async () => {
    await using server = await openReplayServer();
    server.answer({ body: TAGS });
    const clock = createFakeClock();
    const config = withProviders({ ollama: { baseUrl: server.url } });
    const models = createModels({ config: () => config, env: () => ({}), clock, log: silentLog });
    await models.defaultModel();
    await models.defaultModel();
    await clock.advance(29_000);
    await models.defaultModel();
    expect(server.requests).toHaveLength(1);
    await clock.advance(1_000);
    await models.defaultModel();
    expect(server.requests).toHaveLength(2);
  });

  it("does not wait for a server that is silent", async () => {
    await using server = await openReplayServer();
    server.answer({ body: "", ending: "hang" });
    const clock = createFakeClock();
    const config = withProviders({ ollama: { baseUrl: server.url } });
    const models = createModels({ config: () => config, env: () => ({}), clock, log: silentLog });
    const sent = server.sent();
    const chosen = models.defaultModel();
    await sent;
    await clock.advance(300);
    expect((await chosen).model.provider).toBe("demo");
  });
});

describe("the candidates of a call", () => {
  const list = [
    { id: "plain", model: "openai/gpt-5" },
    { id: "own", model: { primary: "proxy/own", fallbacks: ["proxy/spare"] } },
    { id: "alone", model: { primary: "proxy/own", fallbacks: [] } },
    { id: "rest" },
  ];
  const model = { primary: "proxy/first", fallbacks: ["proxy/second", "nobody/x", "proxy/first", "mine"] };
  const config: ModelsConfigView = {
    ...withProviders({ proxy: { baseUrl: NOWHERE } }),
    agents: { list, defaults: { model, models: { "proxy/third": { alias: "mine" } } } },
  };

  it.for<[string, string | undefined, string[]]>([
    ["rest", undefined, ["proxy/first", "proxy/second", "proxy/third"]],
    ["stranger", undefined, ["proxy/first", "proxy/second", "proxy/third"]],
    ["own", undefined, ["proxy/own", "proxy/spare"]],
    ["alone", undefined, ["proxy/own"]],
    ["plain", undefined, ["openai/gpt-5", "proxy/second", "proxy/first", "proxy/third"]],
    ["own", "openai/gpt-5", ["openai/gpt-5", "proxy/spare"]],
    ["rest", "mine", ["proxy/third", "proxy/second", "proxy/first"]],
  ])("of the agent %s, switched to %s, are %o", async ([agentId, override, expected]) => {
    const found = await open(config).candidates({ agentId, override });
    expect(found.map((one) => `${one.provider}/${one.id}`)).toEqual(expected);
  });

  it("are what is found by itself where nothing is configured", async () => {
    const found = await open(withProviders(), { OPENAI_API_KEY: "k" }).candidates({ agentId: "main" });
    expect(found).toMatchObject([{ provider: "openai" }]);
  });

  it("do not silently leave out an unknown first choice", async () => {
    await expect(open(config).candidates({ agentId: "rest", override: "nobody/x" })).rejects.toThrow("nobody/x");
  });
});

describe("the list", () => {
  const providersOf = async (models: Models) => [...new Set((await models.list()).map(({ provider }) => provider))];

  it("has only what can be called: with a key, configured, local or the demo", async () => {
    expect(await providersOf(open(withProviders()))).toEqual(["demo"]);
    expect(await providersOf(open(withProviders(), { OPENAI_API_KEY: "k" }))).toEqual(["openai", "demo"]);
    const configured = withProviders({ proxy: { baseUrl: NOWHERE, models: [{ id: "big" }] } });
    expect(await providersOf(open(configured))).toEqual(["proxy", "demo"]);
  });

  it("has the models of a local server, each once", async () => {
    await using server = await openReplayServer();
    server.answer({ body: JSON.stringify({ models: [{ name: "llama3" }] }) });
    const models = open(withProviders({ ollama: { baseUrl: server.url, models: [{ id: "llama3", name: "Llama" }] } }));
    expect((await models.list()).filter(({ provider }) => provider === "ollama")).toMatchObject([
      { id: "llama3", name: "Llama" },
    ]);
  });

  it("leaves out what speaks an unsupported API, and keeps the rest", async () => {
    const odd = { baseUrl: NOWHERE, api: "google-vertex", models: [{ id: "x" }] };
    expect(await providersOf(open(withProviders({ odd })))).toEqual(["demo"]);
  });
});

describe("a call", () => {
  async function run(models: Models, ref: string, signal = new AbortController().signal): Promise<ModelEvent[]> {
    const events: ModelEvent[] = [];
    for await (const event of models.stream(plainRequest(models.resolve(ref)), signal)) events.push(event);
    return events;
  }

  it("goes to the provider that was handed in", async () => {
    const scripted = createScriptedModel("scripted");
    scripted.script(say("hi"));
    const models = open({}, {}, { scripted });
    expect(await run(models, "scripted/any/thing")).toMatchObject([{ kind: "text", delta: "hi" }, { kind: "finish" }]);
    expect(scripted.requests[0]?.model.id).toBe("any/thing");
  });

  it.for<[string, ModelEvent[] | Error, object]>([
    ["throws", new Error("boom"), [{ kind: "failure", failure: { reason: "unknown" } }]],
    [
      "forgets the end",
      [{ kind: "text", delta: "a" }],
      [{ kind: "text" }, { kind: "failure", failure: { reason: "network" } }],
    ],
    ["goes on after the end", [...say("a"), ...say("b")], [{ kind: "text", delta: "a" }, { kind: "finish" }]],
  ])("ends properly when the provider %s", async ([, behaviour, expected]) => {
    const broken: ModelProvider = {
      id: "broken",
      async *stream() {
        if (behaviour instanceof Error) throw behaviour;
        yield* behaviour;
      },
    };
    expect(await run(open({}, {}, { broken }), "broken/x")).toMatchObject(expected as unknown[]);
  });

  it.for<[string, Providers, string, string]>([
    [
      "no key",
      {},
      "anthropic/claude-opus-4-6",
      "anthropic: no key: set ANTHROPIC_API_KEY, or models.providers.anthropic.apiKey",
    ],
    [
      "a variable that is not set",
      { proxy: { baseUrl: NOWHERE, apiKey: { source: "env", id: "MY_KEY" } } },
      "proxy/x",
      "refers to the environment variable MY_KEY, which is not set",
    ],
    [
      "a secret elsewhere",
      { proxy: { baseUrl: NOWHERE, apiKey: { source: "exec", id: "pass" } } },
      "proxy/x",
      'source "exec"',
    ],
    ["no address", { proxy: { models: [{ id: "x" }] } }, "proxy/x", "set models.providers.proxy.baseUrl"],
  ])("says what is missing with %s", async ([, providers, ref, message]) => {
    const [event] = await run(open(withProviders(providers)), ref);
    expect(event).toMatchObject({ kind: "failure", failure: { reason: "auth", retry: "never" } });
    expect(event?.kind === "failure" && event.failure.message).toContain(message);
  });

  it("signs calls to Bedrock with the AWS key of the environment", async () => {
    await using server = await openReplayServer();
    const env = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-central-1" };
    await run(open(withProviders({ "amazon-bedrock": { baseUrl: server.url } }), env), "amazon-bedrock/nova");
    expect(server.requests[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/.*eu-central-1/,
    );
  });

  it("takes the key from the configuration first, and a changed key at once", async () => {
    await using server = await openReplayServer();
    server.answer({ status: 401, body: "{}" });
    let apiKey = "first-key";
    const models = createModels({
      config: () => withProviders({ openai: { baseUrl: server.url, apiKey } }),
      env: () => ({ OPENAI_API_KEY: "from-environment" }),
      clock: createFakeClock(),
      log: silentLog,
    });
    await run(models, "openai/gpt-5");
    apiKey = "second-key";
    await run(models, "openai/gpt-5");
    models.close();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first-key",
      "Bearer second-key",
    ]);
  });
});
