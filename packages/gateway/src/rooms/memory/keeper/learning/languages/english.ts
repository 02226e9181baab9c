// What English sentences tell about people, tastes, decisions and days.
import { aboutOthers, anyOf, compilePatterns, wordSet, type Language, type PatternRow } from "../pattern.ts";

const VERY = "{really|just|also|usually|generally|still|do|actually|personally|absolutely|always|much}";
const RELATION =
  "sister|brother|mother|mom|mum|father|dad|wife|husband|partner|girlfriend|boyfriend|fiancée?|daughter|son|aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|friend|best friend|colleague|coworker|co-worker|boss|manager|neighbou?r|roommate|flatmate|landlord|landlady|doctor|dentist|therapist|lawyer|accountant|teacher|coach|mother-in-law|father-in-law|sister-in-law|brother-in-law|dog|cat|horse";
const OLD = "{older|younger|little|big|elder|eldest|youngest|late|new|old|twin|good|close}";
const OUR = `(?:my|our) ${OLD}`;
const TRAIT =
  "(?<value>vegetarian|vegan|pescatarian|lactose intolerant|left-handed|colou?r-?blind|coeliac|celiac|diabetic)";
/** After "I never": told once, not a habit. */
const ONCE =
  "said|knew|thought|got|had|was|saw|heard|received|did|went|told|asked|meant|expected|mind|been|know|understood|understand|came|felt|made|took|wrote|found|gave|met|left|seem|think|remember|could|would|should|will|want|got|am|have|can";
const ANYTHING = String.raw`(?!(?:${ONCE})\b|\p{L}+ed\b)`;

/** What an agent is asked for. */
const IMPERATIVE =
  "(?:answer|reply|respond|use|write|speak|talk|send|ask|check|remind|keep|tell|show|give|include|add|start|make|put|say|address|translate|summari[sz]e|round|format|book|order|run|commit|test|read|wake|schedule|share|mention|quote|sign|do|be|delete|remove|touch|change|push|interrupt|disturb|post|buy|spend|suggest|recommend|apologi[sz]e|assume|contact|email|call|text|open|close)\\b";

const ROWS: readonly PatternRow[] = [
  // The speaker
  { says: "(?:please |just |you can |everyone )*calls? me <Value>", kind: "entity", slot: "name", confidence: 0.95 },
  { says: "my {first|full|real|last} name(?: is|'s) <Value>", kind: "entity", slot: "name", confidence: 0.95 },
  { says: "i(?:'m| am) called <Value>", kind: "entity", slot: "name", confidence: 0.85 },
  { says: "i {now|still|currently} live in <Value>", kind: "entity", slot: "home", confidence: 0.9 },
  { says: "i(?:'ve| have)? (?:just )?moved to <Value>", kind: "entity", slot: "home", confidence: 0.85 },
  { says: "i(?:'m| am) {originally} from <Value>", kind: "entity", slot: "origin", confidence: 0.8 },
  { says: "i {now|still|currently} work (?:at|for) <Value>", kind: "entity", slot: "work", confidence: 0.9 },
  { says: "i {now|still|currently} work as an? <value>", kind: "entity", slot: "occupation", confidence: 0.9 },
  { says: "my {new} job is <value>", kind: "entity", slot: "occupation", confidence: 0.6 },
  {
    says: "i(?:'m| am) {severely|highly|very|also} allergic to <what>",
    kind: "preference",
    slot: "allergy",
    means: "allergic",
    confidence: 0.95,
  },
  {
    says: "i(?:'m| am) not allergic to <what>",
    kind: "preference",
    slot: "allergy",
    means: "not allergic",
    confidence: 0.9,
  },
  {
    says: `i(?:'m| am) {a|strictly|now} ${TRAIT}`,
    kind: "preference",
    slot: "trait",
    confidence: 0.9,
  },
  { says: "my birthday is (?:on )?<value>", kind: "date", slot: "birthday", confidence: 0.9 },
  // Others
  {
    says: `${OUR}(?<value>${RELATION}),? (?:called |named )?<Name>`,
    kind: "entity",
    slot: "relation",
    confidence: 0.9,
    isPresupposed: true,
    isAnywhere: true,
  },
  {
    says: `${OUR}(?<value>${RELATION})(?:'s name is| is called| is named|(?:'s| is) (?:dr|mr|mrs|ms|prof)\\.?) <Name>`,
    kind: "entity",
    slot: "relation",
    confidence: 0.95,
  },
  { says: `<Name> is ${OUR}(?<value>${RELATION})(?![\\p{L}'])`, kind: "entity", slot: "relation", confidence: 0.9 },
  {
    says: "(?:i|we|they|she|he) (?:work|works|worked) (?:at|for) <Name>",
    kind: "entity",
    slot: "organisation",
    means: "organisation",
    confidence: 0.7,
  },
  {
    says: "(?:fly|flying|travel|travell?ing|trip|drive|driving|moving|move|going) to <Name>",
    kind: "entity",
    slot: "place",
    means: "place",
    confidence: 0.65,
    isAnywhere: true,
  },
  ...aboutOthers(
    [`(?:${OUR}(?:${RELATION}),? )?<Name>`, `${OUR}(?<subject>${RELATION})`],
    [
      ["{now|still|currently} lives in <Value>", 0.8],
      ["{now|still|currently} works (?:at|for) <Value>", 0.8],
      ["{now|still|currently} works as an? <value>", 0.8],
      ["is {severely|highly|very|also} allergic to <value>", 0.9],
      [`is {a|strictly|now} ${TRAIT}`, 0.85],
      ["{really|just|also} (?:likes|loves|adores|enjoys|prefers|hates|dislikes|detests|can't stand) <value>", 0.7],
      ["(?:doesn't|does not|never) {really|much} (?:like|enjoy|eat|eats|drink|drinks) <value>", 0.75],
    ],
  ),
  // Tastes
  { says: `i ${VERY}prefer <what>`, kind: "preference", slot: "taste", means: "prefers", confidence: 0.9 },
  {
    says: `i ${VERY}(?:like|love|enjoy|adore) <what>`,
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.8,
  },
  {
    says: `i(?:'m| am) (?:a (?:big|huge) fan of|very fond of|fond of) <what>`,
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.85,
  },
  {
    says: `i ${VERY}(?:hate|dislike|detest|loathe|can't stand|cannot stand|can't bear) <what>`,
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "i {really|still|just|also} (?:don't|do not|never|no longer) {really|particularly|much} (?:like|love|enjoy) <what>",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "i {really|still} (?:don't|do not) (?:hate|mind|dislike) <what>",
    kind: "preference",
    slot: "taste",
    means: "does not mind",
    confidence: 0.6,
  },
  {
    says: "i(?:'m| am) not (?:a (?:big |huge )?fan of|fond of|into) <what>",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.8,
  },
  {
    says: "my {absolute|all-time} favou?rite (?<subject>\\p{L}+(?: \\p{L}+)?)(?: is|'s| are) <value>",
    kind: "preference",
    slot: "favourite",
    confidence: 0.9,
  },
  // Habits and wishes that last
  { says: `i always ${ANYTHING}<what>`, kind: "preference", slot: "habit", means: "always", confidence: 0.75 },
  { says: `i never ${ANYTHING}<what>`, kind: "preference", slot: "habit", means: "never", confidence: 0.75 },
  {
    says: "i (?:never|don't ever|do not ever) want <what>",
    kind: "preference",
    slot: "wish",
    means: "never",
    confidence: 0.85,
  },
  { says: "i always want <what>", kind: "preference", slot: "wish", means: "always", confidence: 0.85 },
  {
    says: `(?:please )?always (?=${IMPERATIVE})<what>`,
    kind: "preference",
    slot: "wish",
    means: "always",
    confidence: 0.8,
  },
  {
    says: `(?:please )?never (?=${IMPERATIVE})<what>`,
    kind: "preference",
    slot: "wish",
    means: "never",
    confidence: 0.8,
  },
  { says: "please (?:don't|do not) ever <what>", kind: "preference", slot: "wish", means: "never", confidence: 0.85 },
  // Decisions
  {
    says: "(?:we|i)(?:'ve| have)? {finally|just|now|all|already} (?:decided|agreed) (?:to |on |that |against )?<what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.9,
  },
  {
    says: "(?:we|i)(?:'ve| have)? {finally|just|now} (?:settled on|opted for|chosen|chose|committed to) <what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.85,
  },
  {
    says: "(?:ok(?:ay)? |alright |then )*let's (?:go with|stick with|stick to|settle on) <what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.8,
  },
  {
    says: "(?:the|our|my) decision (?:is|was) (?:to |that )?<what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.85,
  },
  {
    says: "(?:from now on|from today on|going forward|as of now|as of today),? <what>",
    kind: "decision",
    slot: "rule",
    means: "from now on",
    confidence: 0.85,
  },
  // Things
  {
    says: "(?:the|my|our) (?<subject>\\p{L}+(?: \\p{L}+)?) (?:costs?|is|was|are|comes to|went up to) {about|around|only|now|exactly} <amount>",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
  },
  {
    says: "(?:pay|paid|spent|spend|owe|owes) {about|around|only|him|her|them} <amount> (?:for|on) <what>",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
    isAnywhere: true,
  },
];

export const ENGLISH: Language = {
  id: "en",
  smallWords: wordSet(`a about above after again all also always am an and any are aren't as at be because been before
    being below between both but by can can't could couldn't did didn't do does doesn't doing don't down during each few for
    from further get gets getting go goes going good got had has have haven't having he her here hers him his how i i'd i'll
    i'm i've if in into is isn't it its it's just know let let's like make me more most much my need no nor not now of off
    ok okay on once one only or other our out over own please really right same see she should so some still such take tell
    than thank thanks that that's the their them then there these they thing things think this those through to too two
    under until up us very want was way we we'll we're well were what what's when where which while who whom why will with
    won't would yeah yes you your yours you're hi hello hey sure new time today tomorrow yesterday never ever something
    anything maybe back first last next day week month year don didn doesn isn ll ve re im ich`),
  patterns: compilePatterns(ROWS),
  unasserted: anyOf(
    "if|unless|suppose|supposing|imagine|pretend|assuming|assume|whether|wish|maybe|perhaps|might|would|could|in case|(?:he|she|they|you|who|someone|somebody|\\p{L}+) (?:said|says|thinks|thought|claims|claimed|wrote|asked|asks|believes|assumed)|as though|supposed to|for example|e\\.g|lyrics|quote",
  ),
  asks: /^(?:so |and |but |ok |hey )?(?:do|does|did|are|is|am|was|were|can|could|would|will|should|shall|have|has|what|which|who|whose|where|when|why|how)\s+(?:i|you|we|they|he|she|it|my|your|the|a|anyone|anybody|there|is|are|do|does|did|if|about|many|much)\b/iu,
  negates: anyOf(
    "not|no|never|nobody|none|neither|don't|doesn't|didn't|isn't|wasn't|aren't|won't|wouldn't|can't|cannot|no longer|hardly|used to",
  ),
  clauseStarts:
    wordSet(`and but because so that well yes yeah no honestly actually also since though although or personally
    hey hi btw ok okay please remember note know think guess you then plus anyway sorry fyi while as basically hello thanks
    sure now today generally but normally usually again`),
  phraseEnds:
    /(?<!^it)\s(?:because|but|so that|so|although|though|when|whenever|if|unless|until|since|while|which|who|and (?:i|we|you|he|she|they|my|it|that)|or (?:i|we)|as (?:i|we|it|you)|please|anyway|too|as well|right now|at the moment|these days|a lot|very much|more than anything|by the way)(?=\s|$)/iu,
  articles: /^(?:to |that |the |a |an |my |our |your |some |any |using |having |it when |when |about )+/iu,
  pronouns:
    /^(?:it(?! when)|that|this|these|those|them|him|her|you|your|yours|me|us|one|what|how|where|who|there|everything|anything|something|nothing|all|to be|so|being|both|more|most|mine|his|its|the (?:idea|way|sound|look|one|fact|thing|second|first|other|latter|former)|ones)(?!\p{L})/iu,
  calendar: {
    months: [
      "jan(?:uary)?",
      "feb(?:ruary)?",
      "mar(?:ch)?",
      "apr(?:il)?",
      "may",
      "june?",
      "july?",
      "aug(?:ust)?",
      "sep(?:t(?:ember)?)?",
      "oct(?:ober)?",
      "nov(?:ember)?",
      "dec(?:ember)?",
    ],
    weekdays: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
    coming: "to |to next |next |this |on |this coming |by |until |for |before ",
    last: "last |this past ",
    written: [
      "<month>\\.? <day>(?:st|nd|rd|th)?(?:,? <year>)?(?![\\p{L}\\d:])",
      "<day>(?:st|nd|rd|th)? (?:of )?<month>\\b\\.?(?:,? <year>)?",
    ],
    relative: [
      ["(?:the )?day after tomorrow", 2],
      ["(?:the )?day before yesterday", -2],
      ["tomorrow", 1],
      ["yesterday", -1],
      ["today", 0],
      ["tonight", 0],
    ],
    ahead: "in <count> <unit>",
    units: "days?|weeks?",
    weeks: /^week/i,
    numbers: { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
    events: anyOf(
      "appointments?|meetings?|dentist|doctor|flights?|fly|flying|birthday|deadline|due|exam|interview|wedding|party|dinner|lunch|concert|conference|trip|holidays?|vacation|launch|release|demo|review|(?<=(?:a|the|our|my|video|phone|conference) )call|visit|visiting|train|checkup|surgery|anniversary|funeral|school|rent|moving|move|leave|leaving|arrive|arriving|arrives|pick up|meet|presentation|workshop|standup|delivery|starts?|ends?|closes?|opens?",
    ),
    past: anyOf(
      "was|were|had|went|came|did|got|happened|ago|last|yesterday|took|met|called|bought|sent|finished|started|since",
    ),
    moves: anyOf("moved|rescheduled|postponed|pushed|shifted|changed"),
    withWord: "with",
  },
};
