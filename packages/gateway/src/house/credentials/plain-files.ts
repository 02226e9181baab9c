// Files that OpenClaw keeps secrets in: which of their secrets are plain, and how the text reads with references or values instead.
import { Secret } from "@chela/sdk";
import { soundsSecret, vaultIdIn } from "../../rooms/config/room.ts";
import { credentialId, SECRET_FIELDS } from "../../rooms/models/profiles/profile-vault.ts";
import { PASSPHRASE_NAME, type NewCredential } from "../../rooms/vault/room.ts";

/** One secret of a file: plain, or a reference to the vault. */
export interface FoundSecret {
  /** For people: which of the file's secrets it is. */
  readonly name: string;
  readonly content:
    | { readonly kind: "plain"; readonly credential: NewCredential }
    | { readonly kind: "vault"; readonly id: string };
}

/** Changes a secret's text; undefined leaves it as it is. */
export type Rewrite = (text: string, credential: () => NewCredential) => string | undefined;

type FileRecord = Record<string, unknown>;

/** `auth-profiles.json` of an agent. */
export function rewriteProfiles(
  text: string,
  agentId: string,
  originOf: (provider: string) => string | undefined,
  rewrite: Rewrite,
): string {
  const document = parseObject(text);
  const profiles = document && asObject(document["profiles"]);
  if (!document || !profiles) return text;
  let changed = false;
  for (const [profileId, value] of Object.entries(profiles)) {
    const row = asObject(value);
    const provider = row && typeof row["provider"] === "string" ? row["provider"].toLowerCase() : undefined;
    if (!row || provider === undefined) continue;
    changed =
      rewriteFields(row, rewrite, (field, secret) => {
        const origin = field === "key" || field === "apiKey" ? originOf(provider) : undefined;
        const id = credentialId({ agentId, profileId }, field);
        return {
          id,
          service: provider,
          account: profileId,
          content: { kind: "value", value: secret },
          ...(origin ? { origin } : {}),
        };
      }) || changed;
  }
  return changed ? `${JSON.stringify(document, null, 2)}\n` : text;
}

/** `credentials/oauth.json`: sign-ins by provider, as they were kept before there were profiles. */
export function rewriteSignIns(text: string, rewrite: Rewrite): string {
  const document = parseObject(text);
  if (!document) return text;
  let changed = false;
  for (const [provider, value] of Object.entries(document)) {
    const row = asObject(value);
    if (!row || !/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(provider)) continue;
    changed =
      rewriteFields(row, rewrite, (field, secret) => ({
        id: `oauth/${provider}/${field}`,
        service: provider.toLowerCase(),
        content: { kind: "value", value: secret },
      })) || changed;
  }
  return changed ? `${JSON.stringify(document, null, 2)}\n` : text;
}

/** `.env` of the state directory: lines whose name sounds secret. Everything else stays as it was typed. */
export function rewriteEnvironment(text: string, rewrite: Rewrite): string {
  return text
    .split("\n")
    .map((line) => {
      const [, head = "", name = "", written = ""] =
        /^(\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*)(.*?)\s*$/.exec(line) ?? [];
      const value = /^(["'])(.*)\1$/.exec(written)?.[2] ?? written;
      if (!name || !value || !(isSecretVariable(name) || vaultIdIn(value) !== undefined)) return line;
      // Only what reads the same with and without quotes is touched.
      if (/[\s#"'`\\$]/.test(value)) return line;
      const credential = (): NewCredential => ({
        id: `env/${name}`,
        service: serviceOf(name),
        account: name,
        content: { kind: "value", value: new Secret(value) },
      });
      const after = rewrite(value, credential);
      return after === undefined ? line : `${head}${after}`;
    })
    .join("\n");
}

/** The passphrase opens the vault, so it cannot lie in it. */
export function isSecretVariable(name: string): boolean {
  return soundsSecret(name) && name !== PASSPHRASE_NAME;
}

/** All secrets that a file has, by running a rewrite that changes nothing. */
export function secretsIn(run: (rewrite: Rewrite) => unknown): FoundSecret[] {
  const found: FoundSecret[] = [];
  run((text, credential) => {
    const made = credential();
    const id = vaultIdIn(text);
    const name = made.account ?? made.id;
    found.push({ name, content: id === undefined ? { kind: "plain", credential: made } : { kind: "vault", id } });
    return undefined;
  });
  return found;
}

/** OPENAI_API_KEY → openai. */
function serviceOf(name: string): string {
  return (name.split(/_(?:API|BOT|APP|ACCESS|AUTH|TOKEN|KEY|SECRET|PASS)/i, 1)[0] || name)
    .toLowerCase()
    .replaceAll("_", "-");
}

function rewriteFields(
  row: FileRecord,
  rewrite: Rewrite,
  toCredential: (field: string, secret: Secret) => NewCredential,
): boolean {
  let changed = false;
  for (const field of SECRET_FIELDS) {
    const value = row[field];
    if (typeof value !== "string" || value === "" || value.startsWith("${")) continue;
    const after = rewrite(value, () => toCredential(field, new Secret(value)));
    if (after === undefined) continue;
    row[field] = after;
    changed = true;
  }
  return changed;
}

function parseObject(text: string): FileRecord | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): FileRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as FileRecord) : undefined;
}
