// The languages of notes are told from some of them, and their words are found in other forms.
import { describe, expect, it } from "vitest";
import { keepScenes } from "../index/index.test-support.ts";
import { detectLanguage } from "./detect-language.ts";

const { open } = keepScenes();

const GERMAN = [
  "Der Zahnarzt hat am Freitag um zehn Uhr Zeit, vorher bitte nichts essen und nicht rauchen.",
  "Die Rechnungen der Versicherung liegen im blauen Ordner neben dem Schreibtisch im Arbeitszimmer.",
  "Im Keller der Häuser am Markt darf man keine Fahrräder abstellen, hat der Vermieter gesagt.",
  "Wir treffen uns jeden zweiten Mittwoch mit den Nachbarn und spielen bis spät in die Nacht Karten.",
];
const ENGLISH = [
  "The dentist has time on Friday at ten, nothing to eat before that and no coffee either.",
  "All bills of the insurance are in the blue folder beside the desk in the study.",
];

describe("the language of a text", () => {
  it.each([
    [GERMAN[0], "de"],
    [ENGLISH[0], "en"],
    ["Las llaves de repuesto están en el cajón de la cocina, detrás de los cubiertos de madera.", "es"],
    ["Les factures de l'assurance sont dans le classeur bleu à côté du bureau, sous la fenêtre.", "fr"],
    ["鍵は台所の引き出しの中にあります。窓の鍵は棚の上に置いてあります。", "ja"],
    ["Wifi 2719", undefined],
    ["", undefined],
  ])("%s", (text, language) => {
    expect(detectLanguage(text ?? "")).toBe(language);
  });
});

describe("notes in German", () => {
  const notes = (texts: readonly string[]) =>
    Object.fromEntries(texts.map((text, at) => [`memory/${at}.md`, `${text}\n`]));

  it("are found by other forms of their words", async () => {
    const scene = open();
    scene.write(notes(GERMAN));
    await scene.index.sync(false);
    expect(await scene.find("Rechnung")).toEqual(["memory/1.md"]);
    expect(await scene.find("das Haus")).toEqual(["memory/2.md"]);
    expect(await scene.find("mein Nachbar", { maxResults: 1 })).toEqual(["memory/3.md"]);
  });

  it("tell which languages there are, and whether the model reads them", async () => {
    const scene = open();
    scene.write(notes([...GERMAN, ...ENGLISH]));
    await scene.index.sync(false);
    const languages = await scene.index.languages();
    expect(languages.map(({ language }) => language)).toEqual(["de", "en"]);
    expect(languages[0]?.share).toBeGreaterThan(0.5);
  });

  it("do not blur what is asked in English", async () => {
    const scene = open();
    scene.write(notes([...GERMAN, "Hausaufgaben are what the children call their homework, also in English."]));
    await scene.index.sync(false);
    expect(await scene.find("where is the hauser?")).toEqual(["memory/2.md"]);
    expect((await scene.find("hauser")).toSorted()).toEqual(["memory/2.md", "memory/4.md"]);
  });

  it("do not change how English notes are found", async () => {
    const scene = open();
    scene.write(notes([...ENGLISH, "Anna has a billiard table in the garage, nobody plays."]));
    await scene.index.sync(false);
    expect(await scene.find("bill")).toEqual([]);
    expect(await scene.find("bills")).toEqual(["memory/1.md"]);
  });
});
