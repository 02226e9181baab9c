// The catalogue: which providers and models are known without a word in the configuration.
import { createFakeClock } from "@chela/sdk/testing";
import { MODEL_APIS } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { isOpen, KNOWN_PROVIDERS, USUAL_ALIASES } from "./known-providers.ts";
import { createModels } from "./room.ts";
import { silentLog } from "./testing/wire-harness.ts";

const open = (config = {}) =>
  createModels({ config: () => config, env: () => ({}), clock: createFakeClock(), log: silentLog });

describe("the catalogue", () => {
  it("knows the usual providers", () => {
    expect(Object.keys(KNOWN_PROVIDERS)).toEqual(
      expect.arrayContaining(
        "anthropic openai google openrouter groq mistral xai deepseek moonshot zai cerebras together fireworks minimax qwen amazon-bedrock github-copilot openai-codex google-gemini-cli qwen-portal ollama lmstudio llamacpp vllm demo".split(
          " ",
        ),
      ),
    );
  });

  it.for(Object.entries(KNOWN_PROVIDERS))("describes every model of %s soundly", ([id, provider]) => {
    const isLocal = isOpen(provider);
    expect(MODEL_APIS).toContain(provider.api);
    if (!isLocal) expect(provider.models.length).toBeGreaterThan(0);
    expect(new Set(provider.models.map((model) => model.id)).size).toBe(provider.models.length);
    for (const model of provider.models) {
      expect(model.name, model.id).not.toBe("");
      expect(model.contextWindow, model.id).toBeGreaterThan(1_000);
      expect(model.maxTokens, model.id).toBeGreaterThan(0);
      for (const price of Object.values(model.price ?? {}))
        expect(price, `${id}/${model.id}`).toBeGreaterThanOrEqual(0);
    }
    const { defaultModel } = provider;
    if (defaultModel) expect(provider.models.map((model) => model.id)).toContain(defaultModel);
  });

  it.for(Object.entries(USUAL_ALIASES))("knows the model that %s stands for", ([alias, ref]) => {
    const models = open({ agents: { defaults: { models: { [ref]: {} } } } });
    expect(models.resolve(alias)).toEqual(models.resolve(ref));
    expect(models.resolve(ref).price).toBeDefined();
  });

  it("has prices, limits and abilities", () => {
    expect(open().resolve("anthropic/claude-opus-4-6")).toEqual({
      provider: "anthropic",
      id: "claude-opus-4-6",
      name: "Claude Opus 4.6",
      api: "anthropic-messages",
      reasoning: true,
      input: ["text", "image"],
      contextWindow: 1_000_000,
      maxTokens: 128_000,
      price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    });
    expect(open().resolve("openrouter/openrouter/auto").price).toBeUndefined();
  });

  it("leaves the API behind Copilot's login to Copilot", () => {
    const models = [{ id: "gpt-6-sol", api: "openai-responses" }];
    const config = { models: { providers: { "github-copilot": { models } } } };
    expect(open(config).resolve("github-copilot/gpt-6-sol").api).toBe("github-copilot");
  });
});
