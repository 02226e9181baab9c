// Contract tests for every model provider. Run it on each implementation of the seam.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelEvent, ModelFailureReason, ModelInfo, ModelProvider, ModelRequest } from "../model.ts";

/**
 * How a call shall go. The answers are the same for all providers:
 * - text: "Hello from the café.", with token counts
 * - thinking: "Let me think.", then the text "Done."
 * - tool-calls: two calls of `read` with `{"path": "a.txt"}` and `{"path": "b.txt"}`
 * - tool-calls-unreadable: a call of `read` with `{"path": a.txt`, which is not JSON
 * - hang: begins, and then nothing comes until the call is aborted
 * - cut: begins, and then the connection breaks
 * - a reason: fails for this reason
 */
export type ModelScenario =
  | "text"
  | "thinking"
  | "tool-calls"
  | "tool-calls-unreadable"
  | "hang"
  | "cut"
  | ModelFailureReason;

export interface ModelHarness {
  readonly provider: ModelProvider;
  /** Prepares the next call, and returns the request to make it with. */
  play(scenario: ModelScenario): ModelRequest;
  /** Resolves when a call of the scenario "hang" has begun. Asked for before the call is made. */
  begun(): Promise<void>;
  close(): Promise<void> | void;
}

export interface ModelContractOptions {
  open(): Promise<ModelHarness> | ModelHarness;
  /** Whether thinking can be seen. */
  readonly thinks: boolean;
  /** Whether it hands on arguments as the model wrote them, so that they may be unreadable. */
  readonly writesArguments?: boolean;
  /** The reasons this provider can fail for. */
  readonly failures: readonly ModelFailureReason[];
}

/** A request with nothing special about it, for harnesses to start from. */
export function plainRequest(model: Partial<ModelInfo> = {}, text = "Hello"): ModelRequest {
  return {
    model: {
      provider: "test",
      id: "test-model",
      name: "Test",
      api: "openai-completions",
      reasoning: true,
      input: ["text", "image"],
      contextWindow: 128_000,
      maxTokens: 4_096,
      price: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 },
      ...model,
    },
    system: "You are helpful.",
    messages: [{ role: "user", content: text, timestamp: 0 }],
    tools: [
      {
        name: "read",
        description: "Reads a file",
        parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
    thinking: "low",
    sessionId: "session-1",
  };
}

export function testModelProvider(name: string, options: ModelContractOptions): void {
  describe(`${name} keeps the contract of a model provider`, () => {
    let harness: ModelHarness;
    beforeEach(async () => {
      harness = await options.open();
    });
    afterEach(() => harness.close());

    const run = (scenario: ModelScenario, signal = new AbortController().signal): Promise<ModelEvent[]> =>
      collect(harness.provider, harness.play(scenario), signal);

    it("streams text and ends with one finish that counts tokens", async () => {
      const events = await run("text");
      expect(joined(events, "text")).toBe("Hello from the café.");
      const end = endOf(events);
      expect(end).toMatchObject({ kind: "finish", stopReason: "stop" });
      expect(end.kind === "finish" && end.usage.totalTokens).toBeGreaterThan(0);
      expect(end.kind === "finish" && end.usage.output).toBeGreaterThan(0);
    });

    it.runIf(options.thinks)("streams thinking, closes it, and then answers", async () => {
      const events = await run("thinking");
      expect(joined(events, "thinking")).toBe("Let me think.");
      expect(joined(events, "text")).toBe("Done.");
      const order = events.map((event) => event.kind);
      expect(order.indexOf("thinking-end")).toBeGreaterThan(order.lastIndexOf("thinking"));
      expect(order.indexOf("text")).toBeGreaterThan(order.indexOf("thinking-end"));
      expect(endOf(events)).toMatchObject({ kind: "finish", stopReason: "stop" });
    });

    it("gives parallel tool calls whole arguments and ids of their own", async () => {
      const events = await run("tool-calls");
      const calls = events.filter((event) => event.kind === "tool-call");
      expect(calls.map((call) => [call.name, call.arguments])).toEqual([
        ["read", { path: "a.txt" }],
        ["read", { path: "b.txt" }],
      ]);
      expect(new Set(calls.map((call) => call.id)).size).toBe(2);
      expect(endOf(events)).toMatchObject({ kind: "finish", stopReason: "toolUse" });
    });

    it.runIf(options.writesArguments)("hands on a call whose arguments are not JSON, marked as such", async () => {
      const [call, end] = await run("tool-calls-unreadable");
      expect(call).toMatchObject({ kind: "tool-call", name: "read", arguments: {}, unreadable: '{"path": a.txt' });
      expect(end).toMatchObject({ kind: "finish", stopReason: "toolUse" });
    });

    it("ends as aborted when it was aborted before the call", async () => {
      const events = await run("text", AbortSignal.abort());
      expect(events.map((event) => event.kind)).toEqual(["finish"]);
      expect(endOf(events)).toMatchObject({ kind: "finish", stopReason: "aborted" });
    });

    it("ends as aborted when it is aborted during the call", async () => {
      const abort = new AbortController();
      const begun = harness.begun();
      const events = run("hang", abort.signal);
      await begun;
      abort.abort();
      expect(endOf(await events)).toMatchObject({ kind: "finish", stopReason: "aborted" });
    });

    it("lets go when the reader stops reading", async () => {
      const events = harness.provider.stream(harness.play("text"), new AbortController().signal);
      for await (const event of events) {
        expect(event.kind).toBe("text");
        break;
      }
      expect(endOf(await run("text"))).toMatchObject({ kind: "finish" });
    });

    it("reports a cut connection as a network failure that may be tried again at once", async () => {
      const events = await run("cut");
      expect(endOf(events)).toMatchObject({ kind: "failure", failure: { reason: "network", retry: "now" } });
    });

    it.for(options.failures)("reports the failure %s", async (reason) => {
      const end = endOf(await run(reason));
      expect(end).toMatchObject({ kind: "failure", failure: { reason } });
      expect(end.kind === "failure" && end.failure.message.length).toBeGreaterThan(0);
    });
  });
}

async function collect(provider: ModelProvider, request: ModelRequest, signal: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, signal)) events.push(event);
  return events;
}

/** The last event; fails when there is an end before it, or none at all. */
function endOf(events: readonly ModelEvent[]): ModelEvent {
  const ends = events.filter((event) => event.kind === "finish" || event.kind === "failure");
  expect(ends).toHaveLength(1);
  const last = events.at(-1);
  expect(last).toBe(ends[0]);
  return last as ModelEvent;
}

function joined(events: readonly ModelEvent[], kind: "text" | "thinking"): string {
  return events.map((event) => (event.kind === kind ? event.delta : "")).join("");
}
