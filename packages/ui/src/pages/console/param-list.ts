// The parameters of a method as a short list: name, whether it must be there, and what it may be.

export interface Param {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export function listParams(schema: Schema): Param[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    isRequired: required.has(name),
    type: typeText(one),
  }));
}

function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(" | ");
  if (schema.type === "array") return `${typeText(schema.items ?? {})}[]`;
  if (schema.type === "object" && schema.properties) {
    return `{ ${listParams(schema)
      .map(({ name, isRequired, type }) => `${name}${isRequired ? "" : "?"}: ${type}`)
      .join(", ")} }`;
  }
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" | ") ?? "any");
}
