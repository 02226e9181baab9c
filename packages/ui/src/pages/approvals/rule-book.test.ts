// What is read out of the file of approvals, and what is written back.
import { describe, expect, it } from "vitest";
import {
  agentsIn,
  allowsAny,
  EVERYBODY,
  namesProgram,
  programsOf,
  ruleOf,
  withoutProgram,
  withProgram,
  withRule,
} from "./rule-book.ts";

const book = {
  version: 1,
  socket: { path: "/x" },
  defaults: { security: "allowlist", ask: "always", autoAllowSkills: true },
  agents: {
    "*": { ask: "off", allowlist: [{ pattern: "git" }] },
    main: {
      security: "deny",
      allowlist: [{ id: "a", pattern: "/usr/bin/make", argv: ["test"], lastUsedAt: 5 }, 7, { pattern: "x", argv: "y" }],
    },
  },
};

describe("rules", () => {
  it("are those of the agent, and for every agent the list's place before the defaults", () => {
    expect(ruleOf(book, "main", "security")).toBe("deny");
    expect(ruleOf(book, "main", "ask")).toBeUndefined();
    expect(ruleOf(book, EVERYBODY, "ask")).toBe("off");
    expect(ruleOf(book, EVERYBODY, "security")).toBe("allowlist");
  });

  it("for every agent are written to one place, and foreign fields stay", () => {
    expect(withRule(book, EVERYBODY, "ask", "on-miss")).toEqual({
      ...book,
      defaults: { security: "allowlist", ask: "on-miss", autoAllowSkills: true },
      agents: { ...book.agents, "*": { allowlist: [{ pattern: "git" }] } },
    });
  });

  it("can be taken out again", () => {
    const changed = withRule(book, "main", "security", undefined);
    expect(ruleOf(changed, "main", "security")).toBeUndefined();
    expect(programsOf(changed, "main")).toHaveLength(3);
  });

  it("of an empty file can be written", () => {
    expect(withRule({}, "work", "ask", "always")).toEqual({ version: 1, agents: { work: { ask: "always" } } });
    expect(withRule({}, EVERYBODY, "ask", "always")).toEqual({ version: 1, defaults: { ask: "always" } });
  });

  it("are not found in names every object has", () => {
    expect(ruleOf(book, "constructor", "security")).toBeUndefined();
    expect(programsOf(book, "__proto__")).toEqual([]);
  });
});

describe("programs", () => {
  it("that cannot be understood have no pattern", () => {
    expect(programsOf(book, "main").map(({ pattern }) => pattern)).toEqual(["/usr/bin/make", undefined, undefined]);
  });

  it("are found again however often they were used", () => {
    const [first] = programsOf(book, EVERYBODY);
    const used = { agents: { "*": { allowlist: [{ pattern: "git", lastUsedAt: 9, lastUsedCommand: "git status" }] } } };
    expect(programsOf(withoutProgram(used, EVERYBODY, first?.identity ?? ""), EVERYBODY)).toEqual([]);
  });

  it("that are gone already change nothing", () => {
    expect(withoutProgram(book, "main", "gone")).toBe(book);
  });

  it("are added at the end", () => {
    const added = withProgram(book, "main", { id: "n", pattern: "ls" });
    expect(programsOf(added, "main").at(-1)).toMatchObject({ pattern: "ls", identity: "n" });
    expect(allowsAny(programsOf(added, "main"), "ls")).toBe(true);
    expect(allowsAny(programsOf(added, "main"), "/usr/bin/make")).toBe(false);
  });

  it("belong to agents that are mentioned", () => {
    expect(agentsIn(book)).toEqual(["main"]);
  });
});

it.each([
  ["git", true],
  ["/usr/bin/git", true],
  ["~/bin/*", true],
  ["g++", true],
  ["bin/git", false],
  ["git status", false],
  ["/", false],
  ["", false],
  ["-rf", false],
])("%j names a program: %s", (pattern, isNamed) => {
  expect(namesProgram(pattern)).toBe(isNamed);
});
