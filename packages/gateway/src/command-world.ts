// The world chat commands act on: each of their needs, filled by the room that owns it.
import { resolve } from "node:path";
import {
  GatewayError,
  normalizeAgentId,
  type Clock,
  type InboxMessage,
  type Ledger,
  type Requester,
  type RunRecord,
  type SessionEntry,
} from "@chela/sdk";
import type { Approvals } from "./approvals/room.ts";
import { errnoOf, writeFileAtomic } from "./base/files.ts";
import { nameLimit, type Budgets } from "./budgets/room.ts";
import {
  createCommands,
  type CommandSettings,
  type CommandWorld,
  type ConversationBranch,
  type ConversationMove,
  type Refusal,
  type SessionPatch,
} from "./commands/room.ts";
import type { ConfigStore } from "./config/room.ts";
import type { InboundFlow } from "./flow/inbound.ts";
import { requesterOf, type MessageBody } from "./flow/message-body.ts";
import type { RanCommands } from "./flow/turn-parts.ts";
import { spenderOf } from "./flow/turn-stage.ts";
import { isGuardedPlace } from "./guarded-config.ts";
import { liesInside } from "./inside-folder.ts";
import type { Models } from "./models/room.ts";
import { renderTranscript, type Branches, type SessionStore, type Transcripts } from "./sessions/room.ts";

type ContextReport = Awaited<ReturnType<CommandWorld["contextReport"]>>;

export interface CommandWorldParts {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly config: ConfigStore;
  readonly models: Models;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly branches: Branches;
  readonly approvals: Approvals;
  readonly budgets: Budgets;
  inbound(): InboundFlow;
  isBusy(sessionKey: string): boolean;
  settings(): CommandSettings;
  workspace(agentId: string): string;
  agents(): readonly { readonly id: string; readonly name?: string }[];
  tools(message: InboxMessage, body: MessageBody, entry: SessionEntry): Promise<readonly string[]>;
  contextReport(message: InboxMessage, body: MessageBody, entry: SessionEntry): Promise<ContextReport>;
  /** Undefined when the gateway cannot start itself anew. */
  readonly restart: (() => void) | undefined;
}

/** More than anybody reads in one page. */
const MAX_EXPORTED = 20_000;
const DAY_MS = 86_400_000;
/** The channel of those who came through the gateway's own door. */
const OPERATORS = "webchat";
const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"];

export function createCommandRunner(parts: CommandWorldParts) {
  const commands = createCommands({ knowsModel: (ref) => knowsModel(parts.models, ref) });

  async function run(record: RunRecord, body: MessageBody): Promise<RanCommands> {
    const patch: Record<string, unknown> = {};
    const world = createWorld(record, body, parts, patch);
    const recognition = body.recognised as Parameters<typeof commands.run>[0] | undefined;
    const outcome = await commands.run(recognition ?? { kind: "text", text: body.text }, world);
    return { outcome, hasPatch: Object.keys(patch).length > 0, patch: (entry) => applyPatch(entry, patch) };
  }

  return { commands, run };
}

function knowsModel(models: Models, ref: string): boolean {
  try {
    models.resolve(ref);
    return true;
  } catch {
    return false;
  }
}

function applyPatch(entry: SessionEntry, patch: Readonly<Record<string, unknown>>): SessionEntry {
  const next: Record<string, unknown> = { ...entry, ...patch };
  for (const [field, value] of Object.entries(patch)) if (value === null) delete next[field];
  return next as SessionEntry;
}

function createWorld(
  { message }: RunRecord,
  body: MessageBody,
  parts: CommandWorldParts,
  patch: Record<string, unknown>,
): CommandWorld {
  const { sessionKey, agentId, runId, admittedAt } = message;
  const { ledger, config, models } = parts;
  const requester = requesterOf(message, body);
  const session = async () => {
    const entry = await ledger.session(sessionKey);
    if (!entry && Object.keys(patch).length === 0) return undefined;
    return applyPatch(entry ?? { sessionId: "", updatedAt: admittedAt }, patch);
  };
  const requireSession = async (): Promise<SessionEntry> => {
    const entry = await session();
    if (entry?.sessionId) return entry;
    throw new GatewayError("SESSION_TREE", "this conversation has not begun yet");
  };
  const candidates = async () => {
    const entry = await session();
    const override = entry?.modelOverride && `${entry.providerOverride ?? ""}/${entry.modelOverride}`;
    return models.candidates({ agentId, override: override || undefined });
  };
  const defaults = config.current().agents?.defaults;
  const exec = config.current().tools?.exec;
  const timeZone = defaults?.userTimezone;

  return {
    version: parts.version,
    now: admittedAt,
    startedAt: parts.startedAt,
    ...(timeZone ? { timeZone } : {}),
    requester,
    settings: parts.settings(),
    sessionKey,
    agentId,
    defaults: {
      thinking: defaults?.thinkingDefault ?? "low",
      verbose: defaults?.verboseDefault ?? "off",
      reasoning: "off",
      elevated: defaults?.elevatedDefault ?? "on",
      exec: { host: exec?.host ?? "gateway", security: exec?.security ?? "allowlist", ask: exec?.ask ?? "on-miss" },
      queue: config.current().messages?.queue?.mode ?? "collect",
      activation: "mention",
    },
    session,
    patchSession: async (fields: SessionPatch) => void Object.assign(patch, fields),
    elevated: () => elevatedFor(config, agentId, requester),
    models: {
      list: async () =>
        (await models.list(agentId)).map((model) => ({ ...choiceOf(model), ...aliasOf(config, model) })),
      resolve: async (ref) => orRefusal(() => ({ kind: "found" as const, model: choiceOf(models.resolve(ref)) })),
      candidates: async () => (await candidates()).map(refOf),
      current: async () => {
        const [model] = await candidates();
        const [usual] = await models.candidates({ agentId });
        const profile =
          (await session())?.authProfileOverride ?? (model && firstProfile(models, agentId, model.provider));
        return {
          ref: model ? refOf(model) : "none",
          defaultRef: usual ? refOf(usual) : "none",
          thinkingLevels: model?.reasoning === false ? ["off"] : THINKING_LEVELS,
          ...(profile ? { credential: profile } : {}),
        };
      },
      profiles: async (provider) =>
        models.profiles
          .view(agentId)
          .filter((view) => view.provider === provider)
          .map(({ id }) => id),
    },
    config: {
      get: async (path) => (path ? valueOf(config.getPath(path)) : config.describe().config),
      set: async (path, value) => changeConfig(path, () => config.setPath(path, parseValue(value))),
      unset: async (path) => changeConfig(path, () => config.unsetPath(path)),
    },
    debug: {
      show: () => config.overrides(),
      set: (path, value) => override(path, () => config.override(path, parseValue(value))),
      unset: (path) =>
        override(path, () => {
          if (!config.dropOverride(path)) throw new GatewayError("CONFIG_INVALID", `${path} is not overridden`);
        }),
      reset: () => config.dropOverrides(),
    },
    approvals: {
      list: async () =>
        parts.approvals.list().map(({ id, request, expiresAtMs }) => ({
          id: id.slice(0, 8),
          command: request.command,
          expiresAt: expiresAtMs,
        })),
      resolve: async (id, decision) =>
        orRefusal(() => {
          const waiting = parts.approvals.list().find((one) => one.id.startsWith(id));
          parts.approvals.resolve(id, decision, requester.name ?? requester.id);
          return { kind: "resolved" as const, command: waiting?.request.command ?? "" };
        }),
    },
    tree: {
      checkpoint: async (name) => {
        const { entryId, label, timestamp } = await parts.branches.checkpoint((await requireSession()).sessionId, name);
        return { id: entryId, name: label, at: Date.parse(timestamp), preview: "" };
      },
      rewind: async (to) => move(to.kind === "turns" ? { turns: to.count } : { ref: to.nameOrId }),
      switchTo: async (nameOrId) => move({ ref: nameOrId }),
      branches: async () => listBranches(parts, (await requireSession()).sessionId),
    },
    compact: async (instructions) => compactNow(instructions),
    usage: async () => {
      const spent = async (from: number, of?: { session: string }) => {
        const sum = await ledger.usageTotal({ from, to: Number.MAX_SAFE_INTEGER, ...(of ? { of } : {}) });
        const cost = sum.inputCost + sum.outputCost + sum.cacheReadCost + sum.cacheWriteCost;
        return { tokens: sum.input + sum.output + sum.cacheRead + sum.cacheWrite, cost };
      };
      const midnight = new Date(admittedAt).setHours(0, 0, 0, 0);
      return {
        session: await spent(0, { session: sessionKey }),
        today: await spent(midnight),
        month: await spent(admittedAt - 30 * DAY_MS),
      };
    },
    budgets: async () => listBudgets(parts.budgets, message, requester),
    contextReport: async () => parts.contextReport(message, body, await requireSession()),
    exportSession: async (path) => exportTo(path, await requireSession()),
    restart: async () => {
      if (!parts.restart) return { kind: "refused", why: "This gateway cannot start itself anew." };
      // A command that is run again after the restart it asked for must not ask for another.
      if (parts.startedAt > admittedAt) return { kind: "restarting" };
      const { restart } = parts;
      parts.clock.after(500, () => restart());
      return { kind: "restarting" };
    },
    agents: () => parts.agents(),
    tools: async () => parts.tools(message, body, (await session()) ?? { sessionId: "", updatedAt: admittedAt }),
  };

  async function move(target: { turns: number } | { ref: string }): Promise<ConversationMove> {
    if (parts.isBusy(sessionKey)) return { kind: "refused", why: "An answer is being written. Send /stop first." };
    const { sessionId } = await requireSession();
    return asyncOrRefusal(async () => {
      const { entryId, preview } = await parts.branches.moveTo(sessionId, target, runId);
      parts.transcripts.forget(sessionId);
      Object.assign(patch, { totalTokensFresh: false });
      return { kind: "moved" as const, to: { id: entryId ?? "", at: admittedAt, preview } };
    });
  }

  async function compactNow(instructions: string): ReturnType<CommandWorld["compact"]> {
    parts.inbound().stop(sessionKey, "stop");
    const chore: MessageBody = { text: "", chore: { kind: "compaction", ...(instructions ? { instructions } : {}) } };
    const admitted = await parts.inbound().chore({ runId: `compact:${runId}`, agentId, sessionKey, body: chore });
    const outcome =
      admitted.kind === "accepted" || admitted.kind === "duplicate"
        ? ((await admitted.done) ?? (await ledger.run(`compact:${runId}`))?.outcome)
        : undefined;
    const meta = outcome?.meta ?? {};
    if (meta["kind"] !== "compacted") {
      return { kind: "kept", why: String(meta["why"] ?? outcome?.error ?? "The conversation stays as it is.") };
    }
    return {
      kind: "compacted",
      before: Number(meta["before"]),
      after: Number(meta["after"]),
      window: Number(meta["window"]),
    };
  }

  async function exportTo(path: string | undefined, { sessionId }: SessionEntry) {
    const root = parts.workspace(agentId);
    const stamp = new Date(admittedAt).toISOString().replace(/[:.]/g, "-");
    const target = resolve(root, path ?? `openclaw-session-${sessionId.slice(0, 8)}-${stamp}.html`);
    if (!liesInside(root, target)) {
      return { kind: "refused" as const, why: `The file must lie in the workspace ${root}.` };
    }
    const entries = await parts.transcripts.path(sessionId, MAX_EXPORTED);
    try {
      writeFileAtomic(target, renderTranscript(sessionKey, entries));
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      return { kind: "refused" as const, why: `${target} cannot be written (${code}). Name another file.` };
    }
    return { kind: "written" as const, path: target };
  }
}

function choiceOf(model: { provider: string; id: string; name: string }) {
  return { provider: model.provider, id: model.id, name: model.name };
}

function refOf(model: { provider: string; id: string }): string {
  return `${model.provider}/${model.id}`;
}

function aliasOf(config: ConfigStore, model: { provider: string; id: string }): { alias?: string } {
  const alias = config.current().agents?.defaults?.models?.[refOf(model)]?.alias;
  return alias ? { alias } : {};
}

function firstProfile(models: Models, agentId: string, provider: string): string | undefined {
  return models.profiles.view(agentId).find((view) => view.provider === provider)?.id;
}

/** Whoever runs the gateway may; a sender in a channel only when named there, and never by "*". */
export function mayElevate(config: ConfigStore, agentId: string, requester: Elevating): boolean {
  return elevatedFor(config, agentId, requester).kind === "allowed";
}

type Elevating = Pick<Requester, "id" | "channel" | "isOwner">;

function elevatedFor(
  config: ConfigStore,
  agentId: string,
  requester: Elevating,
): { readonly kind: "allowed" } | Refusal {
  const own = config.current().agents?.list?.find(({ id }) => normalizeAgentId(id) === agentId)?.tools?.elevated;
  const all = config.current().tools?.elevated;
  if (all?.enabled === false || own?.enabled === false) {
    return { kind: "refused", why: "Elevated commands are switched off (tools.elevated.enabled)." };
  }
  if (requester.channel === OPERATORS && requester.isOwner) return { kind: "allowed" };
  const names = (lists: typeof all) => lists?.allowFrom?.[requester.channel]?.map(String) ?? [];
  const isNamed = (lists: typeof all) => !["", "*"].includes(requester.id) && names(lists).includes(requester.id);
  if (isNamed(all) && (own?.allowFrom === undefined || isNamed(own))) return { kind: "allowed" };
  return { kind: "refused", why: "You are not in tools.elevated.allowFrom." };
}

async function listBranches({ branches }: CommandWorldParts, sessionId: string): Promise<ConversationBranch[]> {
  const tree = await branches.tree(sessionId);
  const tips = tree.branches.map(({ entryId, timestamp, preview, labels, isActive }) => ({
    id: entryId,
    at: Date.parse(timestamp),
    preview,
    isCurrent: isActive,
    ...(labels[0] ? { name: labels[0] } : {}),
  }));
  const known = new Set(tips.map(({ id }) => id));
  const points = tree.checkpoints
    .filter(({ entryId }) => !known.has(entryId))
    .map(({ entryId, label, timestamp }) => ({
      id: entryId,
      name: label,
      at: Date.parse(timestamp),
      preview: "",
      isCurrent: false,
    }));
  return [...tips, ...points].toSorted((a, b) => b.at - a.at);
}

async function listBudgets(budgets: Budgets, message: InboxMessage, requester: ReturnType<typeof requesterOf>) {
  const states = await budgets.view(spenderOf(message, requester));
  return states.flatMap(({ limit, spent }) => {
    const resetsAt = limit.period === "total" ? {} : { resetsAt: limit.to };
    const name = nameLimit(limit);
    return [
      ...(Number.isFinite(limit.usd)
        ? [{ name, unit: "usd" as const, limit: limit.usd, used: spent.usd, ...resetsAt }]
        : []),
      ...(Number.isFinite(limit.tokens)
        ? [{ name, unit: "tokens" as const, limit: limit.tokens, used: spent.tokens, ...resetsAt }]
        : []),
    ];
  });
}

function valueOf(found: ReturnType<ConfigStore["getPath"]>): unknown {
  return found.kind === "found" ? found.value : undefined;
}

/** As it was typed: JSON where it is JSON, a text otherwise. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refuseGuarded(path: string): Refusal | undefined {
  if (!isGuardedPlace(path)) return undefined;
  return { kind: "refused", why: `${path} guards the gateway. Change it on its machine: chela config set ${path} …` };
}

function changeConfig(path: string, change: () => ReturnType<ConfigStore["setPath"]>) {
  return orRefusal(() => {
    const refusal = refuseGuarded(path);
    if (refusal) return refusal;
    const report = change();
    return { kind: "changed" as const, needsRestart: report.kind === "written" && report.plan.restart };
  });
}

function override(path: string, change: () => void): { readonly kind: "changed" } | Refusal {
  return orRefusal(() => {
    const refusal = refuseGuarded(path);
    if (refusal) return refusal;
    change();
    return { kind: "changed" as const };
  });
}

function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    return refusalOf(error);
  }
}

async function asyncOrRefusal<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (!GatewayError.is(error)) throw error;
  return { kind: "refused", why: error.explain() };
}
