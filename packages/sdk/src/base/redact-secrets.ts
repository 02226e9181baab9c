// Takes out of a text what looks like a key, a token or a password. Every pattern has an upper bound, so that no text is slow.

const REDACTED = "[redacted]";

/** Keys that say by their beginning whose they are. */
const TOKENS = new RegExp(
  String.raw`(?<![A-Za-z0-9_-])(?:${[
    String.raw`sk-[A-Za-z0-9_-]{16,300}`,
    String.raw`(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,200}`,
    String.raw`gh[pousr]_[A-Za-z0-9]{20,255}`,
    String.raw`github_pat_[A-Za-z0-9_]{20,255}`,
    String.raw`glpat-[A-Za-z0-9_-]{16,100}`,
    String.raw`xox[a-z]-[A-Za-z0-9-]{10,255}`,
    String.raw`xapp-[A-Za-z0-9-]{10,255}`,
    String.raw`AIza[A-Za-z0-9_-]{30,60}`,
    String.raw`ya29\.[A-Za-z0-9_-]{20,500}`,
    String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}`,
    String.raw`(?:gsk|hf|npm|dop_v1|r8|nvapi|shpat|tvly|pplx|xai|fc)[_-][A-Za-z0-9]{20,255}`,
    String.raw`SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,100}`,
    String.raw`AGE-SECRET-KEY-1[A-Z0-9]{50,70}`,
    String.raw`[0-9]{8,12}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`,
    String.raw`eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}`,
    String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}`,
  ].join("|")})`,
  "g",
);

/** `Authorization: Bearer …` and the like. */
const HEADER = /\b(Bearer|Basic)( {1,4})[A-Za-z0-9._~+/=-]{12,4000}/gi;

/** A name that says that a secret follows. */
const NAME = String.raw`(?:api[-_ ]?key|access[-_]?key|private[-_]?key|secret[-_]?key|token|secret|passw(?:or)?d|passphrase|credential)`;
/** `"password": "…"`, `api_key = '…'`, also inside of JSON text: up to the closing quote. */
const QUOTED = new RegExp(
  String.raw`(${NAME}\\?["']?(?: {0,4}[:=]{1,2} {0,4}| {1,4}))(\\?["'])(?:(?!\2)(?:\\[^\n]|[^\n\\])){4,4000}`,
  "gi",
);
/** `TOKEN=…`, `password: …` */
const PLAIN = new RegExp(String.raw`(${NAME}["']? {0,4}[:=]{1,2} {0,4})([^\s"'\\,;&<>(){}[\]]{6,1000})`, "gi");

/** `https://name:password@host` */
const URL_PASSWORD = /(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g;

const KEY_BEGINS = "-----BEGIN ";
const KEY_HEADER = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

export function redactSecrets(text: string): string {
  return redactKeyBlocks(text)
    .replace(TOKENS, REDACTED)
    .replace(HEADER, `$1$2${REDACTED}`)
    .replace(URL_PASSWORD, `$1${REDACTED}`)
    .replace(QUOTED, `$1$2${REDACTED}`)
    .replace(PLAIN, (all: string, name: string, value: string) =>
      // After a colon it may as well be a sentence: only what no word looks like is taken for a secret.
      name.endsWith("=") || looksRandom(value) ? name + REDACTED : all,
    );
}

function looksRandom(value: string): boolean {
  return value.length >= 8 && /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

/** Everything between the lines of a private key; to the end of the text when its last line is missing. */
function redactKeyBlocks(text: string): string {
  const ends = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
  let result = "";
  let done = 0;
  for (let from = text.indexOf(KEY_BEGINS); from >= 0; from = text.indexOf(KEY_BEGINS, Math.max(done, from + 1))) {
    if (!KEY_HEADER.test(text.slice(from, from + 80))) continue;
    ends.lastIndex = from;
    ends.test(text);
    result += text.slice(done, from) + REDACTED;
    // Zero after a search that found nothing.
    done = ends.lastIndex || text.length;
  }
  return result + text.slice(done);
}
