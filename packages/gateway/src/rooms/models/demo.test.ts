// The demo model keeps the contract, and does what its help text says.
import { createFakeClock, plainRequest, testModelProvider, type ModelScenario } from "@chela/sdk/testing";
import { noUsage, type AgentMessage, type ModelEvent, type ModelFailureReason } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { createModels } from "./room.ts";
import { silentLog } from "./testing/wire-harness.ts";

const FAILURES: ModelFailureReason[] = [
  "auth",
  "billing",
  "rate-limit",
  "overloaded",
  "context-overflow",
  "refused",
  "bad-request",
  "not-found",
  "network",
  "timeout",
  "malformed",
  "unknown",
];

const COMMANDS: Partial<Record<ModelScenario, string>> = {
  text: "say Hello from the café.",
  thinking: "think Let me think.\nsay Done.",
  "tool-calls": 'call read {"path": "a.txt"}\ncall read {"path": "b.txt"}',
  hang: "slow 5 words",
};

function openDemo() {
  const clock = createFakeClock();
  const models = createModels({ config: () => ({}), env: () => ({}), clock, log: silentLog });
  return { clock, models, model: models.resolve("demo/demo") };
}

testModelProvider("the demo model", {
  thinks: true,
  failures: FAILURES,
  open() {
    const { clock, models, model } = openDemo();
    return {
      provider: { id: "demo", stream: (request, signal) => models.stream(request, signal) },
      play: (scenario) => plainRequest(model, COMMANDS[scenario] ?? `fail ${scenario}`),
      begun: async () => {
        while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
      },
      close: () => undefined,
    };
  },
});

async function ask(...messages: AgentMessage[]): Promise<ModelEvent[]> {
  const { models, model } = openDemo();
  const events: ModelEvent[] = [];
  const request = { ...plainRequest(model), messages };
  for await (const event of models.stream(request, new AbortController().signal)) events.push(event);
  return events;
}

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });
const text = (events: ModelEvent[]) => events.map((event) => (event.kind === "text" ? event.delta : "")).join("");

describe("the demo model", () => {
  it("repeats what was said, says that it is no language model and how to connect one", async () => {
    const answer = text(await ask(user("What is the weather?")));
    expect(answer).toContain("I was told: What is the weather?");
    expect(answer).toContain("not a language model");
    expect(answer).toContain("ANTHROPIC_API_KEY");
    expect(answer).toContain("Ollama");
  });

  it.for(["help", "Help!", " help? "])("lists its commands when asked %j", async (question) => {
    const answer = text(await ask(user(question)));
    for (const command of ["call <tool>", "slow <n> words", "think <text>", "fail <reason>"]) {
      expect(answer).toContain(command);
    }
  });

  it("does not mind the time that stands before a message", async () => {
    expect(text(await ask(user("[Thu 2026-01-15 12:05 UTC] say Hello.")))).toBe("Hello.");
  });

  it("reports the results of its tools", async () => {
    const result = (toolCallId: string, output: string, isError: boolean): AgentMessage => ({
      role: "toolResult",
      toolCallId,
      toolName: "read",
      content: [{ type: "text", text: output }],
      isError,
      timestamp: 0,
    });
    const asked = user("call read");
    const calls: AgentMessage = {
      role: "assistant",
      content: [{ type: "toolCall", id: "a", name: "read", arguments: {} }],
      api: "demo",
      provider: "demo",
      model: "demo",
      usage: noUsage(),
      stopReason: "toolUse",
      timestamp: 0,
    };
    const answer = text(await ask(asked, calls, result("a", "contents", false), result("b", "no such file", true)));
    expect(answer).toBe("The tool read said: contents\nThe tool read failed: no such file");
  });

  it("says what is wrong with arguments that are not JSON", async () => {
    expect(text(await ask(user("call read {path}")))).toContain('"call read" are not a JSON object: {path}');
  });

  it("costs nothing", async () => {
    const end = (await ask(user("hi"))).at(-1);
    expect(end?.kind === "finish" && end.usage.cost.total).toBe(0);
  });

  it("streams slowly, a word every quarter of a second", async () => {
    const { clock, models, model } = openDemo();
    const words: string[] = [];
    const done = (async () => {
      for await (const event of models.stream(plainRequest(model, "slow 3 words"), new AbortController().signal)) {
        if (event.kind === "text") words.push(event.delta);
      }
    })();
    while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(500);
    expect(words.join("")).toBe("word1 word2");
    await clock.advance(250);
    await done;
    expect(words.join("")).toBe("word1 word2 word3");
  });
});
