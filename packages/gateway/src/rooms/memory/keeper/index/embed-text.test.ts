// What of a chunk an embedder is given.
import { expect, it } from "vitest";
import { chunkText } from "./chunk-text.ts";
import { embedTextOf } from "./embed-text.ts";

it.each([
  ["an entry of a daily log", "# 2026-03-12\n\n## 08:15\n- Oil change for the van.", "Oil change for the van."],
  ["a heading with words", "# Van\n\n- Oil change in March.", "Van\n\nOil change in March."],
  ["a heading with a day in words", "## Monday, 12:30\nLunch with Ana.", "Monday, 12:30\nLunch with Ana."],
  ["a list", "- eggs\n  * brown ones\n+ milk", "eggs\nbrown ones\nmilk"],
  ["marks within a line", "2 - 1 = 1, and C# is a language", "2 - 1 = 1, and C# is a language"],
  ["a heading in another script", "# 計画\n- 東京へ", "計画\n東京へ"],
  ["headings alone", "# 2026-03-12\n\n## 08:15", "# 2026-03-12\n\n## 08:15"],
  ["nothing", "", ""],
])("%s", (_what, text, plain) => {
  expect(embedTextOf({ headings: "", text })).toBe(plain);
});

it.each([
  ["# Health\nx\n## Dentist\nFriday at three.", "Health\nDentist\nFriday at three."],
  ["# 2026-03-12\nx\n## Health\ny\n### 08:15\n- Dentist on Friday.", "Health\nDentist on Friday."],
  ["# 2026-03-12\nx\n## 08:15\n- Dentist on Friday.", "Dentist on Friday."],
])("the last chunk of %j", (note, plain) => {
  const last = chunkText(note, { tokens: 40, overlap: 0 }).at(-1);
  expect(last && embedTextOf(last)).toBe(plain);
});
