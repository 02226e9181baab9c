// Finds the words a German form may come from: endings taken off, umlauts taken back, prefixes and participles undone.

/** Of nouns and adjectives. */
const NAME_ENDINGS = ["", "e", "n", "s", "en", "er", "es", "em", "ern", "ens", "se", "sen"];
const DEGREE_ENDINGS = /(?:e?st|er)(?:e[mnrs]?)?$/;
const VERB_ENDINGS = ["", "e", "t", "st", "en", "n", "et", "est", "te", "ten", "tet", "test", "ete", "eten", "end"];
const ADJECTIVE_ENDING = /e[mnrs]?$/;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "a", ö: "o", ü: "u" };
const SHORTEST = 2;

/** The longest first. What is empty says nothing by itself. */
export const PREFIXES: readonly (readonly [prefix: string, gloss: string])[] =
  `auseinander=apart durcheinander=mixed entgegen=towards zusammen=together zwischen=between herunter=down hinunter=down
  heraus=out hinaus=out herein=in hinein=in herauf=up hinauf=up herum=around hinter=behind vorbei=past voraus=ahead
  vorher=before voran=ahead zurecht=right zurück=back weiter=on wieder=again gegen=against unter=under durch=through
  nieder=down empor=up statt= fern=far bereit=ready frei=free dabei=along kaputt=broken voll=full heim=home
  fest=firm fort=away raus=out rein=in rauf=up runter=down nach=after über=over
  wider=against teil=part haupt=main neben=side sonder=special nicht=not miss=wrong vor=before auf=up aus=out bei=by ein=in
  her=here hin=there los=off mit=along weg=away ent= emp= ver= zer=apart ab=off an=on be= er= ge= um=around un=not zu=to`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string])
    .toSorted(([one], [other]) => other.length - one.length);

/** With what the umlauts were before: "häuser" is of "haus". */
function* withoutUmlauts(stem: string): Iterable<string> {
  yield stem;
  const plain = stem.replace(/[äöü](?=[^äöü]*$)/, (letter) => UMLAUTS[letter] ?? letter);
  if (plain !== stem) yield plain;
}

/** What a noun or an adjective may be in a dictionary, the likeliest first. */
export function* namesOf(form: string): Iterable<string> {
  for (const stem of withoutEndings(form, NAME_ENDINGS)) {
    if (form === `${stem}ern` && !isPluralStem(stem)) continue;
    yield* withoutUmlauts(stem);
    yield `${stem}e`;
  }
  const degree = form.replace(DEGREE_ENDINGS, "");
  if (degree !== form && degree.length >= SHORTEST) {
    yield* withoutUmlauts(degree);
    yield `${degree}e`;
  }
  const [, woman] = /^(.{3,})in(?:nen)?$/.exec(form) ?? [];
  if (woman !== undefined) {
    yield* withoutUmlauts(woman);
    yield `${woman}e`;
  }
  const [, small] = /^(.{3,})(?:chen|lein)s?$/.exec(form) ?? [];
  if (small !== undefined) {
    for (const stem of withoutUmlauts(small)) {
      yield stem;
      yield `${stem}e`;
      yield `${stem}en`;
    }
  }
}

/** What a verb may be in a dictionary; `strong` tells the dictionary's form of forms no rule makes. */
export function* verbsOf(form: string, strong: (form: string) => string | undefined): Iterable<string> {
  const bare = form.replace(ADJECTIVE_ENDING, "");
  for (const whole of bare === form ? [form] : [form, bare]) {
    yield* plainVerbsOf(whole, strong);
    if (/^(?:ge|zu)...+/.test(whole)) yield* plainVerbsOf(whole.slice(2), strong);
  }
}

function* plainVerbsOf(form: string, strong: (form: string) => string | undefined): Iterable<string> {
  for (const stem of withoutEndings(form, VERB_ENDINGS)) {
    const known = strong(stem);
    if (known !== undefined) yield known;
    yield `${stem}en`;
    if (/[lr]$/.test(stem)) {
      yield `${stem}n`;
      yield `${stem.slice(0, -1)}e${stem.slice(-1)}n`;
    }
  }
}

/** "Kindern" and "Wäldern" are nouns, "wandern" is none: before "-ern" a vowel that can change has changed. */
function isPluralStem(stem: string): boolean {
  return !/[aou][^aeiouäöü]*$/.test(stem);
}

function* withoutEndings(form: string, endings: readonly string[]): Iterable<string> {
  for (const ending of endings) {
    if (form.endsWith(ending) && form.length - ending.length >= SHORTEST)
      yield form.slice(0, form.length - ending.length);
  }
}
