// Markdown as WhatsApp shows it.
import { describe, expect, it } from "vitest";
import { writeText } from "./format.ts";

describe("text for WhatsApp", () => {
  it("is written in simple marks", () => {
    expect(writeText("**bold** and *italic*")).toEqual({ text: "*bold* and _italic_", mentions: [] });
  });

  it("names people by their number", () => {
    expect(writeText("ask **@+15551234567** or @+1, not a@+15551234567")).toEqual({
      text: "ask *@15551234567* or @+1, not a@+15551234567",
      mentions: ["15551234567@s.whatsapp.net"],
    });
  });

  it("rings no more than twenty telephones", () => {
    const numbers = Array.from({ length: 25 }, (_, index) => `@+155512340${String(index).padStart(2, "0")}`);
    const { text, mentions } = writeText(numbers.join(" "));
    expect(mentions).toHaveLength(20);
    expect(text.split(" ").slice(20)).toEqual(numbers.slice(20));
  });
});
