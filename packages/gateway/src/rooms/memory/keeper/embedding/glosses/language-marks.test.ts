// Texts in one language stay as near to each other as they are; those of two are a little further apart.
import { expect, it } from "vitest";
import { unbiased } from "../../index/unbiased.ts";
import { cosine } from "../model-files.test-support.ts";
import type { LanguageShares } from "./gloss-text.ts";
import { LANGUAGE_BIAS, markLanguage } from "./language-marks.ts";

const NONE: LanguageShares = { de: 0, es: 0, other: 0 };
const ONE = Float32Array.from([1, 0]);
const OTHER = Float32Array.from([0.6, 0.8]);

const score = (of: Partial<LanguageShares>, to: Partial<LanguageShares>): number =>
  unbiased(
    cosine(
      markLanguage(ONE, { text: "", shares: { ...NONE, ...of } }),
      markLanguage(OTHER, { text: "", shares: { ...NONE, ...to } }),
    ),
    { language: LANGUAGE_BIAS },
    () => 0,
  );

it.each<[string, Partial<LanguageShares>, Partial<LanguageShares>, number]>([
  ["two English ones", { other: 40 }, { other: 900 }, 0.6],
  ["two German ones", { de: 40 }, { de: 1 }, 0.6],
  ["an English and a Spanish one", { other: 40 }, { es: 40 }, 0.6 - LANGUAGE_BIAS.weight],
  ["a German and a Spanish one", { de: 40 }, { es: 40 }, 0.6 - LANGUAGE_BIAS.weight],
  ["one of two languages and one of the first", { de: 40, other: 40 }, { de: 40 }, 0.6 - LANGUAGE_BIAS.weight * 0.2929],
])("of %s the score is what it should be", (_texts, of, to, expected) => {
  expect(score(of, to)).toBeCloseTo(expected, 4);
});

it("a marked vector has the length 1, also that of nothing", () => {
  for (const shares of [NONE, { ...NONE, de: 3 }, { ...NONE, de: 3, other: 5 }]) {
    const marked = markLanguage(ONE, { text: "", shares });
    expect(cosine(marked, marked)).toBeCloseTo(1, 5);
  }
});
