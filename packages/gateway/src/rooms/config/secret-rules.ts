// Recognises secret values: marked by the schema, named so in unknown territory, or URLs with a password.
import * as z from "zod";
import { stepAnywhere } from "./openclaw-keys.ts";
import { isObject, type JsonObject, type Path } from "./edit/path.ts";
import { isUndescribed, type Standing } from "./schema-walk.ts";
import { shapeOf } from "@chela/sdk/config";
import { isWholeReference } from "./read/substitute.ts";

/** What clients see instead of a secret. Sent back, it means "leave it as it is". */
export const REDACTED = "__OPENCLAW_REDACTED__";

const SECRET_NAME =
  /(token|secret|passw(or)?d|passphrase|api[-_]?key|private[-_]?key|access[-_]?key|credential|authorization|cookie)/i;
const NOT_SECRET_NAME =
  /(tokens(?:per(?:day|hour|minute|month))?|file|path|dir|limit|field|mode|source|policy|provider|readonly)$/i;

/** Short words that mean a secret when a name ends with them; within another word they mean something else. */
const SECRET_ENDS: ReadonlySet<string> = new Set(
  "pass pwd pw pin psk otp totp jwt bearer seed mnemonic dsn key privkey signature auth".split(" "),
);
/** Keys that open nothing. */
const OPEN_KEYS: ReadonlySet<string> = new Set(
  "public session main idempotency primary foreign sort partition cache group thread route routing object lookup".split(
    " ",
  ),
);

export function soundsSecret(key: string): boolean {
  if (NOT_SECRET_NAME.test(key)) return false;
  return SECRET_NAME.test(key) || endsSecret(key);
}

/** `smtpPass`, `IMAP_PWD`, `signing-key`; not `bypass`, `compass` or `sessionKey`. */
function endsSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const [last = "", before = ""] = words.filter(Boolean).toReversed();
  return SECRET_ENDS.has(last) && !(last === "key" && OPEN_KEYS.has(before));
}

/** `https://user:password@host`: the whole text is treated as secret. */
export function hasUrlPassword(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i.test(text);
}

/** A position in a walk along the config, with what is needed to judge secrecy. */
export interface SecretWalk {
  readonly path: Path;
  readonly standing: Standing | undefined;
  /** Some key on the way down sounded secret, in a part that the schema does not describe. */
  readonly inSecretPart: boolean;
}

export const WALK_START: SecretWalk = { path: [], standing: undefined, inSecretPart: false };

export function walkInto(walk: SecretWalk, key: string | number): SecretWalk {
  const standing = stepAnywhere(walk.standing, walk.path, key);
  const undescribed = standing.every(isUndescribed);
  const inSecretPart = undescribed && (walk.inSecretPart || (typeof key === "string" && soundsSecret(key)));
  return { path: [...walk.path, key], standing, inSecretPart };
}

export function isSecretText(walk: SecretWalk, value: string): boolean {
  if (value === "" || isWholeReference(value)) return false;
  return hasUrlPassword(value) || isSecretPlace(walk);
}

/** Whether a text at this place is a secret, whatever it says. */
export function isSecretPlace(walk: SecretWalk): boolean {
  return walk.inSecretPart || (walk.standing ?? []).some(isMarkedSecret);
}

/** True for the schema of a secret, also as one choice of several. */
export function isMarkedSecret(schema: z.core.$ZodType): boolean {
  const shaped = shapeOf(schema);
  if (shaped.kind === "union") return shaped.options.some(isMarkedSecret);
  return shaped.kind === "leaf" && z.globalRegistry.get(shaped.schema as z.ZodType)?.["secret"] === true;
}

/** Calls back for every secret text in a config, typed or not. */
function eachSecret(value: unknown, found: (text: string, path: Path) => void, walk = WALK_START): void {
  if (typeof value === "string") {
    if (isSecretText(walk, value)) found(value, walk.path);
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => eachSecret(entry, found, walkInto(walk, index)));
  } else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) eachSecret(entry, found, walkInto(walk, key));
  }
}

/** All secret values of a config, for the logger's redaction. */
export function secretsOf(config: unknown): string[] {
  const secrets = new Set<string>();
  eachSecret(config, (text) => secrets.add(text));
  return [...secrets];
}

/** A copy with every secret replaced. `at` is the place the value comes from, when it is not the whole config. */
export function redactValue(value: unknown, at: Path = []): unknown {
  return redactFrom(value, at.reduce(walkInto, WALK_START));
}

function redactFrom(value: unknown, walk: SecretWalk): unknown {
  if (typeof value === "string") return isSecretText(walk, value) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((entry, index) => redactFrom(entry, walkInto(walk, index)));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) copy[key] = redactFrom(entry, walkInto(walk, key));
  return copy;
}
