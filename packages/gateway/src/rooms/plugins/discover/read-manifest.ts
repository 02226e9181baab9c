// Reads `openclaw.plugin.json` and `package.json#openclaw` as far as they can be read: what is odd is a warning, never a reason to refuse.
import JSON5 from "json5";
import { isObject } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import { readRegular } from "../../../base/files/read-regular.ts";
import type { PluginManifest } from "./found.ts";

export const MANIFEST = "openclaw.plugin.json";
const MOST_BYTES = 512 * 1024;
const MOST_ITEMS = 500;

export type JsonFile =
  | { readonly kind: "read"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly why: string };

export function readJsonFile(path: string): JsonFile {
  try {
    const read = readRegular(path, MOST_BYTES);
    if (read.kind === "irregular") return { kind: "unreadable", why: `${path} is not a regular file` };
    if (read.kind === "too-large") return { kind: "unreadable", why: `${path} is larger than ${MOST_BYTES / 1024} KB` };
    const value: unknown = JSON5.parse(read.bytes.toString("utf8").replace(/^\uFEFF/, ""));
    if (isObject(value)) return { kind: "read", value };
    return { kind: "unreadable", why: `${path} holds no object` };
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "none" };
    if (code === "ELOOP") return { kind: "unreadable", why: `${path} is a link` };
    if (code !== undefined) return { kind: "unreadable", why: `${path} cannot be read (${code})` };
    return { kind: "unreadable", why: `${path} is no valid JSON` };
  }
}

/** Says what is odd to `warn`, in whole sentences. */
export function readManifest(
  value: Readonly<Record<string, unknown>>,
  warn: (sentence: string) => void,
): PluginManifest {
  const read = readerOf(value, warn);
  const contracts = isObject(value["contracts"]) ? value["contracts"] : {};
  const activation = isObject(value["activation"]) ? value["activation"] : {};
  const schema = value["configSchema"];
  if (schema !== undefined && !isObject(schema))
    warn(`${MANIFEST}: configSchema is no object, so settings are not checked.`);
  const { id, name, description, version } = {
    id: read.text("id"),
    name: read.text("name"),
    description: read.text("description"),
    version: read.text("version"),
  };
  return {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    kinds: read.texts("kind"),
    enabledByDefault: value["enabledByDefault"] === true,
    ...(isObject(schema) ? { configSchema: schema } : {}),
    ...(isObject(value["uiHints"]) ? { uiHints: value["uiHints"] } : {}),
    channels: read.texts("channels"),
    providers: read.texts("providers"),
    skills: read.texts("skills"),
    envNames: envNamesOf(value),
    toolNames: textsOf(contracts["tools"]),
    requiresPlugins: read.texts("requiresPlugins"),
    startsWithGateway: activation["onStartup"] === true,
    mcpServers: isObject(value["mcpServers"]) ? value["mcpServers"] : {},
    ...(isObject(value["permissions"]) ? { permissions: value["permissions"] } : {}),
  };
}

function readerOf(value: Readonly<Record<string, unknown>>, warn: (sentence: string) => void) {
  return {
    text(key: string): string | undefined {
      const found = value[key];
      if (found === undefined || typeof found === "string") return found?.slice(0, 2_000);
      warn(`${MANIFEST}: ${key} is no text and is not used.`);
      return undefined;
    },
    texts(key: string): readonly string[] {
      const found = value[key];
      if (found !== undefined && typeof found !== "string" && !Array.isArray(found))
        warn(`${MANIFEST}: ${key} is no list of texts and is not used.`);
      return textsOf(found);
    },
  };
}

export function textsOf(value: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string" && one !== "").slice(0, MOST_ITEMS);
}

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Of `providerAuthEnvVars` and `setup.providers[].envVars`. */
function envNamesOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  const byProvider = isObject(value["providerAuthEnvVars"]) ? Object.values(value["providerAuthEnvVars"]) : [];
  const setup = isObject(value["setup"]) ? value["setup"]["providers"] : undefined;
  const providers = Array.isArray(setup) ? setup.filter(isObject).map(({ envVars }) => envVars) : [];
  const names = [...byProvider, ...providers].flatMap(textsOf).filter((name) => ENV_NAME.test(name));
  return [...new Set(names)];
}
