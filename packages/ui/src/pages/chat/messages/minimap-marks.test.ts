// Marks of one's own messages.
import type { ShownMessage } from "@chela/sdk/protocol";
import { expect, test } from "vitest";
import { marksOf } from "./minimap-marks.ts";

const said = (index: number, part: Partial<ShownMessage> = {}): ShownMessage => ({
  index,
  id: `m${index}`,
  role: "user",
  content: [{ type: "text", text: `message ${index}` }],
  ...part,
});

test("only what people said has a mark, in the order of the conversation", () => {
  const marks = marksOf([
    said(4),
    said(0),
    said(1, { role: "assistant" }),
    said(2, { kind: "command" }),
    { index: 3, id: "h", hidden: true },
  ]);
  expect(marks.map(({ id }) => id)).toEqual(["m0", "m4"]);
});

test("many are thinned out evenly, with the first and the last", () => {
  const marks = marksOf(Array.from({ length: 1000 }, (_, at) => said(at)));
  expect(marks).toHaveLength(40);
  expect([marks[0]?.id, marks.at(-1)?.id]).toEqual(["m0", "m999"]);
});

test("a long message is known by its beginning", () => {
  const [mark] = marksOf([said(0, { content: [{ type: "text", text: `a\n\nb ${"c".repeat(900)}` }] })]);
  expect(mark?.text.startsWith("a b ccc")).toBe(true);
  expect(mark?.text).toHaveLength(80);
});
