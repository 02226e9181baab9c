// German forms find their words, and words their glosses.
import { expect, it } from "vitest";
import { ADJECTIVES } from "./german-words-adjectives.ts";
import { HOME_WORDS } from "./german-words-home.ts";
import { PEOPLE_WORDS } from "./german-words-people.ts";
import { SMALL_WORDS } from "./german-words-small.ts";
import { VERBS } from "./german-words-verbs.ts";
import { WORLD_WORDS } from "./german-words-world.ts";
import { GERMAN_GLOSSES } from "./german.ts";
import { readTable } from "./read-table.ts";

const TABLES = [SMALL_WORDS, PEOPLE_WORDS, HOME_WORDS, WORLD_WORDS, ADJECTIVES, VERBS];
const lines = TABLES.map((table) => [...readTable(table)]);

it("has glosses for 8,000 words of everyday life, 2,500 verbs and 1,200 adjectives among them", () => {
  expect(new Set(lines.flat().map(({ forms }) => forms[0])).size).toBeGreaterThan(8000);
  expect(lines[5]?.length).toBeGreaterThan(2500);
  expect(lines[4]?.length).toBeGreaterThan(1200);
});

it("has tables of small letters, whose glosses are English words", () => {
  for (const { forms, gloss } of lines.flat()) {
    for (const form of forms) expect(form).toMatch(/^[a-zäöüßéèê]+$/);
    expect(gloss, forms[0]).toMatch(/^[a-z' -]*$/);
  }
});

it("says each thing once", () => {
  for (const group of [[lines[0], lines[4]], [lines[1], lines[2], lines[3]], [lines[5]]]) {
    const seen = new Set<string>();
    for (const { forms } of group.flatMap((table) => table ?? [])) {
      expect(
        forms.some((form) => !seen.has(form)),
        forms[0],
      ).toBe(true);
      for (const form of forms) seen.add(form);
    }
  }
});

it.each([
  [
    "nouns in all cases",
    "häuser bäume gärten kindern autos nachbarn hundes",
    "house tree garden child car neighbor dog",
  ],
  ["women and small things", "lehrerin studentinnen kätzchen bäumchen", "teacher student kitten tree"],
  ["adjectives in all degrees", "schönes älteren kürzer wärmste neuem", "beautiful old short warm new"],
  ["weak verbs", "kauft kaufte gekauft arbeitest gearbeitet übt", "buy buy buy work work practice"],
  ["verbs in -eln and -ern", "wackelt sammle gewandert feiern", "wobble collect hike celebrate"],
  ["strong verbs", "ging trank getrunken schriebst gefunden", "go drink drink write find"],
  ["verbs with a prefix", "abgeholt anzurufen eingekauft vergaß besuchte", "pick up,phone call,shop buy,forget,visit"],
  ["participles before a noun", "gestrichene verschobenen kochendes", "paint,postpone,cook boil"],
  ["words made of others by an ending", "beleuchtung freundlichkeit zahler rösterei", "light friendly pay roast"],
  ["words with and without something", "schmerzfrei arbeitslos hoffnungslos", "pain free,unemployed,hopeless"],
  ["not", "unfreundlich unbequem unbezahlt unlesbar", "unfriendly,uncomfortable,unpaid,not readable"],
  ["other spellings", "strasse straße fuer schoen muell", "street road,street road,for,beautiful,trash"],
])("knows %s", (_, forms, glosses) => {
  const expected = glosses.split(glosses.includes(",") ? "," : " ");
  expect(forms.split(" ").map((form) => GERMAN_GLOSSES.glossOf(form))).toEqual(expected);
});

it.each([
  ["zahnarzttermin", "dentist appointment"],
  ["steuererklärung", "tax return"],
  ["geburtstagsgeschenk", "birthday gift"],
  ["haustürschlüssel", "front door key"],
  ["schulfest", "school festival party"],
  ["wohnungstüren", "apartment door"],
  ["gartenhausdach", "garden shed roof"],
  ["reitlehrerin", "riding teacher"],
  ["kühlschranklicht", "refrigerator light"],
  ["zwischenprüfung", "between exam"],
])("takes %s apart", (word, gloss) => {
  expect(GERMAN_GLOSSES.glossOf(word)).toBe(gloss);
});

it.each(["", "x", "qwrt", "lena", "kubernetes", "1234", "szczecin", "x".repeat(100), "und".repeat(30)])(
  "does not know %j",
  (word) => {
    expect(GERMAN_GLOSSES.glossOf(word)).toBeUndefined();
  },
);

it("gives up on words made of too many", () => {
  expect(GERMAN_GLOSSES.glossOf(`x${"haus".repeat(14)}`)).toBeUndefined();
  expect(GERMAN_GLOSSES.glossOf("haus".repeat(14))).toBeUndefined();
});

it("says nothing for words that say nothing", () => {
  expect(["der", "eine", "sich"].map((word) => GERMAN_GLOSSES.glossOf(word))).toEqual(["", "", ""]);
});
