// Reads a part of the configuration without trusting its shape: what cannot be read is known to be so, and can be refused.

export type ConfigPart = {
  /** The place in the configuration, for people. */
  readonly where: string;
} & (
  | { readonly kind: "absent" }
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "unreadable" }
);

export function partOf(value: unknown, where: string): ConfigPart {
  if (value === undefined) return { kind: "absent", where };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "unreadable", where };
  return { kind: "object", value: value as Record<string, unknown>, where };
}

export function below(part: ConfigPart, key: string): ConfigPart {
  const where = `${part.where}.${key}`;
  if (part.kind !== "object") return { kind: part.kind, where };
  return partOf(valueAt(part, key), where);
}

export function valueAt(part: ConfigPart, key: string): unknown {
  return part.kind === "object" && Object.hasOwn(part.value, key) ? part.value[key] : undefined;
}

/** The names in a list, or "unreadable" when it is not a list of names. */
export function namesAt(part: ConfigPart, key: string): readonly string[] | "unreadable" | undefined {
  if (part.kind === "unreadable") return "unreadable";
  const list = valueAt(part, key);
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return "unreadable";
  const names = list.filter((name): name is string => typeof name === "string" && name.trim() !== "");
  return names.length === list.length ? names : "unreadable";
}
