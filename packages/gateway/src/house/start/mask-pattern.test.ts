// The owner's patterns for the log: what they hide, and which are never used because a stranger's text could stop the gateway.
import { describe, expect, test } from "vitest";
import { readMaskPattern } from "./mask-pattern.ts";

function masked(written: string, text: string): string {
  const read = readMaskPattern(written);
  if (read.kind === "refused") throw new Error(read.why);
  return read.mask(text);
}

describe("a pattern for the log", () => {
  test.for([
    ["badge-\\d+", "a BADGE-12 and badge-4711", "a [redacted] and [redacted]"],
    ["/Badge/", "Badge badge", "[redacted] badge"],
    ["/badge/i", "Badge badge", "[redacted] [redacted]"],
    ["[\\w.]+@[\\w.]+", `write to ${"x".repeat(90)}@example.org`, "write to [redacted]"],
    ["-----.*", `a -----${"b".repeat(3_000)}`, "a [redacted]"],
    ["(?:one|two) (?=three)", "one three, two four", "[redacted]three, two four"],
  ] as const)("%s hides what it names", ([written, text, left]) => {
    expect(masked(written, text)).toBe(left);
  });

  test.for(["(a+)+$", "(?:a|a)*b", "(\\w+\\s*)*:", "(.*)*x", "(.)\\1+", "a*a*a*a*a*a*a*a*a*b", "(", "(?:a?){60}b"])(
    "%s is refused",
    (written) => {
      expect(readMaskPattern(written).kind).toBe("refused");
    },
  );

  test("a text that is too long for a costly pattern is not shown", () => {
    const text = `${"a".repeat(3_000_000)} secret`;
    expect(masked("a+b+secret", text)).not.toContain("secret ");
    expect(masked("a+b+secret", text).length).toBeLessThan(200);
  });
});
