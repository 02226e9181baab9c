// A configuration with a secret of its own in every place that the schema marks as one.
import { parsePath, putAt, type JsonObject } from "../../../src/rooms/config/edit/path.ts";
import { shapeOf } from "@chela/sdk/config";
import { isMarkedSecret } from "../../../src/rooms/config/secret-rules.ts";
import { wholeSchema } from "../../../src/rooms/config/whole-schema.ts";
import type { Canaries } from "./canaries.ts";

/** Stands for the names that people choose themselves. */
export const ANY = "any";

type Schema = Parameters<typeof shapeOf>[0];

/** The path of every secret of the schema, with `any` for names and 0 for entries of lists. */
export function secretPaths(): string[] {
  return [
    ...new Set(Object.entries(wholeSchema().shape).flatMap(([name, section]) => pathsBelow(section, name))),
  ].toSorted();
}

function pathsBelow(schema: Schema, path: string): string[] {
  if (isMarkedSecret(schema)) return [path];
  const shaped = shapeOf(schema);
  switch (shaped.kind) {
    case "object":
      return [
        ...Object.entries(shaped.shape).flatMap(([key, child]) => pathsBelow(child, `${path}.${key}`)),
        ...(shaped.rest ? pathsBelow(shaped.rest, `${path}.${ANY}`) : []),
      ];
    case "map":
      return pathsBelow(shaped.value, `${path}.${ANY}`);
    case "list":
      return pathsBelow(shaped.item, `${path}[0]`);
    case "union":
      return shaped.options.flatMap((option) => pathsBelow(option, path));
    case "leaf":
      return [];
  }
}

/** Puts one in every place but those that are kept. */
export function plantInConfig(config: JsonObject, canaries: Canaries, kept: readonly string[]): void {
  for (const path of secretPaths()) {
    if (!kept.includes(path)) putAt(config, parsePath(path), canaries.plant(path));
  }
}
