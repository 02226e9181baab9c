// Requirements of a hook that are not met here, in words that say what to do about it.
import { hasProgram, valueAt } from "../../base/requirements.ts";
import type { Manifest } from "./manifest.ts";

export interface HookEnvironment {
  readonly platform: string;
  /** Of the gateway, with what the hook's settings add. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The whole configuration. */
  readonly config: unknown;
}

/** Settings that always have a value, because the gateway has one for them. */
const ALWAYS_SET: ReadonlySet<string> = new Set(["workspace.dir", "agents.defaults.workspace"]);

export function missingFor({ requires, always }: Manifest, around: HookEnvironment): string[] {
  const { os, bins = [], anyBins = [], env = [], config = [] } = requires;
  const isHere = !os?.length || os.includes(around.platform);
  const missing = isHere ? [] : [`It runs on ${os.join(", ")} only; this is ${around.platform}.`];
  if (always) return missing;
  const absent = bins.filter((name) => !hasProgram(name, around.env));
  if (absent.length > 0) missing.push(`Programs are missing: ${absent.join(", ")}.`);
  if (anyBins.length > 0 && !anyBins.some((name) => hasProgram(name, around.env))) {
    missing.push(`One of these programs is needed: ${anyBins.join(", ")}.`);
  }
  const unset = env.filter((name) => !around.env[name]);
  if (unset.length > 0) missing.push(`Environment variables are not set: ${unset.join(", ")}.`);
  const off = config.filter((path) => !ALWAYS_SET.has(path) && !valueAt(around.config, path));
  if (off.length > 0) missing.push(`Settings are missing or off: ${off.join(", ")}.`);
  return missing;
}
