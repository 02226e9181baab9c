// Checks a text that is to become the config, as writing it would, and leaves everything as it is.
import { GatewayError, type Clock } from "@chela/sdk";
import { replaceWhole } from "../edit/change.ts";
import type { ConfigIssue } from "./issue.ts";
import { readConfig, type Reading, type ConfigSources } from "./load.ts";
import { formatPath } from "../edit/path.ts";
import { restoreText, type RestoreFrom } from "../edit/redact-text.ts";
import type { TextCheck } from "../store-types.ts";
import { checkChange } from "../edit/writer.ts";

export interface CheckParts {
  readonly from: RestoreFrom;
  readonly surroundings: ConfigSources;
  readonly clock: Clock;
  readonly version: string;
}

export function checkText(raw: string, before: Reading, parts: CheckParts): TextCheck {
  const refusal = refusalOf(raw, before, parts);
  const read = readConfig(withSecrets(raw, parts.from), parts.surroundings);
  const errors: readonly ConfigIssue[] = read.issues;
  // What stands in no single place, such as a key that an included file owns, is told for the file as a whole.
  const whole = refusal && errors.length === 0 ? [{ path: "", message: refusal.detail }] : [];
  return {
    ok: refusal === undefined,
    issues: [
      ...[...errors, ...whole].map((issue) => ({ ...issue, level: "error" as const })),
      ...read.warnings.map((issue) => ({ ...issue, level: "warning" as const })),
    ],
    notUsedYet: read.unused.map(({ path }) => formatPath(path)),
  };
}

function refusalOf(raw: string, before: Reading, { from, ...options }: CheckParts): GatewayError | undefined {
  try {
    checkChange(replaceWhole(raw, before, from), before, options);
    return undefined;
  } catch (error) {
    if (GatewayError.is(error)) return error;
    throw error;
  }
}

/** A text that cannot be completed is read as it is: what is wrong with it is told either way. */
function withSecrets(raw: string, from: RestoreFrom): string {
  try {
    return restoreText(raw, from);
  } catch {
    return raw;
  }
}
