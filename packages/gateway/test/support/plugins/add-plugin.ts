// Puts a plugin where the state directory has them.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Json } from "../wire-client.ts";

/** Files by their names; a manifest is written unless there is one among them. Returns the plugin's folder. */
export function addPlugin(
  stateDir: string,
  id: string,
  files: Readonly<Record<string, string>>,
  manifest: Json = {},
): string {
  const root = join(stateDir, "extensions", id);
  const whole = {
    "openclaw.plugin.json": JSON.stringify({ id, configSchema: { type: "object" }, ...manifest }),
    ...files,
  };
  for (const [name, text] of Object.entries(whole)) {
    mkdirSync(dirname(join(root, name)), { recursive: true, mode: 0o755 });
    writeFileSync(join(root, name), text, { mode: 0o644 });
  }
  return root;
}
