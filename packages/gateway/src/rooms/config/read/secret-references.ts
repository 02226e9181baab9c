// References to secrets that are kept elsewhere: `vault:<id>` and {source, provider, id}. They stay in the text; only the
// configuration in use holds what they stand for, and only where a secret belongs.
import type { Finding } from "./issue.ts";
import { formatPath, isObject, type JsonObject, type Path } from "../edit/path.ts";
import { isSecretPlace, WALK_START, walkInto } from "../secret-rules.ts";
import { vaultIdIn } from "./substitute.ts";

export type SecretReference =
  | { readonly kind: "vault"; readonly id: string }
  | {
      readonly kind: "source";
      readonly source: string;
      readonly provider: string | undefined;
      readonly id: string;
      /** `secrets` of the configuration. */
      readonly settings: JsonObject;
    };

export type SecretAnswer =
  | { readonly kind: "found"; readonly value: string }
  | { readonly kind: "missing"; readonly why: string };

/** `place` is where the configuration needs it: `channels.telegram.botToken`, or `env.NAME` for a variable. */
export type SecretResolver = (reference: SecretReference, place: string, config: JsonObject) => SecretAnswer;

/** What is told of a reference that leads to nothing. */
const MISSING = {
  vault: (id: string, why: string) => `refers to the credential "${id}", which cannot be had: ${why}`,
  source: (why: string) => `points to a secret that cannot be had: ${why}`,
};

export function isMissingSecret({ message }: Pick<Finding, "message">): boolean {
  return /^(refers to the credential ".*", which|points to a secret that) cannot be had: /.test(message);
}

export interface FilledSecrets {
  readonly value: JsonObject;
  /** What keeps the configuration from being used. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export function fillSecrets(root: JsonObject, resolve: SecretResolver = nobodyKnows): FilledSecrets {
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  /** Of the sources, whose own secrets may be in the vault. */
  let settings: JsonObject = {};
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") {
      const id = vaultIdIn(value);
      if (id === undefined || !isPlaceOfSecret(path)) return value;
      const answer = resolve({ kind: "vault", id }, formatPath(path), root);
      if (answer.kind === "found") return answer.value;
      findings.push({ path, message: MISSING.vault(id, answer.why) });
      return value;
    }
    if (Array.isArray(value)) return value.map((entry, index) => visit(entry, [...path, index]));
    if (!isObject(value)) return value;
    const pointed = readPointer(value, path, settings);
    if (pointed) {
      const answer = resolve(pointed, formatPath(path), root);
      if (answer.kind === "found") return answer.value;
      warnings.push({ path, message: MISSING.source(answer.why) });
    }
    const copy: JsonObject = {};
    for (const [key, entry] of Object.entries(value))
      copy[key] = path.length === 0 && key === "secrets" && isObject(entry) ? settings : visit(entry, [...path, key]);
    return copy;
  };
  if (isObject(root["secrets"])) settings = visit(root["secrets"], ["secrets"]) as JsonObject;
  return { value: visit(root, []) as JsonObject, findings, warnings };
}

/** Variables may be kept in the vault too; one that cannot be had is as good as not set. */
export function fillEnvironment(
  env: Readonly<Record<string, string>>,
  config: JsonObject,
  resolve: SecretResolver = nobodyKnows,
): { readonly env: Record<string, string>; readonly warnings: readonly Finding[] } {
  const filled: Record<string, string> = {};
  const warnings: Finding[] = [];
  for (const [name, value] of Object.entries(env)) {
    const id = vaultIdIn(value);
    const answer = id === undefined ? undefined : resolve({ kind: "vault", id }, `env.${name}`, config);
    if (!answer) filled[name] = value;
    else if (answer.kind === "found") filled[name] = answer.value;
    else warnings.push({ path: [], message: `the variable ${name} is not set: ${answer.why}` });
  }
  return { env: filled, warnings };
}

/** Anywhere else the words mean what they say, and no secret is put where it would be shown. */
function isPlaceOfSecret(path: Path): boolean {
  return isSecretPlace(path.reduce(walkInto, WALK_START));
}

/** Variables are looked up by whoever needs them; files and programs are followed here. */
function readPointer(value: JsonObject, path: Path, settings: JsonObject): SecretReference | undefined {
  const { source, provider, id, ...rest } = value;
  if ((source !== "file" && source !== "exec") || typeof id !== "string" || Object.keys(rest).length > 0)
    return undefined;
  if (!isPlaceOfSecret(path)) return undefined;
  return {
    kind: "source",
    source,
    provider: typeof provider === "string" ? provider : undefined,
    id,
    settings,
  };
}

function nobodyKnows(): SecretAnswer {
  return { kind: "missing", why: "the vault is not open here" };
}
