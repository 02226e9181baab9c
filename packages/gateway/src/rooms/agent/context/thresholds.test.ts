import { describe, expect, it } from "vitest";
import { textOf, type AgentMessage } from "@chela/sdk";
import {
  contextSettings,
  contextWindow,
  createTokenCounter,
  memoryFlushPrompts,
  needsCompaction,
  needsMemoryFlush,
  postCompactionRefresh,
  reserveTokensFor,
  shrinkOversizedResults,
} from "../room.ts";
import { answer, call, image, result, user } from "./conversation.test-support.ts";

describe("the settings of the context", () => {
  it("are those of OpenClaw when nothing is written", () => {
    expect(contextSettings({})).toEqual({
      pruning: {
        mode: "off",
        ttlMs: 300_000,
        keepLastAssistants: 3,
        softTrimRatio: 0.3,
        hardClearRatio: 0.5,
        minPrunableToolChars: 50_000,
        tools: { allow: [], deny: [] },
        softTrim: { maxChars: 4000, headChars: 1500, tailChars: 1500 },
        hardClear: { enabled: true, placeholder: "[Old tool result content cleared]" },
      },
      compaction: {
        mode: "safeguard",
        reserveTokens: 16_384,
        reserveTokensFloor: 20_000,
        keepRecentTokens: 20_000,
        maxHistoryShare: 0.5,
      },
      memoryFlush: { enabled: true, softThresholdTokens: 4000 },
    });
  });

  it("prune after an hour where an Anthropic credential is there and nobody said otherwise", () => {
    const { pruning } = contextSettings({}, { anthropic: true });
    expect(pruning).toMatchObject({ mode: "cache-ttl", ttlMs: 3_600_000 });
    const off = { agents: { defaults: { contextPruning: { mode: "off" as const } } } };
    expect(contextSettings(off, { anthropic: true }).pruning.mode).toBe("off");
  });

  it.each([
    ["90s", 90_000],
    ["5m", 300_000],
    ["1.5h", 5_400_000],
    ["2 H", 7_200_000],
    ["7", 420_000],
    ["500ms", 500],
    ["soon", 300_000],
  ])("read the time %s", (ttl, ms) => {
    expect(contextSettings({ agents: { defaults: { contextPruning: { ttl } } } }).pruning.ttlMs).toBe(ms);
  });

  it("take what is written", () => {
    const settings = contextSettings({
      agents: {
        defaults: {
          contextTokens: 50_000,
          compaction: { mode: "default", keepRecentTokens: 5, memoryFlush: { enabled: false, prompt: " Save. " } },
        },
      },
    });
    expect(settings.compaction).toMatchObject({ mode: "default", keepRecentTokens: 5 });
    expect(settings.memoryFlush).toEqual({ enabled: false, softThresholdTokens: 4000, prompt: "Save." });
    expect(contextWindow(settings, { contextWindow: 200_000 })).toBe(50_000);
    expect(contextWindow(settings, { contextWindow: 8000 })).toBe(8000);
    expect(contextWindow(contextSettings({}), { contextWindow: 1_000_000 })).toBe(1_000_000);
  });
});

describe("when a conversation is compacted", () => {
  it.each([
    ["the floor", {}, 200_000, 20_000],
    ["what is written, above the floor", { reserveTokens: 30_000 }, 200_000, 30_000],
    ["a lower floor", { reserveTokensFloor: 0 }, 200_000, 16_384],
    ["a quarter of a small window", {}, 32_000, 8000],
    ["a quarter of a tiny window", {}, 4000, 1000],
    ["half of a window that is not small", { reserveTokens: 500_000 }, 100_000, 50_000],
  ])("the reserve is %s", (_, written, window, reserve) => {
    const { compaction } = contextSettings({ agents: { defaults: { compaction: written } } });
    expect(reserveTokensFor(compaction, window)).toBe(reserve);
  });

  it.each([
    [180_000, false],
    [180_001, true],
  ])("with %i tokens of 200000 used: %s", (contextTokens, needed) => {
    expect(needsCompaction({ contextTokens, window: 200_000, reserveTokens: 20_000 })).toBe(needed);
  });
});

describe("the memory flush", () => {
  const use = {
    totalTokens: 176_000,
    window: 200_000,
    reserveTokens: 20_000,
    compactionCount: 2,
    memoryFlushCompactionCount: 1,
  };
  const { memoryFlush } = contextSettings({});

  it.each([
    ["at the threshold", {}, true],
    ["below it", { totalTokens: 175_999 }, false],
    ["when the tokens are not known", { totalTokens: undefined }, false],
    ["a second time before the next compaction", { memoryFlushCompactionCount: 2 }, false],
    ["for the first time", { compactionCount: undefined, memoryFlushCompactionCount: undefined }, true],
    ["again before any compaction", { compactionCount: undefined, memoryFlushCompactionCount: 0 }, false],
    ["early in a small window", { window: 8000, reserveTokens: 2000, totalTokens: 3000 }, false],
    ["late in a small window", { window: 8000, reserveTokens: 2000, totalTokens: 5500 }, true],
  ])("is decided %s", (_, change, needed) => {
    expect(needsMemoryFlush({ ...use, ...change }, memoryFlush)).toBe(needed);
  });

  it("does not happen when it is switched off", () => {
    expect(needsMemoryFlush(use, { ...memoryFlush, enabled: false })).toBe(false);
  });

  it("names the file of the day and how to say nothing", () => {
    const { prompt, systemPrompt } = memoryFlushPrompts(memoryFlush, "2026-02-26");
    expect(prompt).toContain("memory/2026-02-26.md");
    expect(prompt).not.toContain("YYYY");
    expect(prompt).toContain("NO_REPLY");
    expect(systemPrompt).toContain("NO_REPLY");
  });

  it("adds how to say nothing to a prompt of the configuration", () => {
    const { prompt } = memoryFlushPrompts({ ...memoryFlush, prompt: "Write notes/YYYY-MM-DD.md." }, "2026-02-26");
    expect(prompt).toMatch(/^Write notes\/2026-02-26\.md\.\n\n.*NO_REPLY/);
  });
});

describe("the refresh after a compaction", () => {
  const file = [
    "# AGENTS.md",
    "## Session Startup",
    "Read SOUL.md.",
    "### First of all",
    "```sh",
    "## not a heading",
    "```",
    "## Style",
    "Be brief.",
    "### red lines ###",
    "Never send money.",
    "## End",
    "bye",
  ].join("\n");

  it("repeats the sections that matter, whole, and nothing else", () => {
    const text = postCompactionRefresh(file) ?? "";
    expect(text.startsWith("[Post-compaction context refresh]\n")).toBe(true);
    for (const part of ["Read SOUL.md.", "### First of all", "## not a heading", "Never send money."]) {
      expect(text).toContain(part);
    }
    for (const part of ["Be brief.", "bye"]) expect(text).not.toContain(part);
  });

  it("is not sent when there is nothing to repeat", () => {
    expect(postCompactionRefresh("# AGENTS.md\nNo rules.")).toBeUndefined();
    expect(postCompactionRefresh("")).toBeUndefined();
  });

  it("is cut after 3000 characters", () => {
    const text = postCompactionRefresh(`## Red Lines\n${"x".repeat(10_000)}`) ?? "";
    expect(text).toContain("cut");
    expect(text.length).toBeLessThan(3400);
  });
});

describe("shrinking oversized results", () => {
  const counter = createTokenCounter();
  const count = (message: AgentMessage) => counter.message({ provider: "p", id: "m" }, message);
  const turn = (text: string) => [user("go"), answer("", [call("1")]), result("1", text)];

  it("cuts the middle out of a result that takes more than 30 % of the window", () => {
    const messages = turn(`begin ${"word ".repeat(20_000)}end`);
    const { messages: shorter, shrunk } = shrinkOversizedResults(messages, { window: 20_000, count });
    const text = textOf(shorter[2] as AgentMessage);
    expect(shrunk).toBe(1);
    expect(count(shorter[2] as AgentMessage)).toBeLessThanOrEqual(6100);
    expect(text).toMatch(/^begin [^]*100009 characters[^]*end$/);
  });

  it("leaves everything else alone", () => {
    const messages = [user("word ".repeat(20_000)), ...turn("word ".repeat(1000))];
    expect(shrinkOversizedResults(messages, { window: 20_000, count })).toEqual({ messages, shrunk: 0 });
  });

  it("cuts at 400000 characters however large the window is", () => {
    const { messages } = shrinkOversizedResults(turn("a".repeat(500_000)), { window: 10_000_000, count });
    expect(textOf(messages[2] as AgentMessage)).toHaveLength(400_000);
  });

  it("keeps at least 2000 characters and the images", () => {
    const picture = result("1", "word ".repeat(1000), { withImage: true });
    const { messages } = shrinkOversizedResults([picture], { window: 100, count });
    expect(textOf(messages[0] as AgentMessage)).toHaveLength(2000);
    expect(messages[0]?.content).toContain(image);
  });

  it("cuts deeper when it is asked to", () => {
    const messages = turn("word ".repeat(1000));
    expect(shrinkOversizedResults(messages, { window: 20_000, count, share: 0.03 }).shrunk).toBe(1);
  });
});
