// References of the configuration that name a source instead of the vault: {source, provider, id} with `secrets.providers`.
import { GatewayError, Secret } from "@chela/sdk";
import type { Pointers } from "./pointers.ts";
import { readPointedFile } from "./private-file.ts";
import { defined, parseJson, isObject } from "@chela/sdk/base";

export interface SourceReference {
  readonly source: string;
  readonly provider?: string | undefined;
  readonly id: string;
}

/** `secrets` of the configuration, typed loosely so that the real one fits. */
export interface SourceSettings {
  readonly providers?: Readonly<Record<string, SourceProvider | undefined>> | undefined;
  readonly defaults?:
    | { readonly env?: string | undefined; readonly file?: string | undefined; readonly exec?: string | undefined }
    | undefined;
}

type SourceProvider =
  | { readonly source: "env"; readonly allowlist?: readonly string[] | undefined }
  | {
      readonly source: "file";
      readonly path: string;
      readonly mode?: "singleValue" | "json" | undefined;
      readonly maxBytes?: number | undefined;
    }
  | {
      readonly source: "exec";
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly timeoutMs?: number | undefined;
      readonly maxOutputBytes?: number | undefined;
      readonly jsonOnly?: boolean | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly passEnv?: readonly string[] | undefined;
      readonly trustedDirs?: readonly string[] | undefined;
    };

interface SourceParts {
  readonly pointers: Pointers;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspaces: readonly string[];
}

/** Throws CREDENTIAL_UNREADABLE or CREDENTIAL_REFUSED. */
export function readSource(reference: SourceReference, settings: SourceSettings, parts: SourceParts): Secret {
  const { source, id } = reference;
  const name = reference.provider ?? defaultOf(source, settings) ?? "default";
  const provider = settings.providers && Object.hasOwn(settings.providers, name) ? settings.providers[name] : undefined;
  if (source === "env" && (!provider || provider.source === "env")) {
    if (provider?.allowlist && !provider.allowlist.includes(id)) {
      throw unreadable(`secrets.providers.${name} does not allow the variable ${id}`);
    }
    return parts.pointers.read({ kind: "env", name: id });
  }
  if (!provider) throw unreadable(`there is no secrets.providers.${name}`);
  if (provider.source !== source) throw unreadable(`secrets.providers.${name} has the source "${provider.source}"`);
  switch (provider.source) {
    case "env":
      return parts.pointers.read({ kind: "env", name: id });
    case "file":
      return readFileSource(provider, id, parts);
    case "exec":
      return runSource(provider, { name, id }, parts);
  }
}

function defaultOf(source: string, { defaults }: SourceSettings): string | undefined {
  return source === "env" || source === "file" || source === "exec" ? defaults?.[source] : undefined;
}

function readFileSource(
  { path, mode, maxBytes }: Extract<SourceProvider, { source: "file" }>,
  id: string,
  { workspaces }: SourceParts,
): Secret {
  const text = readPointedFile(path, { workspaces, ...defined({ maxBytes }) });
  if (mode === "singleValue") return new Secret(text);
  return new Secret(textAt(parseJson(text), id, path));
}

/** The program is told what is wanted, and answers with JSON, or with the plain value. */
function runSource(
  provider: Extract<SourceProvider, { source: "exec" }>,
  { name, id }: { readonly name: string; readonly id: string },
  { pointers, env }: SourceParts,
): Secret {
  const { command, args = [], timeoutMs, maxOutputBytes, passEnv, trustedDirs, jsonOnly = true } = provider;
  const call = {
    command,
    args,
    env,
    input: JSON.stringify({ protocolVersion: 1, provider: name, ids: [id] }),
    ...defined({ timeoutMs, maxBytes: maxOutputBytes }),
    ...(passEnv ? { passEnv } : {}),
    ...(provider.env ? { setEnv: provider.env } : {}),
    ...(trustedDirs ? { trusted: trustedDirs } : {}),
  };
  return pointers.run(call, (printed) => {
    const answer = parseJson(printed);
    const values = isObject(answer) ? answer["values"] : undefined;
    const value = isObject(values) && Object.hasOwn(values, id) ? values[id] : undefined;
    if (typeof value === "string" && value !== "") return value;
    if (answer === undefined && !jsonOnly) return printed;
    throw unreadable(`the program ${command} has no value for "${id}"`);
  });
}

/** A JSON pointer: /providers/openai/apiKey. */
function textAt(root: unknown, pointer: string, path: string): string {
  const steps = pointer.split("/").slice(pointer.startsWith("/") ? 1 : 0);
  const found = steps
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined), root);
  if (typeof found === "string" && found !== "") return found;
  throw unreadable(`${path} holds no text at ${pointer}`);
}

function unreadable(why: string): GatewayError {
  return new GatewayError("CREDENTIAL_UNREADABLE", why);
}
