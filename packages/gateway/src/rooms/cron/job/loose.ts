// Objects from outside whose fields may have any name and any value.

export type Loose = Readonly<Record<string, unknown>>;

/** What was inferred or left out, in sentences for whoever wrote the job. */
export type Notes = string[];

export function asLoose(value: unknown): Loose | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Fields under the first of their names that has a value; `null` is one, it means "clear this". */
export function pick(from: Loose, ...names: readonly string[]): unknown {
  return names.map((name) => from[name]).find((value) => value !== undefined);
}

/** Only the named fields that are there. */
export function pickNamed(from: Loose, names: readonly string[]): Loose {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** Without what is absent or cleared. */
export function withoutNothing(from: Loose): Loose {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined && value !== null));
}
