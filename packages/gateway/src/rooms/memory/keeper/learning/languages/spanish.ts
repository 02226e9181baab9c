// What Spanish sentences tell about people, tastes, decisions and days.
import { aboutOthers, anyOf, compilePatterns, wordSet, type Language, type PatternRow } from "../pattern.ts";

const RELATION =
  "hermana|hermano|madre|mamá|padre|papá|esposa|esposo|mujer|marido|pareja|novia|novio|prometid[ao]|hija|hijo|tía|tío|prima|primo|sobrina|sobrino|abuela|abuelo|amiga|amigo|compañer[ao]|colega|jef[ae]|vecin[ao]|casero|casera|médic[ao]|doctora?|dentista|terapeuta|abogad[ao]|contable|profesora?|entrenadora?|suegr[ao]|cuñad[ao]|perr[ao]|gat[ao]|caballo";
const KIND = "(?: (?:mayor|menor|pequeñ[ao]|gemel[ao]|nuev[ao]))?";
const BEST = "{mejor|nuev[ao]|antigu[ao]|buen[ao]?}";

const OUR = `(?:mi|nuestr[ao]) ${BEST}`;
const TRAIT =
  "(?<value>vegetarian[ao]|vegan[ao]|celíac[ao]|intolerante a la lactosa|zurd[ao]|daltónic[ao]|diabétic[ao])";

const ROWS: readonly PatternRow[] = [
  // The speaker
  {
    says: "(?:por favor,? )?(?:llámame|llamame|puedes llamarme|llámeme) <Value>",
    kind: "entity",
    slot: "name",
    confidence: 0.95,
  },
  { says: "me llamo <Value>", kind: "entity", slot: "name", confidence: 0.95 },
  { says: "mi nombre {completo} es <Value>", kind: "entity", slot: "name", confidence: 0.95 },
  {
    says: "(?:yo )?{ahora|todavía|actualmente} vivo {ahora|actualmente} en <Value>",
    kind: "entity",
    slot: "home",
    confidence: 0.9,
  },
  { says: "me (?:mudé|he mudado|acabo de mudar) a <Value>", kind: "entity", slot: "home", confidence: 0.9 },
  { says: "(?:yo )?soy de <Value>", kind: "entity", slot: "origin", confidence: 0.8 },
  { says: "(?:yo )?{ahora} trabajo {ahora} (?:en|para) <Value>", kind: "entity", slot: "work", confidence: 0.85 },
  { says: "(?:yo )?{ahora} trabajo {ahora} (?:como|de) <value>", kind: "entity", slot: "occupation", confidence: 0.9 },
  {
    says: "(?:yo )?soy {muy} alérgic[ao] (?:al |a )<what>",
    kind: "preference",
    slot: "allergy",
    means: "allergic",
    confidence: 0.95,
  },
  {
    says: "(?:yo )?no soy alérgic[ao] (?:al |a )<what>",
    kind: "preference",
    slot: "allergy",
    means: "not allergic",
    confidence: 0.9,
  },
  {
    says: `(?:yo )?soy ${TRAIT}`,
    kind: "preference",
    slot: "trait",
    confidence: 0.9,
  },
  { says: "(?:mi cumpleaños es|cumplo años) {el} <value>", kind: "date", slot: "birthday", confidence: 0.9 },
  // Others
  {
    says: `${OUR}(?<value>${RELATION})${KIND},? (?:llamad[ao] )?<Name>`,
    kind: "entity",
    slot: "relation",
    confidence: 0.9,
    isPresupposed: true,
    isAnywhere: true,
  },
  {
    says: `${OUR}(?<value>${RELATION})${KIND} (?:se llama|es (?:el |la )?(?:doctora?|dra?\\.?|señora?|sra?\\.?)) <Name>`,
    kind: "entity",
    slot: "relation",
    confidence: 0.95,
  },
  { says: `<Name> es ${OUR}(?<value>${RELATION})(?!\\p{L})`, kind: "entity", slot: "relation", confidence: 0.9 },
  {
    says: "(?:trabaja|trabajan|trabajamos) (?:en|para) <Name>",
    kind: "entity",
    slot: "organisation",
    means: "organisation",
    confidence: 0.7,
    isAnywhere: true,
  },
  {
    says: "(?:vuelo|volamos|viajo|viajamos|viaje|voy|vamos|ir) a <Name>",
    kind: "entity",
    slot: "place",
    means: "place",
    confidence: 0.65,
    isAnywhere: true,
  },
  ...aboutOthers(
    [`(?:${OUR}(?:${RELATION})${KIND},? )?<Name>`, `${OUR}(?<subject>${RELATION})${KIND}`],
    [
      ["vive {ahora|todavía|actualmente} en <Value>", 0.8],
      ["trabaja {ahora} (?:en|para) <Value>", 0.8],
      ["trabaja {ahora} (?:como|de) <value>", 0.8],
      ["es {muy} alérgic[ao] (?:al |a )<value>", 0.9],
      [`es ${TRAIT}`, 0.85],
      ["(?:odia|detesta|adora|prefiere|no soporta|no come|no bebe) <value>", 0.7],
    ],
  ),
  ...aboutOthers(
    [`a (?:${OUR}(?:${RELATION})${KIND},? )?<Name>`, `a ${OUR}(?<subject>${RELATION})${KIND}`],
    [["(?:no )?le (?:gustan?|encantan?) {mucho|nada|más} <value>", 0.75]],
  ),
  // Tastes
  {
    says: "(?:yo )?{siempre|normalmente|en general} prefiero {mucho más} <what>",
    kind: "preference",
    slot: "taste",
    means: "prefers",
    confidence: 0.9,
  },
  {
    says: "(?:a mí )?no me (?:gustan?|encantan?) {nada|mucho|demasiado} <what>",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "(?:a mí )?(?:me (?:gustan?|encantan?|fascinan?)) {mucho|muchísimo|más} <what>",
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.8,
  },
  {
    says: "(?:yo )?(?:odio|detesto|no soporto|no aguanto) <what>",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "(?:(?:el|la|los|las) )(?<subject>\\p{L}+(?: \\p{L}+)?) no me gustan?",
    kind: "preference",
    slot: "taste",
    means: "dislikes",
    confidence: 0.85,
  },
  {
    says: "(?:(?:el|la|los|las) )(?<subject>\\p{L}+(?: \\p{L}+)?) me (?:gustan?|encantan?)(?= mucho| muchísimo|[.!,;]|$)",
    kind: "preference",
    slot: "taste",
    means: "likes",
    confidence: 0.8,
  },
  {
    says: "mis? (?<subject>\\p{L}+(?: \\p{L}+)?) (?:favorit|preferid)[ao]s? (?:es|son) <value>",
    kind: "preference",
    slot: "favourite",
    confidence: 0.9,
  },
  // Habits and wishes that last
  {
    says: "(?:yo )?siempre (?<subject>(?!como siempre)\\p{L}+o(?: [^,;:.!?()]{2,80})?)",
    kind: "preference",
    slot: "habit",
    means: "always",
    confidence: 0.75,
  },
  {
    says: "(?:yo )?nunca (?<subject>(?!lo |he )\\p{L}+o(?: [^,;:.!?()]{2,80})?)",
    kind: "preference",
    slot: "habit",
    means: "never",
    confidence: 0.75,
  },
  {
    says: "(?:por favor,? )?(?<value>siempre|nunca) (?:me )?(?<subject>(?:respondas|contestes|escribas|uses|utilices|hables|responde|contesta|escribe|usa|habla|quiero)(?: [^,;:.!?()]{2,80}))",
    kind: "preference",
    slot: "wish",
    confidence: 0.85,
  },
  {
    says: "(?:por favor,? )?(?:respóndeme|responde|contéstame|contesta|escríbeme|escribe|usa|háblame|habla) (?<value>siempre|nunca) <what>",
    kind: "preference",
    slot: "wish",
    confidence: 0.85,
  },
  {
    says: "no quiero {volver a} (?<subject>[^,;:.!?()]{2,60}) nunca más",
    kind: "preference",
    slot: "wish",
    means: "never",
    confidence: 0.85,
  },
  // Decisions
  {
    says: "(?:ya )?(?:hemos|he) {finalmente|ya} (?:decidido|acordado|elegido|optado por) (?:que )?<what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.9,
  },
  {
    says: "(?:al final |finalmente |ayer )?(?:decidimos|decidí|acordamos|elegimos) (?:que )?<what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.85,
  },
  {
    says: "nos (?:quedamos|decidimos) (?:con|por) <what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.85,
  },
  {
    says: "(?:vale |ok |bueno |entonces |pues )*vamos (?:con|a usar) <what>",
    kind: "decision",
    slot: "decision",
    means: "decided",
    confidence: 0.75,
  },
  {
    says: "(?:a partir de ahora|de ahora en adelante|desde ahora|a partir de hoy|en adelante),? <what>",
    kind: "decision",
    slot: "rule",
    means: "from now on",
    confidence: 0.85,
  },
  // Things
  {
    says: "(?:el|la|los|las|mi|nuestr[ao]) (?<subject>\\p{L}+(?: \\p{L}+)?) (?:cuestan?|costó|es de|son|vale|valen|sube a) {unos|solo|casi|exactamente} <amount>",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
  },
  {
    says: "(?:pago|pagamos|pagué|gasté|gastamos|pagado) {unos|solo|casi} <amount> (?:por|en|de) <what>",
    kind: "entity",
    slot: "amount",
    confidence: 0.8,
    isAnywhere: true,
  },
];

export const SPANISH: Language = {
  id: "es",
  smallWords:
    wordSet(`a ahora al algo alguien algún alguna algunas alguno algunos allí ante antes aquí así aún aunque bien
    bueno cada casi claro como cómo con cosa cosas creo cual cuál cuando cuándo cuanto cuánto de del desde después día días
    donde dónde dos durante e el él ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta está
    están estaba estas este esto estos estoy fue fueron gracias ha haber había hace hacer hacia han has hasta hay he hemos
    hola hoy la las le les lo los más mañana me mi mí mientras mis mucho muy nada ni no nos nosotros nuestra nuestras
    nuestro nuestros nunca o os otra otras otro otros para pero poco por porque por qué puede puedes puedo pues que qué
    quién quien quiero se sé sea ser si sí siempre sin sobre sois solo sólo somos son soy su sus también tan tanto te tengo
    tenemos tener tiene tienen ti todo toda todos todas tu tú tus un una unas uno unos usted va vale vamos vas ver vez voy
    y ya yo ayer semana mes año favor gusta prefiero`),
  patterns: compilePatterns(ROWS),
  unasserted: anyOf(
    "si|ojalá|quizás?|tal vez|supongamos|supón|imagina|imaginemos|como si|en caso de|a lo mejor|podría|(?:él|ella|\\p{L}+) (?:dice|dijo|piensa|pensaba|cree|creía|afirma|escribió|preguntó|pregunta)|por ejemplo",
  ),
  asks: /^(?:y |pero |oye,? )?(?:te gusta|te gustan|os gusta|prefieres|qué|quién|cuándo|dónde|cómo|cuál|cuánto|por qué|puedes|podrías|sabes|tienes|eres|vives)(?![\p{L}])/iu,
  negates: anyOf("no|nunca|jamás|tampoco|nadie|ningún|ninguna"),
  clauseStarts: wordSet(`y pero porque pues que sí honestamente también o personalmente oye hola vale ok bueno entonces
    por favor recuerda además aunque ya ahora mira verdad normalmente sabes dije`),
  phraseEnds:
    /\s(?:porque|pero|para que|aunque|cuando|si|hasta que|ya que|sino|y (?:yo|nosotros|tú|él|ella|mi|no|me)|por favor|también|además|ahora mismo|últimamente|en este momento|más que nada)(?=\s|$)/iu,
  articles: /^(?:el |la |los |las |un |una |unos |unas |mi |mis |nuestro |nuestra |que |a |al |usar )+/iu,
  pronouns:
    /^(?:eso|esto|es[ae]s?|est[aeo]s?|él|ella|ellos|ellas|lo|todo|nada|algo|más|mucho|así|como|que|qué|cómo|a ti|tus?|ti|(?:la|el) (?:idea|forma|manera|primer[ao]?|segund[ao]|otr[ao]))(?!\p{L})/iu,
  calendar: {
    months: [
      "enero",
      "febrero",
      "marzo",
      "abril",
      "mayo",
      "junio",
      "julio",
      "agosto",
      "sep?tiembre",
      "octubre",
      "noviembre",
      "diciembre",
    ],
    weekdays: ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
    coming: "el próximo |este |el |para el |hasta el |al |próximo |antes del ",
    last: "el pasado |el último ",
    written: [
      "<day>(?:º|er)? de <month>(?: (?:de|del) <year>)?(?!\\p{L})",
      "(?<!\\d)<day>\\/<monthNumber>\\/<year>(?!\\d)",
      "el <day>\\/<monthNumber>(?![\\d\\/])",
    ],
    relative: [
      ["pasado mañana", 2],
      ["anteayer", -2],
      ["hoy", 0],
      ["(?<!(?:la|esta|cada|una|pasado|buena|toda la|media) )mañana(?! por ahora)", 1],
      ["ayer", -1],
    ],
    ahead: "(?:en|dentro de) <count> <unit>",
    units: "días?|semanas?",
    weeks: /^semana/i,
    numbers: { un: 1, una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8, nueve: 9, diez: 10 },
    events: anyOf(
      "cita|citas|dentista|médico|doctora?|reunión|reuniones|vuelo|vuelos|volamos|cumpleaños|plazo|fecha límite|entrega|vence|examen|entrevista|boda|fiesta|cena|comida|concierto|conferencia|viaje|vacaciones|lanzamiento|llamada|visita|tren|operación|aniversario|funeral|colegio|alquiler|mudanza|salimos|salgo|llega|llego|llegan|presentación|taller|empieza|termina|quedamos|viajo|viajamos|recoger",
    ),
    past: anyOf(
      "fue|fui|fuimos|era|tuve|tuvimos|tuvo|estuvo|estuve|estaba|pasó|último|ayer|compré|llegó|vino|hizo|desde",
    ),
    moves: anyOf("movid[ao]|aplazad[ao]|cambiad[ao]|pospuest[ao]|adelantad[ao]|movieron|aplazaron|cambiaron"),
    withWord: "con",
  },
};
