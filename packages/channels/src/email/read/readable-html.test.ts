// HTML of strangers is read before anybody knows whether they may write: it must not keep the gateway busy.
import { describe, expect, it } from "vitest";
import { readHtml } from "./readable-html.ts";

describe("HTML somebody made to be slow", () => {
  it.each([
    ["a tag that never ends", "<".concat("a".repeat(500_000))],
    ["a tag that never ends and is full of blanks", `<a ${" ".repeat(500_000)}`],
    ["many tags that never end", "<a ".repeat(150_000)],
    ["a comment that never ends", "<!--".repeat(100_000)],
    ["attributes without values", `<a ${"href ".repeat(100_000)}>`],
  ])("%s is read at once, and shows nothing", (_what, html) => {
    expect(readHtml(`before ${html}`)).toBe("before");
  });
});
