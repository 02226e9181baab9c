// Judges how hard a credential is to guess. Only what was found out is kept, never the credential.
import type { SecretStrength } from "@chela/sdk";

/** What twelve random letters and digits have is too little; sixteen are enough. */
const NEEDED_BITS = 60;

const USUAL = new Set(
  (
    "password passwort passwd pass secret geheim token key apikey changeme changeit default admin administrator root user " +
    "guest test testing demo example sample openclaw clawdbot moltbot chela gateway letmein welcome qwerty qwertz asdf " +
    "abc iloveyou monkey dragon master login hello secrettoken gatewaytoken authtoken mytoken mysecret mypassword supersecret " +
    "placeholder none null undefined todo xxx"
  ).split(" "),
);
const PLACEHOLDER = /^(?:<.*>|\[.*\]|\{.*\}|(?:your|my|insert|replace|change|enter|put|paste)[-_ ].*|.*[-_ ]here)$/i;

export function judgeSecret(secret: string): SecretStrength {
  const isGuessable = isUsual(secret) || PLACEHOLDER.test(secret) || isRun(secret);
  return { length: secret.length, isGuessable, isShort: !isGuessable && bitsOf(secret) < NEEDED_BITS };
}

/** `Password123!` is the word with decoration. */
function isUsual(secret: string): boolean {
  const letters = secret.toLowerCase().replace(/[^a-z]/g, "");
  return letters === "" ? secret.length < 12 : USUAL.has(letters) && secret.length < letters.length + 8;
}

/** One character again and again, or each the next of the one before. */
function isRun(secret: string): boolean {
  const steps = new Set([...secret].slice(1).map((char, index) => char.charCodeAt(0) - secret.charCodeAt(index)));
  return steps.size <= 1;
}

function bitsOf(secret: string): number {
  return secret.length * Math.log2(new Set(secret).size + 1);
}
