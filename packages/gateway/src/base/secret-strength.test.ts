// How credentials are judged.
import { describe, expect, it } from "vitest";
import { judgeSecret } from "./secret-strength.ts";

describe("a credential", () => {
  it.each([
    "changeme",
    "Password123!",
    "openclaw",
    "secret-token",
    "your-token-here",
    "<token>",
    "replace-me-with-something-long-and-random",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "abcdefghijklmnop",
    "123456789",
    "12345678901",
    "a",
  ])("is guessable: %s", (secret) => {
    expect(judgeSecret(secret)).toEqual({ length: secret.length, isGuessable: true, isShort: false });
  });

  it.each(["x7Kq2mZp", "correct-horse", "a9f3c2d4e1b7", "abababababababababab"])("is short: %s", (secret) => {
    expect(judgeSecret(secret)).toEqual({ length: secret.length, isGuessable: false, isShort: true });
  });

  it.each([
    "e5811bed74363da5ea10a45e84293cbba84b1053981d8406",
    "correct horse battery staple",
    "q8R2mZ7pX4cV9bN1",
    "token-4f9a1c7be20d8835",
  ])("is good: %s", (secret) => {
    expect(judgeSecret(secret)).toEqual({ length: secret.length, isGuessable: false, isShort: false });
  });
});
