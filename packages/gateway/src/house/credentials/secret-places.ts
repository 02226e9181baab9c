// Every place outside of the vault where a secret may stand: the configuration, the agents' profiles, oauth.json and .env.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Secret } from "@chela/sdk";
import { DEFAULT_ACCOUNT } from "../../rooms/channels/room.ts";
import { agentDirectory, parsePath, type ConfigStore, type StatePaths } from "../../rooms/config/room.ts";
import { addressOf, providerAddress } from "./credential-places.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import type { NewCredential } from "../../rooms/vault/room.ts";
import {
  isSecretVariable,
  rewriteEnvironment,
  rewriteProfiles,
  rewriteSignIns,
  secretsIn,
  type FoundSecret,
  type Rewrite,
} from "./plain-files.ts";

export interface PlacesParts {
  readonly config: ConfigStore;
  readonly paths: StatePaths;
}

/** A file whose secrets can be exchanged for references, and back. */
export interface SecretFile {
  readonly path: string;
  /** Beside the state directory's own root: where an export puts it. */
  readonly relative: string;
  /** How its secrets are called: "agent main", ".env". */
  readonly label: string;
  rewrite(text: string, rewrite: Rewrite): string;
}

export interface PlacedSecret {
  /** In words: "agent main, profile openai:default", "channels.telegram.botToken". */
  readonly where: string;
  /** Which of the file's secrets it is. */
  readonly name: string;
  readonly file: string;
  readonly content: FoundSecret["content"];
  /** In the configuration: its path. */
  readonly configPath?: string;
}

export function secretFiles({ config, paths }: PlacesParts): SecretFile[] {
  const settings = config.current();
  const agents = new Map(listAgents(settings).map(({ id }) => [id, agentDirectory(settings, id, paths)]));
  for (const id of leftOverAgents(paths.stateDir)) {
    if (!agents.has(id)) agents.set(id, join(paths.stateDir, "agents", id, "agent"));
  }
  const originOf = (provider: string) => providerAddress(provider, settings as Readonly<Record<string, unknown>>);
  return [
    ...[...agents].map(([id, directory]) => ({
      path: join(directory, "auth-profiles.json"),
      relative: join("agents", id, "agent", "auth-profiles.json"),
      label: `agent ${id}, profile`,
      rewrite: (text: string, rewrite: Rewrite) => rewriteProfiles(text, id, originOf, rewrite),
    })),
    {
      path: join(paths.stateDir, "credentials", "oauth.json"),
      relative: join("credentials", "oauth.json"),
      label: "oauth.json,",
      rewrite: rewriteSignIns,
    },
    { path: paths.envPath, relative: ".env", label: ".env,", rewrite: rewriteEnvironment },
  ];
}

export function placedSecrets(parts: PlacesParts): PlacedSecret[] {
  const inFiles = secretFiles(parts).flatMap((file) => {
    const text = readIfPresent(file.path);
    if (text === undefined) return [];
    return secretsIn((rewrite) => file.rewrite(text, rewrite)).map(({ name, content }) => ({
      where: `${file.label} ${name}`,
      name,
      file: file.path,
      content,
    }));
  });
  return [...inConfig(parts), ...inFiles];
}

/** Of an id, with room for a number behind it. */
const MOST_CHARS = 190;

/**
 * Programs of this machine find the gateway's own token in the configuration. Most variables are no secrets, and the vault
 * cannot keep what opens it.
 */
export function staysInConfig(path: string): boolean {
  const keys = parsePath(path).map(String);
  const name = keys.at(-1) ?? "";
  const isVariable = keys[0] === "env" || keys.at(-2) === "env";
  return keys[0] === "gateway" || (isVariable && !isSecretVariable(name));
}

function inConfig({ config, paths }: PlacesParts): PlacedSecret[] {
  const settings = config.current() as Readonly<Record<string, unknown>>;
  return config.writtenSecrets().flatMap(({ path, content }): PlacedSecret[] => {
    const place = { where: path, name: path, file: paths.configPath, configPath: path };
    if (content.kind === "vault") return [{ ...place, content }];
    if (staysInConfig(path)) return [];
    return [{ ...place, content: { kind: "plain", credential: toCredential(path, content.value, settings) } }];
  });
}

/** The credential that a secret of the configuration becomes. */
export function toCredential(path: string, value: Secret, settings: Readonly<Record<string, unknown>>): NewCredential {
  const [section = "", name = "", third = ""] = parsePath(path).map(String);
  const service = section === "channels" ? name : section === "models" && name === "providers" ? third : section;
  const origin = addressOf(path, settings);
  return {
    id: idOf(path),
    service: service || "config",
    account: path,
    ...(origin !== undefined && URL.canParse(origin) ? { origin } : {}),
    content: { kind: "value", value },
  };
}

/** telegram/office/botToken for an account of a channel, config/hooks.token for all else. Each place has one of its own. */
function idOf(path: string): string {
  const [section, channel = "", ...rest] = parsePath(path).map(String);
  const [account = "", ...key] = rest[0] === "accounts" ? rest.slice(1) : [DEFAULT_ACCOUNT, ...rest];
  // The default account may have a place of its own below, beside what stands at the top.
  const isOrdinary = section === "channels" && key.length > 0 && rest[1] !== DEFAULT_ACCOUNT;
  const parts = isOrdinary ? [channel, account, key.join(".")] : ["config", path];
  const id = parts.map((part) => part.replaceAll(/[^A-Za-z0-9._@+:-]/g, "-")).join("/");
  return (/^[A-Za-z0-9]/.test(id) ? id : `config/${id}`).slice(0, MOST_CHARS);
}

/** The wanted id, or that with a number when another place has it. */
export function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  for (let count = 1; ; count++) {
    const id = count === 1 ? wanted : `${wanted}-${count}`;
    if (!isTaken(id)) return id;
  }
}

/** Agents that are no longer in the configuration may have left theirs. */
function leftOverAgents(stateDir: string): string[] {
  try {
    return readdirSync(join(stateDir, "agents"));
  } catch {
    return [];
  }
}

export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
