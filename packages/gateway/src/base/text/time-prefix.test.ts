import { describe, expect, it } from "vitest";
import { withoutTimePrefix, withTimePrefix } from "./time-prefix.ts";

const AT = Date.UTC(2026, 0, 15, 12, 5);

describe("The time before a message", () => {
  it("is written in the configured zone", () => {
    expect(withTimePrefix("hi", AT, "UTC")).toBe("[Thu 2026-01-15 12:05 UTC] hi");
    expect(withTimePrefix("hi", AT, "Asia/Kolkata")).toBe("[Thu 2026-01-15 17:35 GMT+5:30] hi");
    expect(withTimePrefix("hi", Date.UTC(2026, 0, 15, 5), "America/New_York")).toBe("[Thu 2026-01-15 00:00 EST] hi");
  });
  it("is not written twice", () => {
    const once = withTimePrefix("hi", AT);
    expect(withTimePrefix(once, AT + 60_000)).toBe(once);
  });
  it.each(["hi", "[note] hi", "", "[Thu] x", "several\nlines"])("comes off again: %j", (text) => {
    expect(withoutTimePrefix(withTimePrefix(text, AT))).toBe(text);
    expect(withoutTimePrefix(text)).toBe(text);
  });
});
