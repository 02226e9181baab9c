// The webhooks there are, for people: where each is, how it is opened, what it does, and why one is not there.
import { defined } from "@chela/sdk/base";
import type { ErrandRecord, Ledger } from "@chela/sdk";
import type { AbsentMapping, Mapping } from "./mapping/mapping.ts";
import type { HookRules } from "./read-rules.ts";

interface WebhookRow {
  readonly id: string;
  readonly origin: "own" | "mapping" | "preset";
  readonly name: string;
  /** Absent: any path. */
  readonly path?: string;
  readonly source?: string;
  readonly preset?: string;
  readonly action?: "agent" | "wake";
  readonly opensWith?: "token" | "signature";
  readonly signature?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly deliver?: boolean;
  readonly channel?: string;
  readonly to?: string;
  readonly model?: string;
  readonly hasTransform?: boolean;
  /** Why nobody can send anything to it. */
  readonly absent?: string;
  readonly last?: {
    readonly runId: string;
    readonly at: number;
    readonly state: string;
    readonly status?: string;
    readonly delivered?: string;
  };
}

export interface WebhookList {
  readonly enabled: boolean;
  readonly path: string;
  /** Sentences about what keeps webhooks from coming in. */
  readonly problems: readonly string[];
  readonly webhooks: readonly WebhookRow[];
  /** The requests of late that were taken, newest first. */
  readonly recent: readonly RecentRequest[];
}

interface RecentRequest extends NonNullable<WebhookRow["last"]> {
  /** The id of the webhook that took it. */
  readonly webhook: string;
  readonly sessionKey: string;
  readonly error?: string;
}

const RECENT_ERRANDS = 20;

export async function listWebhooks(
  rules: HookRules,
  { ledger }: { readonly ledger: Pick<Ledger, "errands"> },
): Promise<WebhookList> {
  const { isEnabled, path, tokenProblem } = rules;
  const rows = [...ownRows(), ...rules.mappings.map(toRow), ...rules.absent.map(toAbsent)].map((row) =>
    row.opensWith === "token" && tokenProblem ? { ...row, absent: tokenProblem } : row,
  );
  const webhooks = await Promise.all(
    rows.map(async (row): Promise<WebhookRow> => {
      const [last] = await ledger.errands({ kind: "hook", owner: row.id, limit: 1 });
      return last ? { ...row, last: glance(last) } : row;
    }),
  );
  const off = isEnabled ? [] : ["hooks.enabled is not true, so no webhooks are taken."];
  const problems = [...off, ...(tokenProblem ? [tokenProblem] : [])];
  const recent = await ledger.errands({ kind: "hook", limit: RECENT_ERRANDS });
  return { enabled: isEnabled, path, problems, webhooks, recent: recent.map(toRecent) };
}

function ownRows(): WebhookRow[] {
  return (["wake", "agent"] as const).map((action) => ({
    id: action,
    origin: "own",
    name: action === "wake" ? "Wake" : "Agent",
    path: action,
    action,
    opensWith: "token",
  }));
}

function toRow(mapping: Mapping): WebhookRow {
  const { id, origin, name, path, source, preset, action, signature, agentId, sessionKey, channel, to, model } =
    mapping;
  const optional = { path, source, preset, agentId, sessionKey, channel, to, model, signature: signature?.type };
  return {
    id,
    origin,
    name,
    action,
    opensWith: signature ? "signature" : "token",
    ...(action === "agent" ? { deliver: mapping.deliver } : {}),
    ...(mapping.transform ? { hasTransform: true } : {}),
    ...defined(optional),
  };
}

function toAbsent({ id, name, path, preset, why }: AbsentMapping): WebhookRow {
  return { id, origin: "mapping", name, ...(path ? { path } : {}), ...(preset ? { preset } : {}), absent: why };
}

function glance({ runId, createdAt, state, outcome, delivered }: ErrandRecord): NonNullable<WebhookRow["last"]> {
  return {
    runId,
    at: createdAt,
    state,
    ...(outcome ? { status: outcome.status } : {}),
    ...(delivered ? { delivered: delivered.status } : {}),
  };
}

function toRecent(errand: ErrandRecord): RecentRequest {
  const { owner: webhook, sessionKey, outcome, delivered } = errand;
  const error = outcome?.error ?? delivered?.error;
  return { webhook, sessionKey, ...glance(errand), ...(error ? { error } : {}) };
}
