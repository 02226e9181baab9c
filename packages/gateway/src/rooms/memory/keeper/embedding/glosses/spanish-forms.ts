// From a Spanish form to the words a dictionary may have it under. Says more than is true: only what a table knows counts.

export interface Candidate {
  /** Without accents, as the tables are asked. */
  readonly lemma: string;
  /** The table it must be in; a word in "-a" is rather an adjective or a verb than another noun. */
  readonly as: "verb" | "adjective" | "any";
}

/** Likeliest first. The word has small letters and no accents but the tilde. */
export function* formsOf(word: string): Generator<Candidate> {
  yield* verbs(irregularFormsOf(word));
  yield* nominalForms(word);
  yield* verbs(irregularStemsOf(word));
  yield* verbs(verbFormsOf(word));
  yield* otherGender(word);
  yield* derivedForms(word);
  yield* verbs(withoutPronouns(word));
  yield* nounsOfVerbs(word);
}

function* verbs(lemmas: Iterable<string>): Generator<Candidate> {
  for (const lemma of lemmas) yield { lemma, as: "verb" };
}

function* anyOf(lemmas: Iterable<string>): Generator<Candidate> {
  for (const lemma of lemmas) yield { lemma, as: "any" };
}

// Nouns and adjectives

function* nominalForms(word: string): Generator<Candidate> {
  yield* anyOf(singularsOf(word).slice(1));
  for (const singular of singularsOf(word)) {
    if (singular.endsWith("a")) yield { lemma: `${singular.slice(0, -1)}o`, as: "adjective" };
  }
}

/** The word itself, and what it may be the plural of. */
function singularsOf(word: string): string[] {
  const singulars = [word];
  if (word.length > 3 && word.endsWith("s")) singulars.push(word.slice(0, -1));
  if (word.length > 4 && word.endsWith("es")) singulars.push(word.slice(0, -2));
  if (word.length > 4 && word.endsWith("ces")) singulars.push(`${word.slice(0, -3)}z`);
  return singulars;
}

const FEMININE_ENDINGS: ReadonlyArray<readonly [ending: string, ...masculine: string[]]> = [
  ["triz", "tor", "dor"],
  ["isa", "a"],
  ["esa", "es", "e"],
  ["ora", "or"],
  ["ona", "on"],
  ["ana", "an"],
  ["ina", "in"],
  ["ola", "ol"],
  ["uza", "uz"],
  ["era", "er"],
];

function* masculinesOf(word: string): Generator<string> {
  for (const [ending, ...masculine] of FEMININE_ENDINGS)
    if (word.length > ending.length + 1 && word.endsWith(ending))
      for (const other of masculine) yield word.slice(0, -ending.length) + other;
}

/** "enfermera" where the table has "enfermero", and the other way round. */
function* otherGender(word: string): Generator<Candidate> {
  for (const singular of singularsOf(word)) {
    if (singular.length < 4) continue;
    yield* anyOf(masculinesOf(singular));
    if (singular.endsWith("a")) yield { lemma: `${singular.slice(0, -1)}o`, as: "any" };
    if (singular.endsWith("o")) yield { lemma: `${singular.slice(0, -1)}a`, as: "any" };
  }
}

const SUPERLATIVE = /^(.{2,})isim[oa]s?$/;
const DIMINUTIVE = /^(.{3,}?)(e?c)?(?:it|ill)[oa]s?$/;
const AUGMENTATIVE = /^(.{3,})(?:on|ona|ones|onas|az[oa]s?|ot[ea]s?|uch[oa]s?)$/;

function* derivedForms(word: string): Generator<Candidate> {
  if (word.length > 7 && word.endsWith("mente")) {
    const base = word.slice(0, -5);
    yield* anyOf([base]);
    yield* nominalForms(base);
    yield* verbs(verbFormsOf(base));
  }
  for (const pattern of [SUPERLATIVE, DIMINUTIVE, AUGMENTATIVE]) {
    const [, stem, link] = pattern.exec(word) ?? [];
    if (stem !== undefined) yield* anyOf(wholeWordsOf(stem, endingsOf(word, link)));
  }
}

/** Words in "-o" and "-a" need no link before "-ito": "casita", but "florecita" and "cafecito". */
function endingsOf(word: string, link: string | undefined): readonly string[] {
  if (link !== undefined) return ["", "e", "o", "a"];
  return /as?$/.test(word) ? ["a", "o", "e", ""] : ["o", "a", "e", ""];
}

/** "poqu" is of "poco", "amig" of "amigo", "luc" of "luz". */
function* wholeWordsOf(stem: string, endings: readonly string[]): Generator<string> {
  for (const spelling of [...spellingsBeforeE(stem), stem]) for (const ending of endings) yield spelling + ending;
  if (stem.endsWith("bil")) yield `${stem.slice(0, -2)}le`;
}

// What a verb's doing is called, when the noun is in no table

const NOUN_ENDINGS: ReadonlyArray<readonly [ending: RegExp, ...verb: string[]]> = [
  [/aci(?:on|ones)$/, "ar"],
  [/ici(?:on|ones)$/, "ir", "er"],
  [/amientos?$/, "ar"],
  [/imientos?$/, "er", "ir"],
  [/ador(?:a|es|as)?$/, "ar"],
  [/edor(?:a|es|as)?$/, "er"],
  [/idor(?:a|es|as)?$/, "ir"],
  [/ables?$/, "ar"],
  [/ibles?$/, "er", "ir"],
];

function* nounsOfVerbs(word: string): Generator<Candidate> {
  for (const [ending, ...infinitives] of NOUN_ENDINGS) {
    const stem = word.replace(ending, "");
    if (stem !== word && stem.length > 2) yield* verbs(infinitives.map((infinitive) => stem + infinitive));
  }
}

// Verbs

/** Past, future and present of irregular verbs, and their participles: they hold for compounds too ("mantuvo", "propuesto"). */
const IRREGULAR_STEMS: ReadonlyArray<readonly [stems: RegExp, infinitives: Readonly<Record<string, string>>]> = [
  [
    /(estuv|tuv|anduv|pud|pus|sup|cup|quis|hi[cz]|fi[cz]|vin|dij|traj|duj|hub)(?:e|iste|o|imos|isteis|(?:i|(?<=j))(?:eron|era(?:s|mos|is|n)?|ese(?:s|mos|is|n)?))$/,
    {
      estuv: "estar",
      tuv: "tener",
      anduv: "andar",
      pud: "poder",
      pus: "poner",
      sup: "saber",
      cup: "caber",
      quis: "querer",
      hic: "hacer",
      hiz: "hacer",
      fic: "facer",
      fiz: "facer",
      vin: "venir",
      dij: "decir",
      traj: "traer",
      duj: "ducir",
      hub: "haber",
    },
  ],
  [
    /(tendr|pondr|vendr|saldr|valdr|podr|habr|sabr|cabr|querr|har|dir)(?:e|as?|emos|eis|an|ia(?:s|mos|is|n)?)$/,
    {
      tendr: "tener",
      pondr: "poner",
      vendr: "venir",
      saldr: "salir",
      valdr: "valer",
      podr: "poder",
      habr: "haber",
      sabr: "saber",
      cabr: "caber",
      querr: "querer",
      har: "hacer",
      dir: "decir",
    },
  ],
  [
    /(teng|pong|veng|salg|valg|hag|dig|traig|caig|oig|sep|quep)(?:o|a(?:s|mos|is|n)?)$/,
    {
      teng: "tener",
      pong: "poner",
      veng: "venir",
      salg: "salir",
      valg: "valer",
      hag: "hacer",
      dig: "decir",
      traig: "traer",
      caig: "caer",
      oig: "oir",
      sep: "saber",
      quep: "caber",
    },
  ],
  [
    /(fech|hech|bendit|dich|puest|provist|vist|scrit|abiert|cubiert|rot|muert|vuelt|suelt|frit|impres)[oa]s?$/,
    {
      fech: "facer",
      hech: "hacer",
      bendit: "bendecir",
      dich: "decir",
      puest: "poner",
      provist: "proveer",
      vist: "ver",
      scrit: "scribir",
      abiert: "abrir",
      cubiert: "cubrir",
      rot: "romper",
      muert: "morir",
      vuelt: "volver",
      suelt: "solver",
      frit: "freir",
      impres: "imprimir",
    },
  ],
];

/** Forms no rule gives, each between spaces. */
const IRREGULAR_FORMS: ReadonlyArray<readonly [infinitive: string, forms: string]> = [
  [
    "ser",
    " soy eres es somos sois son era eras eramos erais eran fui fuiste fue fuimos fuisteis fueron fuera fueras fueramos fuerais fueran fuese fueses fuesen sea seas seamos seais sean sere seras sera seremos seran seria serias seriamos serian sido siendo sos ",
  ],
  ["estar", " estoy estas esta estamos estais estan este estes estemos esten estando estado "],
  [
    "ir",
    " voy vas va vamos vais van iba ibas ibamos ibais iban vaya vayas vayamos vayan yendo ido ire iras ira iremos ireis iran iria irias iriamos irian vamo vete id ",
  ],
  ["haber", " he has ha hemos habeis han hay haya hayas hayamos hayais hayan "],
  ["decir", " di decimos "],
  [
    "ver",
    " veo ves ve vemos veis ven vi viste vio vimos visteis vieron veia veias veiamos veian vea veas veamos vean viendo viera vieran ",
  ],
  ["prever", " preve preveo preven preveia "],
  [
    "dar",
    " doy das da damos dais dan di diste dio dimos disteis dieron de des demos den diera dieras dieran diese dando dado dada dados dadas daba dabas dabamos daban dare daras dara daremos daran daria darias darian ",
  ],
  ["saber", " se sabia sabias sabiamos sabian "],
  ["tener", " ten "],
  ["poner", " pon "],
  ["hacer", " haz "],
  ["venir", " ven "],
  ["salir", " sal sales "],
  ["mantener", " manten "],
  ["poder", " puedo pueda puedas puedan podamos "],
  ["creer", " creo cree crees creen creemos crei creyo "],
  ["sentir", " siento siente sientes sienten "],
  ["oir", " oigo oyes oye oyen oimos oi oiste oyo oyeron oyendo oia oian "],
  ["oler", " huelo hueles huele huelen huela "],
  ["errar", " yerro yerra "],
  ["reir", " rie ries rien rio rieron riendo "],
  ["huir", " huyo huye huyen hui huyeron "],
  ["jugar", " juego juegas juega juegan juegue juegues "],
  ["vender", " vendo "],
  ["parar", " pare pares paren "],
];

const LONGEST_IRREGULAR_FORM = 9;

function* irregularFormsOf(word: string): Generator<string> {
  if (word.length > LONGEST_IRREGULAR_FORM) return;
  const form = ` ${word} `;
  for (const [infinitive, forms] of IRREGULAR_FORMS) if (forms.includes(form)) yield infinitive;
}

function* irregularStemsOf(word: string): Generator<string> {
  for (const [stems, infinitives] of IRREGULAR_STEMS) {
    const found = stems.exec(word);
    if (found) yield word.slice(0, found.index) + infinitives[found[1] ?? ""];
  }
}

const ENDINGS = {
  ar: /^(?:o|a(?:s|mos|is|n)?|e(?:s|mos|is|n)?|aste(?:is)?|aron|aba(?:s|mos|is|n)?|are(?:s|mos|is)?|ara(?:s|mos|is|n)?|aria(?:s|mos|is|n)?|ase(?:s|mos|is|n)?|a[rd]|ando|ad[oa]s?)$/,
  er: /^(?:o|e(?:s|mos|is|n)?|a(?:s|mos|is|n)?|i|iste(?:is)?|io|imos|i?eron|ia(?:s|mos|is|n)?|ere(?:mos|is)?|era(?:s|mos|is|n)?|eria(?:s|mos|is|n)?|iera(?:s|mos|is|n)?|i?ese(?:s|mos|is|n)?|e[rd]|i?endo|id[oa]s?)$/,
  ir: /^(?:o|es?|en|is?|a(?:s|mos|is|n)?|iste(?:is)?|io|imos|i?eron|ia(?:s|mos|is|n)?|ire(?:mos|is)?|ira(?:s|n)?|iria(?:s|mos|is|n)?|i?era(?:s|mos|is|n)?|i?ese(?:s|mos|is|n)?|i[rd]|i?endo|id[oa]s?)$/,
} as const;
const LONGEST_ENDING = 7;
/** What is so comes before what may be: "vende" is of "vender", "venda" of "vendar". */
const INDICATIVE_WITH_E = ["er", "ir", "ar"] as const;
const INDICATIVE_WITH_A = ["ar", "er", "ir"] as const;

function* verbFormsOf(word: string): Generator<string> {
  for (let length = Math.min(LONGEST_ENDING, word.length - 2); length > 0; length--) {
    const ending = word.slice(-length);
    const stem = word.slice(0, -length);
    for (const kind of ending.startsWith("e") ? INDICATIVE_WITH_E : INDICATIVE_WITH_A)
      if (ENDINGS[kind].test(ending)) for (const root of rootsOf(stem, kind, ending)) yield root + kind;
  }
}

/** The stem as the infinitive has it: first as it is spelled, then with the vowel that changes under stress. */
function* rootsOf(stem: string, kind: "ar" | "er" | "ir", ending: string): Generator<string> {
  const isBeforeE = /^[ei]/.test(ending);
  const spellings = kind === "ar" ? (isBeforeE ? spellingsBeforeE(stem) : [stem]) : spellingsBeforeA(stem, isBeforeE);
  yield* spellings;
  for (const spelling of spellings) yield* unstressed(spelling, kind === "ir" ? STRESSED_WITH_I : STRESSED);
}

/** "busqu", "llegu" and "empec" are "busc", "lleg" and "empez" before a, o and u. */
function spellingsBeforeE(stem: string): string[] {
  if (stem.endsWith("qu")) return [`${stem.slice(0, -2)}c`];
  if (stem.endsWith("gu")) return [stem.slice(0, -1), stem];
  if (stem.endsWith("c")) return [`${stem.slice(0, -1)}z`];
  return [stem];
}

/** "conozc", "venz", "coj", "sig" and "cay" are "conoc", "venc", "cog", "sigu" and "ca" before e and i. */
function spellingsBeforeA(stem: string, isBeforeE: boolean): string[] {
  if (stem.endsWith("y")) return [stem.slice(0, -1), stem];
  if (isBeforeE) return [stem];
  if (stem.endsWith("zc")) return [`${stem.slice(0, -2)}c`];
  if (stem.endsWith("z")) return [`${stem.slice(0, -1)}c`];
  if (stem.endsWith("j")) return [`${stem.slice(0, -1)}g`, stem];
  if (stem.endsWith("g")) return [`${stem}u`];
  return stem.endsWith("c") ? [] : [stem];
}

type Change = readonly [stressed: string, ...plain: string[]];
const STRESSED: readonly Change[] = [
  ["ie", "e", "i"],
  ["ue", "o", "u"],
];
const STRESSED_WITH_I: readonly Change[] = [...STRESSED, ["i", "e"], ["u", "o"]];

function* unstressed(stem: string, changes: readonly Change[]): Generator<string> {
  for (const [stressed, ...plain] of changes) {
    const at = stem.lastIndexOf(stressed);
    if (at >= 0) for (const vowel of plain) yield stem.slice(0, at) + vowel + stem.slice(at + stressed.length);
  }
}

// Pronouns at the end of infinitives, gerunds and commands: "dármelo", "siéntate"

const PRONOUN = /^(.{2,}?)(me|te|se|nos|os)?(lo|la|los|las|le|les|me|te|se|nos|os)$/;

function* withoutPronouns(word: string): Generator<string> {
  const [, verb, first, second] = PRONOUN.exec(word) ?? [];
  if (verb === undefined || second === undefined) return;
  if (first !== undefined) yield* bareVerbs(verb, first);
  yield* bareVerbs(verb + (first ?? ""), second);
}

/** A command with "te" speaks of the one it is said to, like every verb with "se": "vete", "siéntate". */
function* bareVerbs(verb: string, pronoun: string): Generator<string> {
  const isCommand = !/(?:[aei]r|ndo)$/.test(verb);
  const infinitives = verb.endsWith("r")
    ? [verb]
    : [...irregularFormsOf(verb), ...irregularStemsOf(verb), ...verbFormsOf(verb), ...verbFormsOf(`${verb}s`)];
  for (const infinitive of infinitives) {
    if (pronoun === "se" || (pronoun === "te" && isCommand)) yield `${infinitive}se`;
    yield infinitive;
  }
}
