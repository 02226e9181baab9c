// The words every text of a language is full of, by which it is told without a table of its words.

/** Also those German and Spanish have: "die", "war", "he", "once". */
const ENGLISH = `a about after again all also always am an and any anybody anything are around as at away back be because
  been before behind being below best better between both but by call can come could day did die do does doing done down
  during each every few find first for from get give go going good got had has hat have having he hello her here hers him
  his home how i if in into is it its just keep know last later least less let like little long look made make man many may
  me meet more most much must my need needs never new next no nobody not nothing now of off often old on once one only or
  other our out over own please put really same say see she should since sin so some son somebody something soon still such
  take tell than thanks that the their them then there these they thing things think this those though through time to
  today together tomorrow too two under until up us use very want wants war was way we well went were what when where which
  while who whom whose why will with within without would yes yesterday yet you your yours don doesn didn isn aren wasn
  won ll ve re`;

const GERMAN = `aber alle allem allen aller alles als am an andere anderen auch auf aus außer bei beim bin bis bist bitte
  da dabei dadurch dafür dagegen daher damit danach dann daran darauf daraus darin darüber darum das dass davon dazu dein
  deine deinem deinen deiner dem den denn der deren des deshalb dessen dich die dies diese diesem diesen dieser dieses dir
  doch dort du durch ein eine einem einen einer eines einmal er erst es etwas euch euer eure für gegen gern gerne gibt
  haben habe hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem
  jeden jeder jedes jemand jetzt kann kannst kein keine keinem keinen keiner können könnte man mehr mein meine meinem
  meinen meiner mich mir mit möchte muss müssen nach neben nicht nichts nie niemand noch nun nur ob oder ohne schon sehr
  sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sondern sonst über um und uns unser unsere
  unserem unseren unserer unter viel viele vom von vor wann war waren warum was weil welche welchem welchen welcher
  welches wem wen wenn wer werde werden wie wieder will wir wird wirst wo wofür woher wohin womit worauf worüber wurde
  wurden würde zu zum zur zwischen`;

const SPANISH = `al algo alguien antes aquí así aunque bien cada como cómo con cuál cuáles cuando cuándo cuánta cuánto
  cuántos de del desde después donde dónde dos el él ella ellas ellos en entre era es esa ese eso está están esta este
  esto fue fueron gracias ha hace hacer han hasta hay hemos hola hoy la las le les lo los más me mi mis mucho muy nada
  nadie ni no nos nosotros nuestra nuestro nunca o otra otro para pero poco por porque puede pues que qué quién quien se
  ser si sí siempre sin sobre son soy su sus también tan tanto te tiene tienen tengo toda todas todo todos tu tus un una
  unas uno unos usted va voy y ya yo`;

/** Of languages nobody translates here; theirs are not taken for one of ours. */
const OTHERS = `avec ce ces cette chez dans elle est et il ils je les leur mais ne nous où pas pour qui sont sur une
  vous che della delle di gli il nel per sono dat deze een het hij ik je maar met mijn naar niet ook van voor wij zijn
  och att det är som inte jag på med ikke og jeg til hvor não uma você são em os as do da nie jest się na`;

export const ENGLISH_SMALL_WORDS: ReadonlySet<string> = setOf(ENGLISH);
export const GERMAN_SMALL_WORDS: ReadonlySet<string> = setOf(GERMAN);
export const SPANISH_SMALL_WORDS: ReadonlySet<string> = setOf(SPANISH);
const FOREIGN = new Set([...GERMAN_SMALL_WORDS, ...SPANISH_SMALL_WORDS]);
const OTHER_SMALL_WORDS = new Set([...setOf(OTHERS)].filter((word) => !FOREIGN.has(word)));
const FOREIGN_LETTERS = /[äöüßñ¿¡áéíóú]/i;

/** Whether a word is one that tells English, or a language nobody translates here. */
export function isSmallElsewhere(word: string): boolean {
  return ENGLISH_SMALL_WORDS.has(word) || OTHER_SMALL_WORDS.has(word);
}

/**
 * Whether the tables are needed to tell. They are not for a text with English small words and no sign of another
 * language; they are for a few words without any, "Zahnarzt Termin" say.
 */
export function mayBeForeign(text: string): boolean {
  if (FOREIGN_LETTERS.test(text)) return true;
  let isEnglish = false;
  let hasWords = false;
  for (const [run] of text.matchAll(/[a-z]{2,}/gi)) {
    const word = run.toLowerCase();
    const isForeign = FOREIGN.has(word);
    const isHere = ENGLISH_SMALL_WORDS.has(word);
    if (isForeign && !isHere) return true;
    isEnglish ||= isHere && !isForeign;
    hasWords = true;
  }
  return hasWords && !isEnglish;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
