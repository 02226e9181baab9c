// A conversation as Markdown and as JSON Lines.
import type { ShownMessage } from "@chela/sdk/protocol";
import { expect, test } from "vitest";
import words from "../words/en/conversation.ts";
import { fileNameOf, toLine, toMarkdown } from "./conversation-text.ts";

const rules = { words, date: (ms: number) => `at ${ms}`, bytes: (count: number) => `${count} B` };
const message = (part: Partial<ShownMessage>): ShownMessage => ({ index: 0, id: "m", ...part });

test("who said what, and when", () => {
  const said = message({ role: "user", timestamp: 7, content: [{ type: "text", text: "Hello\n" }] });
  expect(toMarkdown(said, rules)).toBe("## You · at 7\n\nHello\n\n");
  const answered = message({ role: "assistant", content: [{ type: "text", text: "Hi" }] });
  expect(toMarkdown(answered, rules)).toBe("## Assistant\n\nHi\n\n");
});

test("what is not for people is left out", () => {
  expect(toMarkdown(message({ hidden: true }), rules)).toBe("");
  expect(toMarkdown(message({ role: "assistant", content: [] }), rules)).toBe("");
});

test("a tool is named with its telling argument, whatever is in it", () => {
  const block = { type: "toolCall", id: "c", name: "exec", arguments: { command: "echo `date`" } } as const;
  expect(toMarkdown(message({ role: "assistant", content: [block] }), rules)).toContain("**exec** `` echo `date` ``");
});

test("a result stands in a fence that is longer than any in it", () => {
  const result = message({ role: "toolResult", content: [{ type: "text", text: "```\ncode\n```" }] });
  expect(toMarkdown(result, rules)).toBe("````\n```\ncode\n```\n````\n\n");
});

test("a picture is mentioned, and its data stays out of lines", () => {
  const image = { type: "image", mimeType: "image/png", bytes: 3, data: "AAAA" } as const;
  const shown = message({ role: "user", content: [image] });
  expect(toMarkdown(shown, rules)).toContain("*[Picture: image/png, 3 B]*");
  expect(JSON.parse(toLine(shown))).toEqual({
    index: 0,
    id: "m",
    role: "user",
    content: [{ type: "image", mimeType: "image/png", bytes: 3, omitted: true }],
  });
});

test("a file's name is one that every system takes", () => {
  expect(fileNameOf('a/b: "c"', "2026-01-02", "md")).toBe("a b c 2026-01-02.md");
  expect(fileNameOf("///", "2026-01-02", "md")).toBe("conversation 2026-01-02.md");
});
