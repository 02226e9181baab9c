// A configuration with a secret of its own in every place that the schema marks as one.
import { loadConfigReference } from "../../src/config/room.ts";
import { parsePath, putAt, type JsonObject } from "../../src/config/path.ts";
import type { Canaries } from "./canaries.ts";

/** Stands for `<key>` of the schema. */
export const ANY = "any";

/** All paths that the schema marks secret. Those in `except` are left as they are. */
export async function plantInConfig(
  config: JsonObject,
  canaries: Canaries,
  except: readonly string[],
): Promise<{ readonly paths: readonly string[] }> {
  const rows = (await loadConfigReference()).configReferenceRows().filter(({ secret }) => secret);
  for (const { path, type } of rows) {
    if (except.includes(path)) continue;
    const place = path.replaceAll("<key>", ANY).replaceAll("[]", "[0]").replace(/\.\*$/, ".ANY");
    const canary = canaries.plant(path);
    putAt(config, parsePath(place), type.startsWith("record") ? { Some: canary } : canary);
  }
  return { paths: rows.map(({ path }) => path) };
}
