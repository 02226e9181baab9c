import { describe, expect, test } from "vitest";
import { readCredential, suggestedId, type Credential, type Draft } from "./new-credential.ts";

const draft: Draft = { service: "openai", account: "", name: "", kind: "value" };
const fields =
  (given: Readonly<Record<string, string>>) =>
  (name: string): string =>
    given[name] ?? "";

describe("the name that is suggested", () => {
  test.each([
    ["openai", "", "openai"],
    ["openai", "Work account", "openai/work-account"],
    ["My Service!", "", "my-service"],
    ["../x", "", "x"],
    ["", "", ""],
  ])("for %j of %j is %j", (service, account, id) => {
    expect(suggestedId({ service, account })).toBe(id);
  });
});

describe("what is sent", () => {
  test.each([
    [{ kind: "value" } as const, { value: " sk-1\n" }, { value: "sk-1" }],
    [{ kind: "env" } as const, { env: "KEY" }, { env: "KEY" }],
    [{ kind: "file" } as const, { file: "/home/ada/key" }, { file: "/home/ada/key" }],
    [
      { kind: "exec" } as const,
      { program: "/usr/bin/op", arguments: "read\n\nop://a/b c\n" },
      { exec: ["/usr/bin/op", "read", "op://a/b c"] },
    ],
    [
      { kind: "keyring" } as const,
      { keyringService: "chela", keyringAccount: "" },
      { keyring: { service: "chela", account: "" } },
    ],
  ])("holds one place only: %j", (kind, given, content) => {
    expect(readCredential({ ...draft, ...kind }, fields(given), undefined)).toEqual({
      id: "openai",
      service: "openai",
      ...content,
    });
  });

  test("holds what else was said", () => {
    const given = fields({ value: "x", origin: "https://api.example.com", capabilities: "chat, , images" });
    expect(readCredential({ ...draft, account: "work", name: "mine" }, given, undefined)).toEqual({
      id: "mine",
      service: "openai",
      account: "work",
      origin: "https://api.example.com",
      capabilities: ["chat", "images"],
      value: "x",
    });
  });

  test("a replacement keeps its name, and is bound to nothing if it was so before", () => {
    const before = { id: "old" } as Credential;
    expect(readCredential(draft, fields({ value: "x" }), before)).toMatchObject({ id: "old", origin: "any" });
    const bound = { id: "old", origin: "https://a.example" } as Credential;
    expect(readCredential(draft, fields({ value: "x" }), bound)).not.toHaveProperty("origin");
  });
});
