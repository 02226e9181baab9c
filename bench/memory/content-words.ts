// Tells which words of a text carry its meaning, so that a question can be proven to share none with its note.

export type LanguageCode = "en" | "de" | "es";

const FUNCTION_WORDS: Readonly<Record<LanguageCode, string>> = {
  en: `a about after again all am an and any anything are as at back be because been before being between both but by can
    could did do does doing done down during each else every everything few for from get gets getting go goes going had
    has have having he her here hers him his how i if in into is it its just let made make makes may me more most much
    must my need needs never no nobody none nor not nothing now of off on once one only or other otherwise our out over
    own per put s same shall she should so some somebody someone something stay still such t than that the their them
    then there these they this those through to too two under until up us very was way we were what when where which
    while who whose why will with within without would you your`,
  de: `ab aber alle alles als also am an auf aus bei beim bin bis bist da damit dann das dass dem den der des die dies
    dir doch du durch ein eine einem einen einer eines er es für gegen hab habe haben hat hier hin ich ihm ihn ihr im in
    ins ist ja kann kein keine keinen können lang laut man mein meine meinem meinen meiner mich mir mit muss müssen nach
    nicht nichts noch nur ob oder ohne sich sie sind so soll sonst tun über um und uns unser von vor war was weg wem wen
    wenn wer werden wie wird wo womit warum wann welche welches welcher worüber viel zu zum zur zwei`,
  es: `a al algo ante antes así aunque cada como con cosa cuando cuándo cuánto cuya cuál da dan de debe debo del desde
    donde dónde dos e el ella ellos en entre era es esa ese eso está están este estoy fue hace hacemos han hasta hay la
    las le les lo los más me mi mientras mis muy más ni no nos o otra para pero por porque puede puedo que qué quien quién
    quiere se sea según ser si sí sin sobre solo son su sus tan te tiene tiene toca toda todas todo todos tras tu un una
    unas uno unos va y ya yo`,
};

const ENDINGS: Readonly<Record<LanguageCode, readonly string[]>> = {
  en: [
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "est",
    "ed",
    "er",
    "es",
    "ly",
    "e",
    "s",
    "y",
  ],
  de: ["ungen", "ung", "ern", "em", "en", "er", "es", "st", "te", "e", "n", "s", "t"],
  es: [
    "aciones",
    "ación",
    "iendo",
    "ando",
    "adas",
    "ados",
    "ada",
    "ado",
    "amos",
    "emos",
    "ar",
    "er",
    "ir",
    "as",
    "es",
    "os",
    "a",
    "e",
    "o",
    "s",
  ],
};
const SHORTEST_STEM = 3;
const LONG_ENOUGH_TO_BEGIN_ALIKE = 5;

/** Words of `question` that are in `note` too, whatever their form. */
export function sharedContentWords(question: string, note: string, language: LanguageCode): string[] {
  const there = contentWords(note, language).map((word) => stem(word, language));
  return contentWords(question, language).filter((word) => {
    const here = stem(word, language);
    return there.some((other) => other === here || beginAlike(other, here));
  });
}

function contentWords(text: string, language: LanguageCode): string[] {
  const ignored = new Set(FUNCTION_WORDS[language].split(/\s+/).map(fold));
  return [...fold(text).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word).filter((word) => !ignored.has(word));
}

function stem(word: string, language: LanguageCode): string {
  const ending = ENDINGS[language].map(fold).find((one) => word.endsWith(one));
  return ending && word.length - ending.length >= SHORTEST_STEM ? word.slice(0, -ending.length) : word;
}

/** "Schlüssel" and "Schlüsselbund": a compound shares its beginning. */
function beginAlike(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < LONG_ENOUGH_TO_BEGIN_ALIKE) return false;
  return one.startsWith(other) || other.startsWith(one);
}

function fold(text: string): string {
  return text.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "");
}
