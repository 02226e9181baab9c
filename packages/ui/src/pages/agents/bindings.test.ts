// Bindings in words, and edits of their list.
import { describe, expect, it } from "vitest";
import en from "./words.ts";
import { applyEdits, bindingText, isOfAgent, listOf, writtenBindings, type Binding } from "./bindings.ts";

const telegram: Binding = { agentId: "poet", match: { channel: "telegram" } };
const discord: Binding = { agentId: "main", comment: "home", match: { channel: "discord", guildId: "7" } };

it.each([
  [{ channel: "telegram" }, "telegram · default account"],
  [{ channel: "slack", accountId: "*", teamId: "T1" }, "slack · all accounts · team T1"],
  [
    { channel: "telegram", accountId: "work", peer: { kind: "direct", id: "42" } },
    "telegram · account work · person 42",
  ],
  [{ channel: "discord", guildId: "7", roles: ["a", "b"] }, "discord · default account · server 7 · roles a, b"],
  [{ channel: "irc", peer: { kind: "group", id: "#x" } }, "irc · default account · group #x"],
  [undefined, "? · default account"],
])("the match %j reads %j", (match, text) => {
  expect(bindingText({ agentId: "poet", match }, en)).toBe(text);
});

describe("the list", () => {
  it("is empty when it is not written, and unknown when it stands elsewhere", () => {
    expect(writtenBindings({})).toEqual([]);
    expect(writtenBindings({ bindings: [telegram] })).toEqual([telegram]);
    expect(writtenBindings({ bindings: { $include: "x.json5" } })).toBeUndefined();
  });

  it("keeps what somebody else changed meanwhile", () => {
    const added: Binding = { agentId: "poet", match: { channel: "irc" } };
    expect(applyEdits([discord, telegram], { added: [added], removed: [telegram] })).toEqual([discord, added]);
    expect(applyEdits([discord], { added: [added], removed: [telegram] })).toEqual([discord, added]);
    expect(applyEdits([discord, added], { added: [added], removed: [] })).toEqual([discord, added]);
  });
});

it("knows whose it is", () => {
  expect(isOfAgent({ agentId: " Poet " }, "poet")).toBe(true);
  expect(isOfAgent({}, "main")).toBe(false);
});

it("reads lists that people type", () => {
  expect(listOf(" a, ,b ")).toEqual(["a", "b"]);
});
