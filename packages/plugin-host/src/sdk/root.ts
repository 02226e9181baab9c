// The root of `openclaw/plugin-sdk`: names that plugins import as values.

const DEFAULT_ACCOUNT_ID = "default";

const ACCOUNT = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** As ids of accounts are kept: lower case, with hyphens for what may not stand in one. */
function normalizeAccountId(id: string | null | undefined): string {
  const plain = (id ?? "").trim().toLowerCase();
  if (plain === "") return DEFAULT_ACCOUNT_ID;
  if (ACCOUNT.test(plain)) return plain;
  const cleaned = plain
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 64);
  return cleaned === "" ? DEFAULT_ACCOUNT_ID : cleaned;
}

/** A plugin's module in one value; it is there so that editors know its type. */
function definePluginEntry<T extends object>(entry: T): T {
  return entry;
}

/** For a plugin without settings. */
function emptyPluginConfigSchema(): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return {
    safeParse: (value: unknown) =>
      isEmpty(value)
        ? { success: true, data: value }
        : { success: false, error: { issues: [{ path: [], message: "this plugin has no settings" }] } },
    jsonSchema: { type: "object", additionalProperties: false, properties: {} },
  };
}

/** A value as the result of a tool. */
function jsonResult(payload: unknown): object {
  return { content: [{ type: "text", text: JSON.stringify(payload, null, 2) }], details: payload };
}

interface ReadOptions {
  readonly required?: boolean;
  readonly label?: string;
  readonly trim?: boolean;
  readonly allowEmpty?: boolean;
}

type Params = Readonly<Record<string, unknown>>;

/** Throws what a model can act on. */
function readStringParam(params: Params, key: string, options: ReadOptions = {}): string | undefined {
  const { required = false, label = key, trim = true, allowEmpty = false } = options;
  const value = valueOf(params, key);
  const text = typeof value === "string" ? (trim ? value.trim() : value) : undefined;
  if (text !== undefined && (text !== "" || allowEmpty)) return text;
  if (required) throw new Error(`${label} required`);
  return undefined;
}

/** Also a number that was written as a text. */
function readNumberParam(
  params: Params,
  key: string,
  options: Pick<ReadOptions, "required" | "label"> & { readonly integer?: boolean } = {},
): number | undefined {
  const { required = false, label = key, integer = false } = options;
  const value = valueOf(params, key);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return integer ? Math.trunc(number) : number;
  if (required) throw new Error(`${label} required`);
  return undefined;
}

/** Models write `some_key` where `someKey` is meant. */
function valueOf(params: Params, key: string): unknown {
  if (Object.hasOwn(params, key)) return params[key];
  return params[key.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`)];
}

export const ROOT: Readonly<Record<string, unknown>> = {
  DEFAULT_ACCOUNT_ID,
  definePluginEntry,
  emptyPluginConfigSchema,
  jsonResult,
  normalizeAccountId,
  readNumberParam,
  readStringParam,
};
