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
});
