import { expect, it } from "vitest";
import { markedLines } from "./marked-text.ts";

const place = { columns: 80, mostLines: 3, indent: "  " };
const mark = (text: string): string => `<${text}>`;

it.each([
  ["The Café is closed.", "cafe", ["  The <Café> is closed."]],
  ["green tea, black tea", "tea", ["  green <tea>, black <tea>"]],
  ["what is the tea", "what is the", ["  <what> is <the> tea"]],
  ["an old ox", "an ox", ["  <an> old <ox>"]],
  ["nothing of it", "zeppelin", ["  nothing of it"]],
  ["two\n\nlines\tof it", "lines", ["  two <lines> of it"]],
  ["red \u001b[31malert\u0007", "alert", ["  red [31malert"]],
  ["", "x", ["  "]],
])("%j with %j marked", (text, query, expected) => {
  expect(markedLines(text, query, mark, place)).toEqual(expected);
});

it("wraps long texts and cuts what is too much", () => {
  const lines = markedLines("word ".repeat(100), "none", mark, { ...place, columns: 30 });
  expect(lines).toEqual(Array.from({ length: 3 }, (_, at) => `  word word word word word${at === 2 ? "…" : ""}`));
});
