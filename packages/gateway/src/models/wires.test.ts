// Every wire API keeps the contract of a model provider, with answers recorded in its vendor's format.
import { testModelProvider } from "@chela/sdk/testing";
import type { ModelFailureReason } from "@chela/sdk";
import { openWireHarness } from "./testing/wire-harness.ts";

const HTTP_FAILURES: ModelFailureReason[] = [
  "auth",
  "rate-limit",
  "overloaded",
  "context-overflow",
  "bad-request",
  "not-found",
  "timeout",
  "malformed",
  "refused",
];

testModelProvider("openai-completions", {
  thinks: true,
  failures: [...HTTP_FAILURES, "billing"],
  open: () => openWireHarness("openai-completions", "test", "test-model"),
});

testModelProvider("openai-completions at OpenAI itself", {
  thinks: false,
  failures: [...HTTP_FAILURES, "billing"],
  open: () => openWireHarness("openai-completions", "openai", "gpt-4.1"),
});

testModelProvider("openai-responses", {
  thinks: true,
  failures: [...HTTP_FAILURES, "billing"],
  open: () => openWireHarness("openai-responses", "openai", "gpt-5.2"),
});

testModelProvider("anthropic-messages", {
  thinks: true,
  failures: [...HTTP_FAILURES, "billing"],
  open: () => openWireHarness("anthropic-messages", "anthropic", "claude-sonnet-4-5"),
});

testModelProvider("google-generative-ai", {
  thinks: true,
  failures: HTTP_FAILURES,
  open: () => openWireHarness("google-generative-ai", "google", "gemini-2.5-pro"),
});

testModelProvider("ollama", {
  thinks: true,
  failures: ["auth", "overloaded", "bad-request", "not-found", "malformed"],
  open: () => openWireHarness("ollama", "ollama", "qwen3"),
});
