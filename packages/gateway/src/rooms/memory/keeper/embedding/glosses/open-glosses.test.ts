// Tables of words are looked at only for texts that are not plainly English.
import { expect, it } from "vitest";
import { openGlosses } from "./open-glosses.ts";
import { mayBeForeign } from "./small-words.ts";

it.each([
  ["The rent is due on the third.", false],
  ["when is the boat due for paint", false],
  ["He will die in the war.", false],
  ["", false],
  ["42 !?", false],
  ["Die Miete ist am dritten fällig.", true],
  ["Wo ist der Hund", true],
  ["¿Dónde está?", true],
  ["la llave de la casa", true],
  ["Zahnarzt Termin", true],
  ["The note says: der Hund", true],
])("tells for %j whether it may be of another language: %s", (text, expected) => {
  expect(mayBeForeign(text)).toBe(expected);
});

it("turns each text as it would be turned by itself", async () => {
  const texts = ["The rent is due.", "Die Miete ist fällig.", "Zahnarzt Termin"];
  const gloss = await openGlosses(texts);
  expect(texts.map((text) => gloss(text).text)).toEqual(["The rent is due.", "rent is due.", "dentist appointment"]);
  for (const text of texts) expect((await openGlosses([text]))(text)).toEqual(gloss(text));
});

it("gives English texts back as they are, however long", async () => {
  const texts = ["What was it?", "the long text ".repeat(5000)];
  const gloss = await openGlosses(texts);
  for (const text of texts) expect(gloss(text).text).toBe(text);
});

it("looks at no more of a text than the models do", async () => {
  const text = "Der Hund schläft. ".repeat(100_000);
  expect((await openGlosses([text]))(text).text.length).toBeLessThan(20_000);
});
