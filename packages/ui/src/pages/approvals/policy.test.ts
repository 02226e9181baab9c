// What holds for an agent, and whose word it is.
import { describe, expect, it } from "vitest";
import { policyOf } from "./policy.ts";

const exec = (rules: object) => ({ tools: { exec: rules } });

describe("what may run", () => {
  it.each([
    ["nothing is said", {}, {}, "allowlist", ["built-in"]],
    ["the configuration is free", {}, exec({ security: "full" }), "full", ["config"]],
    [
      "the file is stricter",
      { defaults: { security: "allowlist" } },
      exec({ security: "full" }),
      "allowlist",
      ["everybody"],
    ],
    [
      "both say the same",
      { defaults: { security: "deny" } },
      exec({ security: "deny" }),
      "deny",
      ["everybody", "config"],
    ],
    [
      "the agent's own word in the file goes before that for all",
      { agents: { main: { security: "full" }, "*": { security: "deny" } } },
      {},
      "full",
      ["agent"],
    ],
    [
      "the agent's own word in the configuration goes before that for all",
      {},
      { ...exec({ security: "deny" }), agents: { list: [{ id: "Main", ...exec({ security: "full" }) }] } },
      "full",
      ["config-agent"],
    ],
    [
      "a word nobody knows is the strictest",
      { defaults: { security: "maybe" } },
      exec({ security: "full" }),
      "deny",
      ["everybody"],
    ],
  ])("%s", (_case, book, config, value, places) => {
    expect(policyOf(book, config, "main").security).toEqual({ value, places });
  });

  it("is told for agents without rules of their own", () => {
    const book = { agents: { main: { security: "full" } }, defaults: { security: "deny" } };
    expect(policyOf(book, {}, "*").security).toEqual({ value: "deny", places: ["everybody"] });
  });
});

it.each([
  [{}, {}, "on-miss", ["built-in"]],
  [{ defaults: { ask: "off" } }, exec({ ask: "always" }), "always", ["config"]],
  [{ defaults: { ask: "off" } }, {}, "off", ["everybody"]],
  [{ defaults: { ask: "sometimes" } }, exec({ ask: "off" }), "always", ["everybody"]],
])("%j and %j: asked %s", (book, config, value, places) => {
  expect(policyOf(book, config, "main").ask).toEqual({ value, places });
});

it.each([
  [undefined, "deny", ["built-in"]],
  ["deny", "deny", ["everybody"]],
  ["allowlist", "allowlist", ["everybody"]],
  ["full", "allowlist", ["everybody"]],
  ["whatever", "deny", ["everybody"]],
])("when nobody can be asked, %s means %s", (askFallback, value, places) => {
  expect(policyOf({ defaults: { askFallback } }, {}, "main").askFallback).toEqual({ value, places });
});
