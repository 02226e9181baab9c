// What of a chunk an embedder is given: its text, and apart from it what it is about.
import { expect, it } from "vitest";
import { chunkText } from "../notes/chunk-text.ts";
import { embedTextOf, type EmbeddableText } from "./embed-text.ts";

it.each<[string, string, EmbeddableText]>([
  [
    "an entry of a daily log",
    "# 2026-03-12\n\n## 08:15\n- Oil change for the van.",
    { text: "Oil change for the van." },
  ],
  ["a heading with words", "# Van\n\n- Oil change in March.", { title: "Van", text: "Oil change in March." }],
  ["a heading with a day in words", "## Monday, 12:30\nLunch.", { title: "Monday, 12:30", text: "Lunch." }],
  ["a list", "- eggs\n  * brown ones\n+ milk", { text: "eggs\nbrown ones\nmilk" }],
  ["marks within a line", "2 - 1 = 1, and C# is a language", { text: "2 - 1 = 1, and C# is a language" }],
  ["a mark of a heading in what is quoted", "Run this:\n# apt update", { text: "Run this:\napt update" }],
  ["a heading in another script", "# 計画\n- 東京へ", { title: "計画", text: "東京へ" }],
  ["headings alone", "# Van\n\n## 08:15", { text: "# Van\n\n## 08:15" }],
  ["nothing", "", { text: "" }],
])("%s", (_what, text, plain) => {
  expect(embedTextOf({ headings: "", text })).toEqual(plain);
});

it.each<[string, EmbeddableText]>([
  ["# Health\nx\n## Dentist\nFriday at three.", { title: "Health > Dentist", text: "Friday at three." }],
  ["# 2026-03-12\nx\n## Health\ny\n### 08:15\n- Dentist.", { title: "Health", text: "Dentist." }],
  ["# 2026-03-12\nx\n## 08:15\n- Dentist on Friday.", { text: "Dentist on Friday." }],
])("the last chunk of %j", (note, plain) => {
  const last = chunkText(note, { tokens: 40, overlap: 0 }).at(-1);
  expect(last && embedTextOf(last)).toEqual(plain);
});
