// What German sentences tell about people, tastes, decisions and days.
import { aboutOthers, anyOf, compilePatterns, wordSet, type Language, type PatternRow } from "../pattern.ts";

const VERY = "{wirklich|einfach|auch|sehr|total|eigentlich|immer noch|besonders|persönlich|generell}";
const RELATION =
  "schwester|bruder|mutter|mama|vater|papa|frau|ehefrau|mann|ehemann|partner|partnerin|freundin|freund|verlobte[rn]?|tochter|sohn|tante|onkel|cousine?|nichte|neffen?|oma|opa|großmutter|großvater|kolleg(?:e|en|in)|chef|chefin|nachbarn?|nachbarin|mitbewohner(?:in)?|vermieter(?:in)?|arzt|ärztin|zahnarzt|zahnärztin|therapeut(?:in)?|anwalt|anwältin|steuerberater(?:in)?|lehrer(?:in)?|trainer(?:in)?|schwiegermutter|schwiegervater|schwägerin|schwager|hund|katze|kater|pferd";
const MINE =
  "(?:mein|unser)(?:e|em|en|er|es)? {ältere[rn]?|jüngere[rn]?|kleine[rn]?|große[rn]?|beste[rn]?|neue[rn]?|alte[rn]?|gute[rn]?}";

const RELATIVE = `${MINE}(?<subject>${RELATION})`;
/** What is denied behind the verb is told otherwise. */
const UNDENIED = "(?!lieber|am liebsten|kein|es |gar |überhaupt |absolut |[^,;.!?]*(?<!\\p{L})nicht(?!\\p{L}))";
const TRAIT =
  "(?<value>vegetarier(?:in)?|vegetarisch|veganer(?:in)?|vegan|laktoseintolerant|linkshänder(?:in)?|farbenblind|diabetiker(?:in)?)";

const ROWS: readonly PatternRow[] = [
  // The speaker
  {
    says: "(?:bitte )?nenn(?:t|en sie)? mich {bitte|einfach|lieber|doch} <Value>",
    kind: "entity",
    slot: "name",
    confidence: 0.95,
  },
  { says: "ich heiße <Value>", kind: "entity", slot: "name", confidence: 0.95 },
  { says: "mein {voller|ganzer} name ist <Value>", kind: "entity", slot: "name", confidence: 0.95 },
  {
    says: "ich (?:wohne|lebe) {jetzt|nun|noch|seit kurzem|immer noch|gerade} in <Value>",
    kind: "entity",
    slot: "home",
    confidence: 0.9,
  },
  {
    says: "ich bin {gerade|jetzt|neulich} nach <Value> (?:gezogen|umgezogen)",
    kind: "entity",
    slot: "home",
    confidence: 0.9,
  },
  { says: "ich komme {ursprünglich} aus <Value>", kind: "entity", slot: "origin", confidence: 0.8 },
  {
    says: "ich arbeite {jetzt|nun|noch|aktuell} (?:bei|für) (?:der |dem |die )?<Value>",
    kind: "entity",
    slot: "work",
    confidence: 0.9,
  },
  { says: "ich arbeite {jetzt|nun|noch|aktuell} als <value>", kind: "entity", slot: "occupation", confidence: 0.9 },
  { says: "ich bin <value> von beruf", kind: "entity", slot: "occupation", confidence: 0.9 },
  {
    says: "ich bin {stark|sehr|auch} allergisch (?:gegen|auf) <what>",
    kind: "preference",
    slot: "allergy",
    means: "allergic",
    confidence: 0.95,
  },
  {
    says: "ich bin nicht allergisch (?:gegen|auf) <what>",
    kind: "preference",
    slot: "allergy",
    means: "not allergic",
    confidence: 0.9,
  },
  {
    says: `ich bin {jetzt|strikt} ${TRAIT}`,
    kind: "preference",
    slot: "trait",
    confidence: 0.9,
  },
  {
    says: "(?:mein geburtstag ist|ich habe|ich hab) {am} <value>(?: geburtstag)",
    kind: "date",
    slot: "birthday",
    confidence: 0.9,
  },
  { says: "mein geburtstag ist {am} <value>", kind: "date", slot: "birthday", confidence: 0.9 },
  // Others
  {
    says: `${MINE}(?<value>${RELATION}),? (?:namens )?<Name>`,
    kind: "entity",
    slot: "relation",
    confidence: 0.9,
    isPresupposed: true,
    isAnywhere: true,
  },
  {
    says: `${MINE}(?<value>${RELATION}) (?:heißt|ist (?:(?:frau|herr) )?(?:dr\\.?|frau|herr)) <Name>`,
    kind: "entity",
    slot: "relation",
    confidence: 0.95,
  },
  { says: `<Name> ist ${MINE}(?<value>${RELATION})(?!\\p{L})`, kind: "entity", slot: "relation", confidence: 0.9 },
  {
    says: "(?:arbeite|arbeitet|arbeiten) (?:bei|für) (?:der |dem |die )?<Name>",
    kind: "entity",
    slot: "organisation",
    means: "organisation",
    confidence: 0.7,
    isAnywhere: true,
  },
  {
    says: "(?:fliege|fliegen|fahre|fahren|reise|reisen|reise geht|umzug|ziehe|ziehen) {morgen|übermorgen|bald|im sommer|dann} nach <Name>",
    kind: "entity",
    slot: "place",
    means: "place",
    confidence: 0.65,
    isAnywhere: true,
  },
  ...aboutOthers(
    [`(?:${MINE}(?:${RELATION}),? )?<Name>`, RELATIVE],
    [
      ["(?:wohnt|lebt) {jetzt|nun|noch|seit kurzem|immer noch|gerade} in <Value>", 0.8],
      ["arbeitet {jetzt|nun|noch|aktuell} (?:bei|für) (?:der |dem |die )?<Value>", 0.8],
      ["arbeitet {jetzt|nun|noch|aktuell} als <value>", 0.8],
      ["ist {stark|sehr|auch} allergisch (?:gegen|auf) <value>", 0.9],
      [`ist {jetzt|strikt} ${TRAIT}`, 0.85],
      ["(?:mag|isst|trinkt|verträgt) {gar|überhaupt|absolut} kein(?:e|en|em|er)? <value>", 0.75],
    ],
  ),
  // Not by name: "Fisch mag Lena nicht".
  ...aboutOthers(
    [RELATIVE],
    [
      ["mag (?<value>[^,;:.!?()]{2,80}?) {gar|überhaupt|wirklich|so|einfach} nicht(?: so)?(?: gern)?(?! nur)", 0.75],
      [`(?:mag|liebt|hasst) ${VERY}${UNDENIED}<value>`, 0.7],
    ],
  ),
  // Tastes
  {
    says: `ich (?:mag|trinke|esse|nehme|höre|lese|schreibe|nutze|benutze|arbeite|fahre|reise|hätte) {viel|immer|doch} lieber <what>`,
    kind: "preference",
    slot: "taste",
    means: "prefers",
    confidence: 0.85,
  },
  { says: `ich ${VERY}bevorzuge <what>`, kind: "preference", slot: "taste", means: "prefers", confidence: 0.9 },
  {
    says: "am liebsten (?:mag|trinke|esse|nehme|höre|lese|nutze|fahre|habe) ich <what>",
    kind: "preference",
    slot: "taste",
    means: "prefers",
    confidence: 0.9,
  },
  {
    says: "ich (?:mag|trinke|esse|nehme|höre|lese|nutze|fahre) am liebsten <what>",
    kind: "preference",
    slot: "taste",
    means: "prefers",
    confidence: 0.9,
  },
  {
    says: "(?<subject>\\p{L}+(?: \\p{L}+)?) (?:ist|sind) mir {viel} lieber",
    kind: "preference",
    slot: "taste",
    means: "prefers",
    confidence: 0.85,
  },
  {
    says: `ich mag ${VERY}(?!lieber|am liebsten)(?<subject>[^,;:.!?()]{2,80}?) {gar|überhaupt|wirklich|so|einfach} nicht(?: so)?(?: gern)?(?! nur)`,
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "ich mag {gar|überhaupt|absolut} kein(?:e|en|em|er)? <what>",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: `ich (?:mag|liebe) ${VERY}${UNDENIED}<what>`,
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.8,
  },
  {
    says: `ich (?:hasse|verabscheue) ${VERY}<what>`,
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "(?<subject>\\p{Lu}\\p{L}+(?: \\p{L}+)?) mag ich {gar|überhaupt|wirklich|einfach|leider} nicht",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "(?<subject>\\p{Lu}\\p{L}+(?: \\p{L}+)?) (?:mag|liebe) ich(?: sehr| wirklich| total)?(?=[.!,;]|$)",
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.8,
  },
  {
    says: "(?<subject>\\p{Lu}\\p{L}+(?: \\p{L}+)?) (?:hasse) ich",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "ich (?:trinke|esse|höre|lese|koche|spiele|reise|schwimme|wandere) {sehr} gern(?:e)? <what>",
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.8,
  },
  {
    says: "ich (?:kann|konnte) (?<subject>[^,;:.!?()]{2,60}?) nicht (?:ausstehen|leiden)",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "mein(?:e)? lieblings-?(?<subject>\\p{L}+) (?:ist|sind|heißt) <value>",
    kind: "preference",
    slot: "favourite",
    confidence: 0.9,
  },
  // Habits and wishes that last
  { says: "ich (?<subject>\\p{L}+e) {fast} immer <value>", kind: "preference", slot: "habit", confidence: 0.7 },
  {
    says: "ich (?:trinke|esse|nutze|benutze|arbeite|fahre|fliege|rauche|schlafe|nehme|lese|kaufe|gehe) {fast|wirklich} nie(?:mals)? <what>",
    kind: "preference",
    slot: "habit",
    means: "never",
    confidence: 0.75,
  },
  {
    says: "ich (?:trinke|esse|rauche) kein(?:e|en)? <what>",
    kind: "preference",
    slot: "habit",
    means: "never",
    confidence: 0.85,
  },
  {
    says: "ich (?:will|möchte) (?:nie|niemals|nie wieder) <what>",
    kind: "preference",
    slot: "wish",
    means: "never",
    confidence: 0.85,
  },
  { says: "ich (?:will|möchte) immer <what>", kind: "preference", slot: "wish", means: "always", confidence: 0.85 },
  {
    says: "(?:bitte )(?:antworte|schreib|schreibe|sprich|nutze|benutze|sag|nimm|verwende) (?:mir )?(?:bitte )?immer <what>",
    kind: "preference",
    slot: "wish",
    means: "always",
    confidence: 0.85,
  },
  {
    says: "(?:antworte|schreib|schreibe|sprich|nutze|benutze|sag|nimm|verwende) (?:mir )?(?:bitte )?(?<value>immer|nie|niemals) <what>",
    kind: "preference",
    slot: "wish",
    confidence: 0.85,
  },
  // Decisions
  {
    says: "(?:wir haben|ich habe?|wir hatten) {jetzt|heute|endlich|uns|gestern|mich} (?:beschlossen|entschieden|vereinbart),? (?:dass )?<what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.9,
  },
  {
    says: "(?:wir haben uns|ich habe? mich) {jetzt|heute|endlich|gestern} (?:für|gegen) <what> entschieden",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.9,
  },
  {
    says: "(?:wir haben uns|wir haben) {jetzt|heute} (?:auf) <what> geeinigt",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.9,
  },
  {
    says: "(?:ok(?:ay)? |gut |dann )*(?:lass|lasst) uns <what> nehmen",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.8,
  },
  {
    says: "(?:ok(?:ay)? |gut |dann )*wir (?:nehmen|bleiben bei) {also|jetzt|dann} <what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.75,
  },
  {
    says: "(?:ab jetzt|ab sofort|ab heute|von jetzt an|in zukunft|künftig),? <what>",
    kind: "decision",
    slot: "rule",
    means: "from now on",
    confidence: 0.85,
  },
  // Things
  {
    says: "(?:der|die|das|meine?|unsere?) (?<subject>\\p{L}+(?: \\p{L}+)?) (?:kostet|beträgt|ist|kosten|betragen|kostete|liegt bei) {etwa|rund|nur|jetzt|ungefähr|genau} <amount>",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
  },
  {
    says: "(?:zahle|zahlen|bezahle|zahlt) {etwa|rund|nur|monatlich|ungefähr} <amount> (?:für) <what>",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
    isAnywhere: true,
  },
  {
    says: "(?:habe|haben|hab) <amount> für <what> (?:bezahlt|ausgegeben|gezahlt)",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
    isAnywhere: true,
  },
];

export const GERMAN: Language = {
  id: "de",
  smallWords:
    wordSet(`aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf
    aus bei beim bin bis bist bitte da dabei dafür damit danach danke dann das dass dein deine deinem deinen deiner dem den
    denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines
    einfach er es etwas euch euer eure für gar gegen gerade gerne gern geht gibt gut guten hab habe haben hallo hast hat
    hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jetzt
    kann kannst kein keine keinem keinen keiner können könnte könntest machen mach macht mal man mehr mein meine meinem
    meinen meiner mich mir mit möchte muss müssen nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine
    seinem seinen seiner seit sich sie sind so soll sollen sollte sondern sonst über um und uns unser unsere unter viel vom
    von vor wann war waren warum was weg weil weiß welche welcher wenn wer werde werden wie wieder will wir wird wirst wo
    wollen würde zu zum zur zwar zwischen heute morgen gestern tag woche monat jahr mag lieber nie ganz klar genau dazu ab`),
  patterns: compilePatterns(ROWS),
  unasserted: anyOf(
    "wenn|falls|sofern|angenommen|stell dir vor|ob|vielleicht|würde|würdest|würden|könnte|könnten|hätte|wäre|wünschte|als ob|(?:er|sie|\\p{L}+) (?:sagt|sagte|meint|meinte|denkt|dachte|glaubt|behauptet|schrieb|schreibt|fragt|fragte)|zum beispiel|z\\. ?b",
  ),
  asks: /^(?:und |aber |also |sag mal,? )?(?:magst|mögen|hast|bist|kannst|kennst|weißt|willst|trinkst|isst|soll|sollen|wer|was|wann|wo|wie|warum|wieso|welche[rsnm]?|mag|habe|bin|ist|sind|können|könntest)\s+(?:ich|du|ihr|sie|wir|er|es|man|der|die|das|mein|meine|dein|deine)\b/iu,
  negates: anyOf("nicht|kein|keine|keinen|nie|niemals|niemand|weder|kaum"),
  clauseStarts:
    wordSet(`und aber weil denn also dass ja nein ehrlich eigentlich auch oder persönlich hey hi hallo ok okay bitte
    übrigens gut dann sondern doch naja merk dir wie gesagt jetzt heute normalerweise na klar sorry`),
  phraseEnds:
    /\s(?:weil|aber|denn|damit|obwohl|wenn|falls|bis|sondern|und (?:ich|wir|du|er|sie|mein|meine|das|es)|oder (?:ich|wir)|bitte|übrigens|auch|sehr|nicht mehr|gern|gerne|gerade|momentan|zurzeit|am meisten|über alles)(?=\s|$)/iu,
  articles:
    /^(?:der |die |das |den |dem |ein |eine |einen |einem |mein |meine |meinen |unser |unsere |es |zu |dass |wir |mit )+/iu,
  pronouns:
    /^(?:es|das|dies|diese[rsnm]?|ihn|sie|ihr|dich|euch|dir|mich|uns|ihm|ihnen|was|wie|wo|wer|alles|nichts|etwas|beide[sn]?|so|da|hier|mehr|nicht|viel|deine?[nmrs]?|dass|angst|frieden|armut|regen|schnee|hitze|ruhe)(?!\p{L})/iu,
  calendar: {
    months: [
      "jan(?:uar)?",
      "feb(?:ruar)?",
      "märz",
      "apr(?:il)?",
      "mai",
      "juni?",
      "juli?",
      "aug(?:ust)?",
      "sep(?:t(?:ember)?)?",
      "okt(?:ober)?",
      "nov(?:ember)?",
      "dez(?:ember)?",
    ],
    weekdays: ["sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "(?:samstag|sonnabend)"],
    coming: "nächsten |kommenden |diesen |am |am nächsten |am kommenden |bis |bis zum |auf |vor ",
    last: "letzten |vergangenen |am letzten ",
    written: [
      "<day>\\. ?<month>\\b\\.?(?: <year>)?",
      "(?<!\\d)<day>\\.<monthNumber>\\.<year>(?!\\d)",
      "(?:am|zum|bis|vom|ab|der|den) <day>\\.<monthNumber>\\.(?!\\d)",
    ],
    relative: [
      ["übermorgen", 2],
      ["vorgestern", -2],
      ["heute", 0],
      ["(?<!(?:guten|heute|am|jeden|gestern|diesen|einen|schönen) )(?:(?<!^)[m]orgen|(?<=^)morgen(?= \\p{Ll}))", 1],
      ["gestern", -1],
    ],
    ahead: "in <count> <unit>",
    units: "tag(?:en)?|wochen?",
    weeks: /^woche/i,
    numbers: {
      einem: 1,
      einer: 1,
      zwei: 2,
      drei: 3,
      vier: 4,
      fünf: 5,
      sechs: 6,
      sieben: 7,
      acht: 8,
      neun: 9,
      zehn: 10,
    },
    events: anyOf(
      "termin|termine|zahnarzt(?:termin)?|arzt(?:termin)?|treffen|treffe|besprechung|meeting|flug|fliege|fliegen|geburtstag|frist|abgabe|fällig|prüfung|klausur|vorstellungsgespräch|hochzeit|party|feier|abendessen|mittagessen|konzert|konferenz|reise|urlaub|anruf|besuch|besuche|besucht|zug|operation|jahrestag|beerdigung|schule|miete|umzug|ziehe|ziehen|abfahrt|ankunft|komme|kommt|präsentation|workshop|lieferung|beginnt|startet|endet|demo|veröffentlichung|hole|holen|fahre|fahren",
    ),
    past: anyOf(
      "war|waren|hatte|hatten|gewesen|ging|gingen|kam|kamen|passiert|letzten|letzte|gestern|gekauft|gekommen|gegangen|gefahren|gemacht|seit",
    ),
    moves: anyOf("verschoben|verlegt|geändert|vorgezogen"),
    withWord: "(?:mit|bei)",
  },
};
