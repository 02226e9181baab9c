// Finds what signs calls to AWS: in the environment, or in the files the AWS tools share.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface AwsAccess {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export type AwsCredentials =
  | { readonly kind: "found"; readonly access: AwsAccess; readonly source: string }
  | { readonly kind: "missing"; readonly why: string };

type Env = Readonly<Record<string, string | undefined>>;
type ReadText = (path: string) => string | undefined;
type Profile = Readonly<Record<string, string>>;

const DEFAULT_REGION = "us-east-1";
const HOW = "set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";

/** A named profile comes before keys in the environment only when there are none: this is how the AWS tools do it. */
export function findAwsCredentials(env: Env, readText: ReadText = readIfThere): AwsCredentials {
  const id = env["AWS_ACCESS_KEY_ID"];
  const secret = env["AWS_SECRET_ACCESS_KEY"];
  if (id && secret) {
    const access = toAccess(findAwsRegion(env, readText), id, secret, env["AWS_SESSION_TOKEN"]);
    return { kind: "found", access, source: "AWS_ACCESS_KEY_ID" };
  }
  if (id || secret) {
    const absent = id ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID";
    return { kind: "missing", why: `${absent} is not set: both halves of the AWS key are needed` };
  }
  return fromFiles(env, readText);
}

function findAwsRegion(env: Env, readText: ReadText): string {
  const named = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  return named || configProfile(env, readText)["region"] || DEFAULT_REGION;
}

/** Where Bedrock answers for this environment. */
export function bedrockUrl(env: Env, readText: ReadText = readIfThere): string {
  return `https://bedrock-runtime.${findAwsRegion(env, readText)}.amazonaws.com`;
}

function fromFiles(env: Env, readText: ReadText): AwsCredentials {
  const path = env["AWS_SHARED_CREDENTIALS_FILE"] ?? join(home(env), ".aws", "credentials");
  const name = profileName(env);
  const text = readText(path);
  if (text === undefined) return { kind: "missing", why: `no AWS key: ${HOW}` };
  const profile = { ...configProfile(env, readText), ...readProfiles(text).get(name) };
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token } = profile;
  if (!id || !secret) return { kind: "missing", why: `the profile "${name}" in ${path} has no key: ${HOW}` };
  return { kind: "found", access: toAccess(findAwsRegion(env, readText), id, secret, token), source: path };
}

function toAccess(region: string, accessKeyId: string, secretAccessKey: string, token?: string): AwsAccess {
  return { region, accessKeyId, secretAccessKey, ...(token ? { sessionToken: token } : {}) };
}

/** In this file a profile is headed "profile name", except the default one. */
function configProfile(env: Env, readText: ReadText): Profile {
  const text = readText(env["AWS_CONFIG_FILE"] ?? join(home(env), ".aws", "config"));
  if (text === undefined) return {};
  const profiles = readProfiles(text);
  const name = profileName(env);
  return profiles.get(`profile ${name}`) ?? profiles.get(name) ?? {};
}

function profileName(env: Env): string {
  return env["AWS_PROFILE"] || "default";
}

function home(env: Env): string {
  return env["HOME"] || env["USERPROFILE"] || homedir();
}

function readProfiles(text: string): Map<string, Record<string, string>> {
  const profiles = new Map<string, Record<string, string>>();
  let current: Record<string, string> | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    const heading = /^\[\s*(.+?)\s*\]$/.exec(line);
    if (heading?.[1]) profiles.set(heading[1], (current = {}));
    const equals = line.indexOf("=");
    if (heading || !current || equals < 1 || /^[#;]/.test(line)) continue;
    current[line.slice(0, equals).trim()] = line.slice(equals + 1).trim();
  }
  return profiles;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
