// Every wire API keeps the contract of a model provider, with answers recorded in its vendor's format.
import { plainRequest, testModelProvider } from "@chela/sdk/testing";
import type { ModelApi, ModelEvent, ModelFailureReason } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import type { Reply } from "./testing/replay-server.ts";
import { listFixtures, openBench, openCopilotHarness, openWireHarness, streamOf } from "./testing/wire-harness.ts";

const HTTP_FAILURES: ModelFailureReason[] = [
  "auth",
  "billing",
  "rate-limit",
  "overloaded",
  "server-error",
  "context-overflow",
  "bad-request",
  "not-found",
  "timeout",
  "malformed",
  "refused",
];
/** Ollama knows fewer ways to fail. */
const OLLAMA_FAILURES: ModelFailureReason[] = [
  "auth",
  "rate-limit",
  "overloaded",
  "server-error",
  "bad-request",
  "not-found",
  "malformed",
];

const WIRES: readonly (readonly [api: ModelApi, provider: string, modelId: string, thinks: boolean])[] = [
  ["openai-completions", "test", "test-model", true],
  ["openai-completions", "openai", "gpt-4.1", false],
  ["openai-responses", "openai", "gpt-5.2", true],
  ["openai-codex-responses", "openai-codex", "gpt-5.3-codex", true],
  ["anthropic-messages", "anthropic", "claude-sonnet-4-5", true],
  ["google-generative-ai", "google", "gemini-2.5-pro", true],
  ["google-gemini-cli", "google-gemini-cli", "gemini-2.5-pro", true],
  ["bedrock-converse-stream", "amazon-bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", true],
  ["ollama", "ollama", "qwen3", true],
];

for (const [api, provider, modelId, thinks] of WIRES) {
  testModelProvider(`${api} at ${provider}`, {
    thinks,
    // Gemini puts calls together itself, and ends with a reason of its own when it cannot.
    writesArguments: !api.startsWith("google-"),
    failures: api === "ollama" ? OLLAMA_FAILURES : HTTP_FAILURES,
    open: () => openWireHarness(api, provider, modelId),
  });
}

for (const [api, modelId] of [
  ["openai-completions", "gemini-3.8-flash"],
  ["openai-responses", "gpt-6-sol"],
  ["anthropic-messages", "claude-sonnet-4.6"],
] as const) {
  testModelProvider(`${modelId} behind GitHub Copilot`, {
    thinks: true,
    writesArguments: true,
    failures: HTTP_FAILURES,
    open: () => openCopilotHarness(api, modelId),
  });
}

describe("the recorded answers", () => {
  it.for([...new Set(WIRES.map(([api]) => api))])("of %s are there for every scenario", (api) => {
    const failures = api === "ollama" ? OLLAMA_FAILURES : HTTP_FAILURES;
    const { streams, errors } = listFixtures(api);
    expect([...streams, ...errors]).toEqual(expect.arrayContaining(["text", "thinking", "tool-calls", ...failures]));
    // An error nobody replays would prove nothing.
    expect(errors.filter((name) => !failures.some((failure) => failure === name))).toEqual([]);
  });

  const everyStream = WIRES.filter(([, , , thinks]) => thinks).flatMap(([api, provider, modelId]) =>
    listFixtures(api).streams.map((name) => [api, name, provider, modelId] as const),
  );

  it.for(everyStream)("of %s: %s ends once, whole or cut anywhere", async ([api, name, provider, modelId]) => {
    await using bench = await openBench(api, provider, modelId);
    const whole = streamOf(api, name);
    const ask = async (reply: Reply): Promise<ModelEvent[]> => {
      bench.server.answer(reply);
      const events: ModelEvent[] = [];
      for await (const event of bench.models.stream(plainRequest(bench.model), new AbortController().signal)) {
        events.push(event);
      }
      return events;
    };
    const answers = [await ask({ body: whole })];
    for (const part of [0.2, 0.4, 0.6, 0.8]) {
      answers.push(await ask({ body: whole.subarray(0, Math.floor(whole.length * part)), ending: "destroy" }));
    }
    for (const events of answers) {
      const ends = events.filter(({ kind }) => kind === "finish" || kind === "failure");
      expect(ends).toEqual([events.at(-1)]);
    }
    expect(answers[1]?.at(-1)).toMatchObject({ kind: "failure", failure: { reason: "network" } });
  });
});
