import { describe, expect, it } from "vitest";
import { explainLines, type ExplainedRun } from "./explain-view.ts";

const BARE: ExplainedRun = {
  runId: "run-1",
  messageId: "agent:run-1",
  channel: "webchat",
  account: "default",
  agentId: "main",
  sessionKey: "agent:main:main",
  state: "done",
  admittedAt: Date.UTC(2026, 0, 15, 12),
  startedAt: Date.UTC(2026, 0, 15, 12, 0, 2),
  endedAt: Date.UTC(2026, 0, 15, 12, 0, 9),
  status: "ok",
  tools: [],
  usage: [],
  delivery: [],
};

const FULL: ExplainedRun = {
  ...BARE,
  trace: {
    route: { agentId: "main", sessionKey: "agent:main:main", matchedBy: "default" },
    prompt: { systemChars: 5400, toolChars: 1200, messages: 7, tokens: 2100 },
    policy: { offered: ["read", "exec"], removed: [{ tool: "cron", layer: "owner", why: "it is for owners only" }] },
    attempts: [
      {
        provider: "anthropic",
        model: "claude",
        profileId: "anthropic:main",
        startedAt: 0,
        endedAt: 1000,
        failure: { reason: "rate-limit", message: "The provider asks for a pause.", retry: "later" },
      },
      { provider: "openai", model: "gpt", startedAt: 1000, endedAt: 6000 },
    ],
    compactions: 1,
    notes: ["not compacted: nothing to gain"],
  },
  tools: [
    { name: "exec", startedAt: 10, endedAt: 2010, isError: false },
    { name: "read", startedAt: 20 },
  ],
  usage: [{ model: "openai/gpt", calls: 2, tokens: 12_000, cost: 0.021, missingCostEntries: 0 }],
  delivery: [{ channel: "telegram", account: "default", to: "42", state: "delivered", attempts: 2 }],
};

const told = (run: ExplainedRun, columns = 200): string => explainLines(run, { columns }).join("\n");

describe("a turn is explained", () => {
  it("with everything that was noted", () => {
    const text = told(FULL);
    for (const part of [
      /Result +answered/,
      /accepted 2026-01-15T12:00:00\.000Z, waited 2 s, took 7 s/,
      /Route +webchat \(default\) → agent main, session agent:main:main/,
      /because nothing was named, so the default agent answers/,
      /Prompt +5\.4k characters of instructions, 1\.2k characters of tools, 7 messages, 2\.1k tokens in all/,
      /the conversation was summarised 1 time/,
      /Policy +offered read, exec/,
      /without cron: owner, it is for owners only/,
      /Model +anthropic\/claude with anthropic:main, 1 s: rate-limit\. The provider asks for a pause\./,
      /openai\/gpt, 5 s: answered/,
      /Tools +exec: done in 2 s/,
      /read: did not end/,
      /Cost +openai\/gpt: 2 calls, 12k tokens, \$0\.0210/,
      /Delivery +telegram \(default\) to 42: delivered after 2 attempts/,
      /Notes +not compacted: nothing to gain/,
    ]) {
      expect(text).toMatch(part);
    }
  });

  it("with what is known when nothing was noted", () => {
    const text = told(BARE);
    expect(text).toMatch(/why: not recorded/);
    for (const title of ["Prompt", "Policy", "Model"]) expect(text).toMatch(new RegExp(`${title} +not recorded`));
    expect(text).toMatch(/Tools +none was called/);
    expect(text).toMatch(/Cost +nothing was spent/);
    expect(text).toMatch(/Delivery +there was nothing to deliver/);
  });

  it.each([
    [
      { trace: { route: 7, prompt: "large", attempts: [null, 3], tools: "all", policy: [], notes: 1 } },
      /Model +not recorded/,
    ],
    [{ trace: { policy: { offered: ["read", "write"] } } }, /Policy +offered read, write/],
    [{ trace: { policy: { offered: [] } } }, /Policy +no tools were offered/],
    [{ status: "error", error: "The model did not answer." } as const, /failed\n.*The model did not answer\./],
    [{ status: "aborted", stopReason: "rpc" } as const, /was stopped \(rpc\)/],
    [{ state: "queued" } as const, /waits for its turn/],
    [{ state: "running" } as const, /is under way[^]*Delivery +not yet/],
    [{ usage: [{ model: "a/b", calls: 1, tokens: 5, cost: 0, missingCostEntries: 1 }] }, /price not known/],
  ])("also when it is %j", (over, expected) => {
    expect(told({ ...BARE, ...over })).toMatch(expected);
  });

  it("without letting texts of others move the cursor, and within the width of the terminal", () => {
    const lines = explainLines({ ...FULL, error: "\u001b[2Jgone \u0007 very ".repeat(20) }, { columns: 80 });
    for (const mark of ["\u0007", "\u001b"]) expect(lines.join("")).not.toContain(mark);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("in a bounded number of lines", () => {
    const tools = Array.from({ length: 100 }, (_, index) => ({
      toolCallId: String(index),
      name: "read",
      startedAt: 0,
    }));
    expect(told({ ...BARE, tools })).toContain("and 80 more (--json shows all)");
  });
});
