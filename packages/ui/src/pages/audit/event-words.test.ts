import { describe, expect, test } from "vitest";
import { Words } from "../../words/index.ts";
import words from "./words.ts";
import { briefOf, nameOf, targetOf } from "./event-words.ts";
import type { AuditRecord } from "./filter.ts";

const format = new Words("en");
const names = {
  devices: new Map([["d1", "Ada's phone"]]),
  ownDevice: "d2",
  channel: (id: string) => ({ telegram: "Telegram" })[id] ?? id,
};

describe("who it was", () => {
  test.each([
    ["gateway", "The gateway"],
    ["cli", "Command line"],
    ["device:d1", "Ada's phone"],
    ["device:d2", "This browser"],
    ["device:0123456789abcdef", "Device 01234567"],
    ["client:token:openclaw-cli", "Program openclaw-cli"],
    ["address:203.0.113.9", "Somebody at 203.0.113.9"],
    ["address:::1", "Somebody at ::1"],
    ["telegram:default:123", "Telegram · 123"],
    ["matrix:home:@ada:example.org", "matrix · @ada:example.org"],
    ["cron:nightly", "Job nightly"],
    ["constructor", "constructor"],
  ])("%s is %s", (actor, name) => {
    expect(nameOf(actor, words, names)).toBe(name);
  });
});

describe("what it was done to", () => {
  const cases: Array<[AuditRecord["action"], string, AuditRecord["outcome"], string]> = [
    ["pairing", "device:d1", "ok", "Ada's phone"],
    ["tool", "exec", "ok", "exec"],
    ["login", "operator", "ok", "Signed in"],
    ["login", "ws", "denied", "Turned away"],
    ["delivery", "telegram", "ok", "Telegram"],
    ["delivery", "telegram:default:7", "failed", "Telegram · 7"],
  ];
  test.each(cases)("%s of %s, %s, is %s", (action, target, outcome, name) => {
    expect(targetOf({ action, target, outcome }, words, names)).toBe(name);
  });
});

describe("what is worth knowing", () => {
  const cases: Array<[AuditRecord["action"], Record<string, unknown>, string]> = [
    ["tool", { args: { command: "ls -la\n  /tmp", timeout: 3 } }, "ls -la /tmp"],
    ["tool", { args: { count: 3 } }, '{"count":3}'],
    ["tool", { args: {} }, ""],
    ["tool", { args: '{"command":"cut' }, '{"command":"cut'],
    ["model", { tokens: { input: 1200, output: 80 }, cost: 0.005, durationMs: 1500 }, "1.3K tokens · $0.005 · 1.5 s"],
    ["model", { failure: "auth", durationMs: 20 }, "auth · 20 ms"],
    ["login", { method: "token", ip: "127.0.0.1", client: "openclaw-cli" }, "openclaw-cli · 127.0.0.1"],
    ["config", { count: 3, changed: ["a"] }, "3 settings"],
    ["approval", { step: "answered", decision: "allow-once" }, "allowed once"],
    ["credential", { step: "used", for: "model openai", times: 12 }, "used · 12 times · model openai"],
    ["pairing", { step: "constructor" }, "constructor"],
    ["audit", {}, ""],
  ];
  test.each(cases)("of %s %j is %s", (action, detail, brief) => {
    const record = { seq: 1, at: 0, action, actor: "gateway", target: "x", outcome: "ok", detail, hash: "" } as const;
    expect(briefOf(record, words, format)).toBe(brief);
  });
});
