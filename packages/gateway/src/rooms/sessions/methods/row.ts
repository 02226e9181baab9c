// A session as lists and events show it.
import { defined } from "@chela/sdk/base";
import { agentOfSessionKey, sessionKind, type SessionEntry } from "@chela/sdk";
import { SESSION_ROW_FIELDS } from "@chela/sdk/protocol";

export interface RowDefaults {
  readonly provider: string;
  readonly id: string;
  readonly contextWindow: number;
}

/** `live` are the turns that are being answered in it. */
export function sessionRow(
  key: string,
  entry: SessionEntry,
  model: RowDefaults,
  live: ReadonlyArray<{ readonly startedAt?: number }>,
) {
  const row: Record<string, unknown> = {};
  for (const field of SESSION_ROW_FIELDS) if (entry[field] !== undefined) row[field] = entry[field];
  const agentId = agentOfSessionKey(key);
  const name = entry.displayName ?? entry.label;
  return {
    key,
    kind: sessionKind(key),
    ...defined({ agentId }),
    updatedAt: entry.updatedAt,
    totalTokensFresh: entry.totalTokensFresh ?? false,
    ...modelFields(entry, model),
    ...row,
    ...defined({ displayName: name }),
    ...runningFields(live),
  };
}

/** What will answer where nothing has answered yet. */
function modelFields({ providerOverride, modelOverride }: SessionEntry, { provider, id, contextWindow }: RowDefaults) {
  if (modelOverride !== undefined) return { modelProvider: providerOverride ?? provider, model: modelOverride };
  return { modelProvider: provider, model: id, contextTokens: contextWindow };
}

/** What the entry says of the turn before does not hold while another one is under way. */
function runningFields([first]: ReadonlyArray<{ readonly startedAt?: number }>): object {
  if (!first) return {};
  return { status: "running", startedAt: first.startedAt, endedAt: undefined, runtimeMs: undefined };
}
