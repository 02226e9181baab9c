// Completeness of all languages: what English says, the others say, too; and what one lacks is English.
import { describe, expect, it, test } from "vitest";
import { PAGE_TITLES, PAGES } from "../pages/index.ts";
import { LANGUAGES, preferredLanguage, Words, type Section } from "./index.ts";

interface Texts {
  readonly default: Readonly<Record<string, unknown>>;
  readonly titles?: Readonly<Record<string, string>>;
}

const files = import.meta.glob<Texts>(["./*/*.ts", "!./*/language.ts", "./*/pages/*.ts", "../pages/*/words.ts"], {
  eager: true,
});

/** The sections of a language by their names; those of pages are in English beside the page. */
function sectionsOf(language: string): Map<string, Texts["default"]> {
  const own =
    language === "en"
      ? /^\.\/en\/(\w+)\.ts$|^\.\.\/pages\/(\w+)\/words\.ts$/
      : new RegExp(`^\\./${language}/(?:pages/)?(\\w+)\\.ts$`);
  const found = Object.entries(files).flatMap(([path, { default: words }]) => {
    const match = own.exec(path);
    return match ? [[match[1] ?? match[2] ?? "", words] as const] : [];
  });
  return new Map(found);
}

const english = sectionsOf("en");
const others = [...LANGUAGES.keys()].filter((language) => language !== "en");

it("has the sections of every page, and some that pages share", () => {
  expect(others).toEqual(expect.arrayContaining(["de", "es", "zh"]));
  expect([...english.keys()]).toEqual(expect.arrayContaining(["app", "approval", ...PAGES.map(({ id }) => id)]));
});

describe.each(others)("%s", (language) => {
  const sections = sectionsOf(language);

  it("has every section, and no other", () => {
    expect([...sections.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each([...english])("says everything in the section %s", (section, texts) => {
    const shape = (words: Texts["default"]) =>
      Object.entries(words)
        .map(([name, text]) => [name, typeof text])
        .sort();
    expect(shape(sections.get(section) ?? {})).toEqual(shape(texts));
  });

  it("has a name for every page, and for no other", () => {
    const titles = files[`./${language}/app.ts`]?.titles ?? {};
    expect(Object.keys(titles).sort()).toEqual(PAGES.map(({ id }) => id as string).sort());
  });
});

test("a page is called what its language calls it once the frame's words are there", async () => {
  const words = new Words("de", PAGE_TITLES);
  expect(words.pageTitle("devices")).toBe("Devices");
  await words.load("app");
  expect(words.pageTitle("devices")).toBe("Geräte");
});

test("what a language does not have is English", async () => {
  const words = new Words("xx", PAGE_TITLES);
  const sections: Section[] = ["app", "devices"];
  await words.load(...sections);
  for (const section of sections) expect(words.of(section)).toBe(english.get(section));
  expect(words.pageTitle("devices")).toBe("Devices");
});

test.each([
  [["fr", "de-AT", "en"], "de"],
  [["zh-Hans-CN"], "zh"],
  [["den", "es"], "es"],
  [["constructor", "toString"], "en"],
  [[], "en"],
])("of the wishes %j it takes %s", (wishes, language) => {
  expect(preferredLanguage(wishes)).toBe(language);
});

test("numbers are written as in the language", () => {
  expect(new Words("de").number(1234.5)).toBe("1.234,5");
  expect(new Words("zh").number(1234.5)).toBe("1,234.5");
});
