// Reference of the protocol: a page for each family of methods with signatures for people, and one JSON Schema for tools.
import * as z from "zod";
import * as sdk from "../packages/sdk/src/index.ts";
import * as protocol from "../packages/sdk/src/protocol/index.ts";
import type { MethodSpec } from "../packages/sdk/src/protocol/methods.ts";
import { bodyText, layOut, typeText, type NameOf } from "./type-text.ts";

type Family = readonly [name: string, specs: Readonly<Record<string, MethodSpec>>];

/** Shorter ones are written out again. */
const LONG = 100;
const NOT_NAMED = new Set(["NonEmpty"]);

/** By path below docs/reference. */
export function protocolPages(madeBy: string): Record<string, string> {
  const pages = families().map(([name, specs]) => [`protocol/${name}.md`, familyPage(madeBy, name, specs)] as const);
  return {
    "protocol/README.md": overview(madeBy),
    ...Object.fromEntries(pages),
    "protocol.schema.json": schemaFile(),
  };
}

/** Each table of the sdk is a family; their order is that of hello-ok's list. */
function families(): Family[] {
  const tables = Object.entries(protocol).filter(([name]) => name.endsWith("_METHODS"));
  const order = Object.keys(protocol.METHODS);
  const found = tables.map(([name, specs]) => [
    name.replace("_METHODS", "").toLowerCase().replaceAll("_", "-"),
    specs as Family[1],
  ]) as Family[];
  const place = ([, specs]: Family): number => order.indexOf(Object.keys(specs)[0] ?? "");
  return found.toSorted((one, other) => place(one) - place(other));
}

function overview(madeBy: string): string {
  const rows = families().map(([name, specs]) => {
    const methods = Object.keys(specs).map((method) => `\`${method}\``);
    return `- [${name}](${name}.md): ${methods.join(", ")}`;
  });
  const about = [
    'Methods of the WebSocket protocol, by families. A request is `{ type: "req", id, method, params }`, its answer',
    '`{ type: "res", id, ok, payload }`, or `error` in the place of the payload. A caller needs the scope that stands behind the',
    "sentence; `operator.admin` covers all, `operator.write` covers `operator.read`.",
    "",
    "Signatures read like TypeScript: `name?` may be missing, `int(1…200)` has limits, `string(1…)` must not be empty. Unknown",
    "parameters are refused. Results may get more fields in later versions. Tools load the whole as JSON Schema from",
    "[protocol.schema.json](../protocol.schema.json).",
  ];
  return `${madeBy}\n\n# Protocol methods\n\n${about.join("\n")}\n\n${rows.join("\n")}\n`;
}

function familyPage(madeBy: string, name: string, specs: Family[1]): string {
  const used = new Map<string, unknown>();
  const names = namedTypes();
  const nameOf: NameOf = (schema) => {
    const known = names.get(schema);
    if (known !== undefined) used.set(known, schema);
    return known;
  };
  const results = new Map<string, string>();
  const methods = Object.entries(specs).map(([method, spec]) => methodText(method, spec, nameOf, results));
  // What a named type is made of may name further ones; a map that grows is walked to its end.
  const types: string[] = [];
  for (const [type, schema] of used) types.push(layOut(`type ${type} = ${bodyText(schema, nameOf)}`));
  const tail = types.length > 0 ? `\n## Types\n\n\`\`\`ts\n${types.join("\n")}\n\`\`\`\n` : "";
  return `${madeBy}\n\n# ${name}\n\n${methods.join("\n")}${tail}`;
}

/** `results` are those of the methods before it: what is the same is said so. */
function methodText(method: string, spec: MethodSpec, nameOf: NameOf, results: Map<string, string>): string {
  const scope = spec.scope === "none" ? "open to every connection" : `needs \`${spec.scope}\``;
  const who = [spec.role === "node" ? "for nodes" : "", scope, spec.controlPlane ? "a few calls per minute" : ""];
  const params = layOut(`params: ${typeText(spec.params(), nameOf)}`);
  const type = typeText(spec.result(), nameOf);
  const same = type.length > LONG ? results.get(type) : undefined;
  if (same === undefined) results.set(type, method);
  const result = same === undefined ? layOut(`result: ${type}`) : `result: // the same as of ${same}`;
  const says = `${spec.says} (${who.filter(Boolean).join(", ")}).`;
  return `## ${method}\n\n${says}\n\n\`\`\`ts\n${params}\n${result}\n\`\`\`\n`;
}

/** Schemas that have a name in the sdk, by the schema: each is written out once for a page. */
function namedTypes(): ReadonlyMap<unknown, string> {
  const named = [...Object.entries(sdk), ...Object.entries(protocol)].flatMap(([name, make]) => {
    if (typeof make !== "function" || !/^[A-Z][a-z]/.test(name) || NOT_NAMED.has(name) || make.length > 0) return [];
    const schema = schemaOf(make as () => unknown);
    return schema ? [[schema, name] as const] : [];
  });
  return new Map(named);
}

/** Classes cannot be called, and not everything that can makes a schema. */
function schemaOf(make: () => unknown): unknown {
  try {
    const made = make();
    return made instanceof z.core.$ZodType ? made : undefined;
  } catch {
    return undefined;
  }
}

function schemaFile(): string {
  const methods = Object.entries(protocol.METHODS as Readonly<Record<string, MethodSpec>>).map(([name, spec]) => {
    const { role, scope, says } = spec;
    const more = { ...(spec.controlPlane ? { controlPlane: true } : {}), ...(spec.unlisted ? { unlisted: true } : {}) };
    return [name, { says, role, scope, ...more, params: jsonSchema(spec.params()), result: jsonSchema(spec.result()) }];
  });
  return `${JSON.stringify({ protocol: protocol.PROTOCOL_VERSION, methods: Object.fromEntries(methods) })}\n`;
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}
