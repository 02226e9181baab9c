// Whether the settings of a plugin are what its manifest describes.
import * as z from "zod";
import type { PluginManifest } from "../discover/found.ts";

/** A sentence; undefined when they fit, when there are none, or when the description itself cannot be read. */
export function whyConfigInvalid({ configSchema }: PluginManifest, config: unknown): string | undefined {
  if (configSchema === undefined || config === undefined) return undefined;
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema(configSchema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
  const read = schema.safeParse(config);
  if (read.success) return undefined;
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join(".");
  return `Its settings are not what it asks for: ${place ? `${place}: ` : ""}${issue?.message ?? "they cannot be read"}.`;
}
