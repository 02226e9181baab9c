// The data behind the figures of memory search is what it claims to be.
import { describe, expect, it } from "vitest";
import { sharedContentWords } from "../../../../bench/memory/content-words.ts";
import { makeDistractors } from "../../../../bench/memory/distractors.ts";
import { readLife } from "../../../../bench/memory/life.ts";
import { CATEGORIES, LANGUAGES, readHeldOut, readPairs, readUnseen } from "../../../../bench/memory/pairs.ts";

const pairs = readPairs();
const unseen = readUnseen();
const heldOut = readHeldOut();
const asked = [...pairs, ...unseen, ...heldOut];
const distractors = makeDistractors().map(({ text }) => text);

describe("the questions and notes of an assistant's life", () => {
  it("are at least 240, at least 25 in each language, with every category in each of them", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(240);
    for (const language of LANGUAGES) {
      const own = pairs.filter((pair) => pair.language === language);
      expect(own.length).toBeGreaterThanOrEqual(25);
      expect(new Set(own.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
    }
  });

  it.each([
    ["en", 60],
    ["de", 40],
    ["es", 40],
  ] as const)("have unseen ones beside them, in %s at least %i, all in other words", (language, least) => {
    const own = unseen.filter((pair) => pair.language === language);
    expect(own.length).toBeGreaterThanOrEqual(least);
    expect(new Set(own.map(({ category }) => category))).toEqual(new Set(["paraphrase"]));
  });

  it("have held-out ones in other words, all under headings, some of which say what they are about", () => {
    expect(heldOut.length).toBeGreaterThanOrEqual(40);
    expect(new Set(heldOut.map(({ category }) => category))).toEqual(new Set(["paraphrase"]));
    expect(heldOut.filter(({ heading }) => heading === undefined)).toEqual([]);
    expect(new Set(heldOut.map(({ heading }) => heading)).size).toBeGreaterThan(20);
  });

  it("have ids, questions and texts of their own", () => {
    for (const field of ["id", "question", "note", "nearMiss"] as const) {
      expect(new Set(asked.map((pair) => pair[field])).size, field).toBe(asked.length);
    }
    const notes = readLife(Number.POSITIVE_INFINITY).notes.map(({ text }) => text);
    expect(new Set(notes).size).toBe(notes.length);
  });

  it("share no word that means something when the note says it in other words", () => {
    const sharing = asked
      .filter(({ category }) => category === "paraphrase")
      .map(({ id, question, note, language }) => ({ id, shared: sharedContentWords(question, note, language) }))
      .filter(({ shared }) => shared.length > 0);
    expect(sharing).toEqual([]);
  });

  it("share a word when they are about key words", () => {
    const lost = pairs.filter(
      ({ category, question, note, language }) =>
        category === "keyword" && sharedContentWords(question, note, language).length === 0,
    );
    expect(lost).toEqual([]);
  });
});

describe("words that mean something", () => {
  it.each([
    ["en", "When do we paint the walls?", "Painting of a wall is done in May", ["paint", "walls"]],
    ["en", "What do I do with the keys?", "What I do with it", []],
    ["de", "Wo ist der Schlüssel?", "Der Schlüsselbund hängt am Haken", ["schlussel"]],
    ["es", "¿Dónde están las llaves?", "La llave está en la mesa", ["llaves"]],
  ] as const)("of one text in %s are found in another in any form: %s", (language, question, note, shared) => {
    expect(sharedContentWords(question, note, language)).toEqual(shared);
  });
});

describe("the notes that answer nothing", () => {
  it("are more than 2,000 different ones with every slot filled", () => {
    expect(distractors.length).toBeGreaterThanOrEqual(2_000);
    expect(new Set(distractors).size).toBe(distractors.length);
    expect(distractors.filter((note) => /[{}@]|undefined/.test(note))).toEqual([]);
  });

  it("are the same ones every time, and others for another seed", () => {
    expect(makeDistractors().map(({ text }) => text)).toEqual(distractors);
    expect(makeDistractors(1).map(({ text }) => text)).not.toEqual(distractors);
  });
});
