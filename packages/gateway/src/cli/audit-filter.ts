// Which events of the audit trail a command asks for, from its flags.
import { readDuration } from "../base/read-duration.ts";
import { usageFailure } from "./command-failure.ts";
import type { FlagValues } from "./command-spec.ts";

/** As `audit.list` takes it. */
export function auditFilter(flags: FlagValues, now: number): Record<string, unknown> {
  const actions = flags.list("action");
  const outcomes = [...(flags.has("denied") ? ["denied"] : []), ...(flags.has("failed") ? ["failed"] : [])];
  return withoutNothing({
    actions: actions.length > 0 ? actions : undefined,
    outcomes: outcomes.length > 0 ? outcomes : undefined,
    actor: flags.text("actor"),
    agentId: flags.text("agent"),
    sessionKey: flags.text("session"),
    channel: flags.text("channel"),
    traceId: flags.text("trace"),
    search: flags.text("search"),
    from: readTime("since", flags.text("since"), now),
    to: readTime("until", flags.text("until"), now),
  });
}

/** "2d" is two days ago; anything else is a date. */
function readTime(flag: string, written: string | undefined, now: number): number | undefined {
  if (written === undefined) return undefined;
  const ago = /[a-z]/i.test(written) ? readDuration(written, "d") : undefined;
  if (ago !== undefined) return now - ago;
  const date = /^\d{4}-\d{2}-\d{2}/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isFinite(date)) return date;
  throw usageFailure(`--${flag} ${written} is no time: write how long ago (2d, 12h, 30m) or a date (2026-01-31).`);
}

function withoutNothing(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
