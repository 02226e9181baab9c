// Ids as parts of session keys: readable, in lower case, and never one spelling for two ids.

/** Words that give keys their structure. An id that is one of them must not be taken for structure. */
const WORDS: ReadonlySet<string> = new Set(
  "agent main global unknown direct dm group channel thread topic cron run subagent hook acp".split(" "),
);
const NOBODY = "unknown";

/** Keys are shown in prompts, logs and shells, so that only letters, digits and harmless signs stand for themselves. */
const HARMLESS = /^[\p{L}\p{M}\p{N}\-_.!$&*+,;=@#]$/u;
/** How an id ends that had capital letters, or is the name of somebody else: which letters are capitals, as bits. */
const CAPITALS = /~([0-9a-f]+)$/;
const ESCAPES = /%u[0-9a-f]{4}|(?:%[0-9a-f]{2})+/g;

export interface PartStyle {
  /** Some platforms have ids such as `!room:server`, which stay readable where nothing else can follow them. */
  readonly keepsColons: boolean;
  /** Spellings that mean somebody else. */
  readonly taken?: ReadonlySet<string>;
}

/**
 * Capital letters are noted behind the id (`!AbC:hs` → `!abc:hs~5`). An id that has no small letters is only written
 * small: platforms that use such ids use no others, and OpenClaw writes the same key.
 */
export function writeId(id: string, style: PartStyle): string {
  if (id === "") return NOBODY;
  const text = writeWords(writeCharacters(id, style.keepsColons));
  const capitals = capitalsOf(id);
  if (capitals !== "") return `${text}~${capitals}`;
  return style.taken?.has(text) ? `${text}~0` : text;
}

/** What operators name themselves (channels, accounts, people) has no capital letters that matter. */
export function writeName(name: string): string {
  return writeId(name.trim().toLowerCase(), { keepsColons: false });
}

/** The id again, as far as the key tells. */
export function readId(written: string): string {
  if (written === NOBODY) return "";
  const capitals = CAPITALS.exec(written);
  const text = written.replace(CAPITALS, "").replace(ESCAPES, readEscapes);
  return capitals?.[1] ? withCapitals(text, BigInt(`0x${capitals[1]}`)) : text;
}

function writeCharacters(id: string, keepsColons: boolean): string {
  let text = "";
  let last = "";
  for (const character of id) {
    const small = /^[A-Z]$/.test(character) ? character.toLowerCase() : character;
    const isKept = small === ":" ? keepsColons && last !== "" && last !== ":" : isHarmless(small, last);
    text += isKept ? small : escapeCharacter(small);
    last = character;
  }
  return text.endsWith(":") ? `${text.slice(0, -1)}${escapeCharacter(":")}` : text;
}

/** Two dots in a row look like a way out of a directory. */
function isHarmless(character: string, last: string): boolean {
  if (character === "." && last === ".") return false;
  return HARMLESS.test(character) && character === character.toLowerCase();
}

function writeWords(text: string): string {
  return text
    .split(":")
    .map((part) => (WORDS.has(part) ? escapeCharacter(part.charAt(0)) + part.slice(1) : part))
    .join(":");
}

function escapeCharacter(character: string): string {
  if (/\p{Surrogate}/u.test(character)) return `%u${character.charCodeAt(0).toString(16)}`;
  return [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function readEscapes(escapes: string): string {
  if (escapes.startsWith("%u")) return String.fromCharCode(Number.parseInt(escapes.slice(2), 16));
  const bytes = escapes.slice(1).split("%");
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

/** One bit for each letter, the first letter lowest; "" when all are of one case. */
function capitalsOf(id: string): string {
  const letters = id.match(/[A-Za-z]/g) ?? [];
  const bits = letters.map((letter) => (letter <= "Z" ? "1" : "0")).reverse();
  return bits.includes("1") && bits.includes("0") ? BigInt(`0b${bits.join("")}`).toString(16) : "";
}

function withCapitals(text: string, bits: bigint): string {
  let rest = bits;
  return text.replace(/[a-z]/g, (letter) => {
    const isCapital = (rest & 1n) === 1n;
    rest >>= 1n;
    return isCapital ? letter.toUpperCase() : letter;
  });
}
