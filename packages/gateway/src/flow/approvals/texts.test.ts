import { describe, expect, it } from "vitest";
import { describeOutcome, describeQuestion, instructions, questionButtons } from "./texts.ts";

const approval = (request: object, ms = 120_000) => ({
  id: "0123456789abcdef",
  request: { command: "ls", ...request },
  createdAtMs: 0,
  expiresAtMs: ms,
});

describe("a question in a chat", () => {
  it("shows the command in a fence that nothing in it can close", () => {
    const text = describeQuestion(approval({ command: "echo ````\n```", cwd: "/a`b", reason: "new\u202e" }));
    expect(text).toContain("\n`````\necho ````\n```\n`````");
    expect(text).toContain("In: `` /a`b ``");
    expect(text).toContain("new<U+202E>");
  });

  it("says how to answer, with and without buttons", () => {
    expect(instructions(approval({}))).toMatch(/within 2 minutes[^]*`\/approve 01234567 allow-always`/);
    expect(instructions(approval({}, 20_000))).toContain("within a minute");
    const dataOf = (request: object) =>
      questionButtons({ ...approval(request), id: "x" }).flatMap((row) => row.map((button) => button.data));
    expect(dataOf({})).toEqual(["/approve x allow-once", "/approve x allow-always", "/approve x deny"]);
    expect(dataOf({ onlyOnce: true })).toEqual(["/approve x allow-once", "/approve x deny"]);
    expect(instructions(approval({ onlyOnce: true }))).not.toContain("allow-always");
  });

  it("names every program that would run", () => {
    expect(describeQuestion(approval({ resolvedPath: "/bin/ls | /bin/sh" }))).toContain("Runs: `/bin/ls | /bin/sh`");
  });

  it("does not call a yes lasting that is not", () => {
    const request = { command: "git status", onlyOnce: true };
    const event = { kind: "resolved", id: "x", decision: "allow-always", resolvedBy: "Anna", ts: 0, request } as const;
    expect(describeOutcome(event)).toContain("Allowed once");
  });

  it.for([
    ["allow-once", "Anna", "Allowed once"],
    ["allow-always", "Anna", "Allowed for good"],
    ["deny", "Anna", "Denied"],
    ["deny", "timeout", "Nobody answered in time"],
    ["deny", "withdrawn", "Nobody waits"],
  ] as const)("that ends with %s by %s says: %s", ([decision, resolvedBy, says]) => {
    const event = { kind: "resolved" as const, id: "x", decision, resolvedBy, ts: 0, request: { command: "ls" } };
    expect(describeOutcome(event)).toContain(says);
  });
});
