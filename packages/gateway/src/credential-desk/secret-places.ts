// Every place outside of the vault where a secret may stand: the configuration, the agents' profiles, oauth.json and .env.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, parsePath, type ConfigStore, type StatePaths } from "../config/room.ts";
import { addressOf, providerAddress } from "../credential-places.ts";
import { listAgents } from "../routing/room.ts";
import type { NewCredential } from "../vault/room.ts";
import {
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
      file: file.path,
      content,
    }));
  });
  return [...inConfig(parts), ...inFiles];
}

/** Programs of this machine find the gateway's own token in the configuration, so it stays there. */
const STAYS = /^gateway\./;

function inConfig({ config, paths }: PlacesParts): PlacedSecret[] {
  const settings = config.current() as Readonly<Record<string, unknown>>;
  return config.writtenSecrets().flatMap(({ path, content }): PlacedSecret[] => {
    const place = { where: path, file: paths.configPath, configPath: path };
    if (content.kind === "vault") return [{ ...place, content }];
    if (STAYS.test(path)) return [];
    return [{ ...place, content: { kind: "plain", credential: toCredential(path, content.value, settings) } }];
  });
}

function toCredential(
  path: string,
  value: Extract<NewCredential["content"], { kind: "value" }>["value"],
  settings: Readonly<Record<string, unknown>>,
): NewCredential {
  const [section = "", name = "", third = ""] = parsePath(path).map(String);
  const service = section === "channels" ? name : section === "models" && name === "providers" ? third : section;
  const origin = addressOf(path, settings);
  return {
    id: `config/${path.replaceAll(/[^A-Za-z0-9._@+:-]/g, "-")}`.slice(0, 200),
    service: service || "config",
    account: path,
    ...(origin !== undefined && URL.canParse(origin) ? { origin } : {}),
    content: { kind: "value", value },
  };
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
