import { expect, it } from "vitest";
import { TEXT_LIMIT, writeText } from "./format.ts";

it("falls back to shorter tables when the ones asked for would be too long", () => {
  const cells = (text: string) => `| ${text} | ${text} |\n`;
  const short = `${cells("a")}| --- | --- |\n${cells("b")}`;
  expect(writeText(short, "code")).toContain("```");
  const wide = `${cells("a")}| --- | --- |\n${cells("x".repeat(1500))}${cells("y")}`;
  expect(writeText(wide, "code").length).toBeLessThanOrEqual(TEXT_LIMIT);
  expect(writeText(wide, "code")).not.toContain("```");
});
