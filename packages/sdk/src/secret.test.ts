// A secret stays one, whatever is done to it by accident.
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "./secret.ts";

describe("a secret", () => {
  const secret = new Secret("sk-canary");

  it.for<[string, string]>([
    ["put into a text", `${secret}`],
    ["joined", ["key", secret].join(" ")],
    ["serialised", JSON.stringify({ secret })],
    ["inspected", inspect({ deep: { secret } })],
    ["listed by its fields", JSON.stringify(Object.entries(secret))],
  ])("does not show when it is %s", ([, text]) => {
    expect(text).not.toContain("canary");
  });

  it("is there for who asks", () => {
    expect(secret.reveal()).toBe("sk-canary");
  });
});
