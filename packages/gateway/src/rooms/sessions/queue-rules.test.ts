import { describe, expect, it } from "vitest";
import { queueRule, queueSettings, type QueueSettings } from "./queue-rules.ts";

describe("settings of a queue", () => {
  it("are ours when nothing is said", () => {
    expect(queueSettings(undefined, undefined, "telegram", "collect")).toEqual({
      mode: "collect",
      debounceMs: 1000,
      cap: 20,
      drop: "summarize",
    });
  });

  it("come from the session, then from the channel, then from all", () => {
    const config = {
      mode: "followup",
      byChannel: { telegram: "steer" },
      debounceMs: 5,
      debounceMsByChannel: { telegram: 6 },
      cap: 7,
      drop: "old",
    };
    expect(queueSettings(config, undefined, "irc", "collect")).toMatchObject({
      mode: "followup",
      debounceMs: 5,
      cap: 7,
    });
    expect(queueSettings(config, undefined, "telegram", "collect")).toMatchObject({ mode: "steer", debounceMs: 6 });
    const session = { queueMode: "interrupt", queueDebounceMs: 0, queueCap: 1, queueDrop: "new" };
    expect(queueSettings(config, session, "telegram", "collect")).toEqual({
      mode: "interrupt",
      debounceMs: 0,
      cap: 1,
      drop: "new",
    });
  });

  it("pass over words nobody knows", () => {
    const config = { mode: "sometimes", drop: "all" };
    expect(queueSettings(config, { queueMode: "" }, "irc", "collect")).toMatchObject({
      mode: "collect",
      drop: "summarize",
    });
  });
});

describe("a rule", () => {
  const settings = (mode: QueueSettings["mode"]): QueueSettings => ({ mode, debounceMs: 1, cap: 1, drop: "new" });
  it.each([
    ["collect", { together: "a" }],
    ["followup", {}],
    ["steer", {}],
    ["queue", {}],
    ["interrupt", {}],
    ["steer-backlog", { staysInQueue: true }],
    ["steer+backlog", { staysInQueue: true }],
  ] as const)("of mode %s", (mode, more) => {
    expect(queueRule(settings(mode), { together: "a" })).toEqual({ mode, debounceMs: 1, ...more });
  });
  it("answers what is held back together in every mode", () => {
    expect(queueRule(settings("steer"), { together: "a", holdMs: 700 })).toMatchObject({ together: "a", holdMs: 700 });
  });
});
