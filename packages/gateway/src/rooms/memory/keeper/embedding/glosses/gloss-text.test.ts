// Sentences of other languages become English words, and English stays as it is.
import { expect, it } from "vitest";
import { glossText } from "./gloss-text.ts";
import { loadLanguages } from "./languages.ts";

const languages = await loadLanguages();
const gloss = (text: string): string => glossText(text, languages).text;

it.each([
  ["Wann muss das Boot gestrichen werden?", "when must boat paint be?"],
  ["Meine Schwester ist allergisch gegen Haselnüsse.", "my sister is allergic against hazelnut."],
  ["Er hat nicht geschlafen, weil kein Bett da war.", "he has not sleep, because no bed there was."],
  ["Die Bank hat die Gebühren erhöht.", "bank bench has fee increase raise."],
  ["wann kommt der installateur", "when come plumber"],
  ["Zahnarzt Termin", "dentist appointment"],
  ["Miete", "rent"],
  ["Der WLAN-Schlüssel hängt am Kühlschrank!", "wifi-key hang on refrigerator!"],
  ["## Einkaufsliste\n- Milch\n- 2 kg Kartoffeln", "## shopping list\n- milk\n- 2 kg potato"],
])("turns %j", (text, expected) => {
  expect(gloss(text)).toBe(expected);
});

it.each([
  ["a verb and its prefix at the end", "Ich rufe dich morgen an.", "i phone call you tomorrow."],
  ["what has its other half at the end", "Die Bücherei hat montags zu.", "library be closed mondays."],
  ["a word that only looks like a prefix", "Wir fahren um 8.", "we drive go at 8."],
  ["the same verb without", "Ich rufe dich.", "i call you."],
  ["a noun by its capital", "Sie fürchtet Spinnen.", "she fear spider."],
  ["the verb that is written alike", "Sie spinnen Wolle.", "she spin wool."],
  ["a name behind a title", "Der Brief von Frau Schuster.", "letter of woman wife Schuster."],
])("tells %s", (_, text, expected) => {
  expect(gloss(text)).toBe(expected);
});

it.each([
  "When does my passport expire?",
  "He will die in the war, so put a hat on the man.",
  "The rot was in the wand; what a gift!",
  "I was also in bad art class as a kind of hell.",
  "Brief notes: the tag on the boot is red.",
  "gift ideas",
  "boot size",
  "rate limits",
  "winter tires",
  "sandbox login fallback",
  "Bauer invoice",
  "We ate at the Gasthaus zur Linde with Opa and his friends.",
  "Wolfgang Müller, phone 0170 1234567",
  "",
  "   \n\t\n",
  "12.5 × 3 = 37.5",
  "日本語のメモ",
  "Je ne sais pas où est la clé de la maison.",
  "Het huis is niet van mijn moeder.",
])("leaves %j as it is", (text) => {
  expect(gloss(text)).toBe(text);
});

it("turns only the sentences that need it", () => {
  expect(gloss("The plumber comes on Monday. Der Schlüssel liegt im Keller. Call him first.")).toBe(
    "The plumber comes on Monday. key lie in basement. Call him first.",
  );
});

it("leaves code, addresses and names of files alone", () => {
  expect(
    gloss("Der Befehl `der hund` steht in notizen/hund.md und unter https://hund.example/katze bei der_hund."),
  ).toBe("command `der hund` stand in notizen/hund.md and under https://hund.example/katze at der_hund.");
  const fenced = "```\nder hund und die katze\n```";
  expect(gloss(fenced)).toBe(fenced);
  expect(gloss(`${fenced}\nDer Hund schläft.`)).toBe(`${fenced}\ndog sleep.`);
});

it("keeps names and numbers as they are written", () => {
  expect(gloss("Tobias schuldet Jana 150 Euro seit 2024.")).toBe("Tobias owe Jana 150 euro since 2024.");
});
