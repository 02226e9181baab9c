// Whether the settings of a plugin are what its manifest describes.
import type { PluginManifest } from "../discover/found.ts";
import { readJsonSchema } from "../json-schema.ts";

/** A sentence; undefined when they fit, when there are none, or when the description itself cannot be read. */
export function whyConfigInvalid({ configSchema }: PluginManifest, config: unknown): string | undefined {
  if (configSchema === undefined || config === undefined) return undefined;
  const read = readJsonSchema(configSchema)?.safeParse(config);
  if (!read || read.success) return undefined;
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join(".");
  return `Its settings are not what it asks for: ${place ? `${place}: ` : ""}${issue?.message ?? "they cannot be read"}.`;
}
