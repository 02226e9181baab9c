// Filter of the audit trail's events for a command, from its flags.
import { defined } from "@chela/sdk/base";
import type { FlagValues } from "@chela/sdk/command-line";
import { readTimeFlag } from "../../base/terminal/read-time-flag.ts";

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
    from: readTimeFlag(flags, "since", now),
    to: readTimeFlag(flags, "until", now),
  });
}

function withoutNothing(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return defined(values);
}
