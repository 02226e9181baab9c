// Tells whether a sentence has something in it that is nobody's business: it is then not remembered at all.
import { redactSecrets } from "@chela/sdk/base";

const SAYS_SECRET =
  /(?<!\p{L})(?:pass ?words?|pass ?phrase|pass ?code|passwort|passwörter|kennwort|contraseñas?|clave|pin|pin-?code|puk|tan|cvv|cvc|api[- ]?key|secret key|private key|token|seed phrase|iban|ssn|social security|kreditkarte|credit card|tarjeta de crédito|\[redacted\])(?!\p{L})/iu;
/** A key, an id, something encoded. */
const LONG_TOKEN = /[A-Za-z0-9_+/=-]{20,}/g;
const LONG_NUMBER = /\d(?:[ -]?\d){12,}/;

export function hasSecret(sentence: string): boolean {
  if (SAYS_SECRET.test(sentence) || LONG_NUMBER.test(sentence)) return true;
  for (const [token] of sentence.matchAll(LONG_TOKEN)) if (isRandom(token)) return true;
  return redactSecrets(sentence) !== sentence;
}

/** Words joined by dashes and the path of a page have few digits among their letters. */
function isRandom(token: string): boolean {
  const digits = token.replace(/\D/g, "").length;
  const changes = token.match(/[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  return changes >= 4 || (digits >= 6 && changes >= 2);
}
