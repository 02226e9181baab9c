// Notices settings that lie in a split YAML directory, which some setups around OpenClaw keep: they are not read here.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Undefined when there is no such directory, or nothing in it. */
export function splitConfigNotice({
  home,
  configPath,
}: {
  readonly home: string;
  readonly configPath: string;
}): string | undefined {
  const place = join(home, "nexus", "state");
  if (!existsSync(place)) return undefined;
  const found = readdirSync(place, { recursive: true, encoding: "utf8" }).some((name) => /\.ya?ml$/.test(name));
  return found
    ? `The YAML files in ${place} are not read; settings belong into ${configPath}, which may include others.`
    : undefined;
}
