// Frames as they are shown: without what must not be read over somebody's shoulder.

const SECRET_KEYS = new Set(["token", "devicetoken", "password", "bootstraptoken", "apikey", "signature"]);
const HIDDEN = "••••••";

/** A text may hold JSON of its own, such as a change of the configuration. */
const SECRET_IN_TEXT =
  /(["']?(?:\w*token|password|api_?key|\w*secret)["']?\s*:\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/gi;

/** What a new credential is. */
const isCredential = (value: object): boolean => "method" in value && value.method === "credentials.add";

export function maskSecrets(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (value !== "" && SECRET_KEYS.has(key.toLowerCase())) return HIDDEN;
    return value.includes(":") ? value.replace(SECRET_IN_TEXT, `$1"${HIDDEN}"`) : value;
  }
  if (Array.isArray(value)) return value.map((entry) => maskSecrets(entry, key));
  if (typeof value !== "object" || value === null) return value;
  const hidden = isCredential(value) ? { params: HIDDEN } : {};
  return Object.fromEntries(
    Object.entries({ ...value, ...hidden }).map(([name, entry]) => [name, maskSecrets(entry, name)]),
  );
}
