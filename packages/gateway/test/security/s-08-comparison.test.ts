// S-08: secrets are compared as digests of one length, in the same time whatever was guessed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { digestSecret } from "../../src/server/auth/index.ts";
import { startTestGateway } from "../support/in-process.ts";

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));

/** Comparisons that look at no secret of a caller, with the reason. */
const HARMLESS: readonly string[] = [
  // Two versions of our own book, neither of which a caller sent.
  "now?.token !== last.token",
];

test("S-08: a guess of any length is compared and refused", () => {
  const secret = digestSecret("correct horse");
  for (const guess of ["", "c", "correct hors", "correct horse ", "x".repeat(100_000), "Correct horse", "\0"]) {
    expect(secret.matches(guess)).toBe(false);
  }
  expect(secret.matches("correct horse")).toBe(true);
  expect(`${secret.toString()} ${JSON.stringify({ secret })}`).not.toContain("horse");
});

test("S-08: guesses of any length are refused at the door", async () => {
  await using gateway = await startTestGateway();
  const { token } = gateway;
  for (const guess of ["x", token.slice(0, -1), `${token}x`, token.toUpperCase(), "y".repeat(8_000)]) {
    expect((await gateway.fetch("/v1/models", { token: guess })).status).toBe(401);
  }
});

test("S-08: no secret is compared with an operator that stops at the first difference", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const suspicious =
    /\b[\w?.]*(token|secret|password|signature)\b\)?\s*[!=]==?\s*(?!undefined|null|true|false|"|'|`|typeof)[\w?.]+/gi;
  const found = files.flatMap((name) => {
    const text = readFileSync(join(SOURCE, name), "utf8");
    return [...text.matchAll(suspicious)].map(([match]) => `${name}: ${match}`);
  });
  expect(found.filter((one) => !HARMLESS.some((harmless) => one.endsWith(harmless)))).toEqual([]);
});
