// JSON Schemas of each method's parameters. They bring the whole protocol along, so they are loaded on demand.
import { METHODS, type MethodName } from "@chela/sdk/protocol";
import { config, toJSONSchema } from "zod";

// Or it would try whether code can be made from text, which the policy of the page forbids and reports.
config({ jitless: true });

export interface MethodReference {
  readonly says: string;
  readonly scope: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Undefined for a method this page does not know, such as one a plugin brings. */
export function describeMethod(name: string): MethodReference | undefined {
  if (!Object.hasOwn(METHODS, name)) return undefined;
  const { says, scope, params } = METHODS[name as MethodName];
  const { $schema: _, ...schema } = toJSONSchema(params(), { io: "input", unrepresentable: "any" });
  return { says, scope, params: schema };
}
