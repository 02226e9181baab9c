// The world chat commands act on: each of their needs, filled by the room that owns it.
import {
  GatewayError,
  type Clock,
  type InboxMessage,
  type Ledger,
  type RunRecord,
  type SessionEntry,
} from "@chela/sdk";
import type { Approvals } from "../../rooms/approvals/room.ts";
import type { AuditTrail } from "../../rooms/audit/room.ts";
import type { Budgets } from "../../rooms/budgets/room.ts";
import {
  createCommands,
  type CommandApprovals,
  type CommandSettings,
  type CommandWorld,
  type SessionDefaults,
  type SessionPatch,
} from "../../rooms/commands/room.ts";
import { usualChoices, type ChelaConfig, type ConfigStore } from "../../rooms/config/room.ts";
import type { Inbound as InboundFlow } from "../receive.ts";
import { actorOf, requesterOf, type MessageBody } from "../message-body.ts";
import type { RanCommands } from "../turn/kit.ts";
import type { Models } from "../../rooms/models/room.ts";
import type { Branches, Transcripts } from "../../rooms/sessions/room.ts";
import { elevatedFor } from "./elevated.ts";
import { exportSession } from "./export-session.ts";
import { orRefusal } from "./refusals.ts";
import { configFor, overridesFor, type InName } from "./config.ts";
import { knowsModel, modelsFor } from "./models.ts";
import { budgetsFor, usageFor } from "./spending.ts";
import { treeFor } from "./tree.ts";
import type { Subagents } from "../../rooms/subagents/room.ts";
import { helpersFor } from "./helpers.ts";

type ContextReport = Awaited<ReturnType<CommandWorld["contextReport"]>>;

export interface CommandWorldParts {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly config: ConfigStore;
  readonly models: Models;
  readonly transcripts: Transcripts;
  readonly branches: Branches;
  readonly approvals: Approvals;
  readonly budgets: Budgets;
  readonly audit: Pick<AuditTrail, "inNameOf" | "isUnsettled" | "settled">;
  inbound(): InboundFlow;
  subagents(): Promise<Subagents>;
  isBusy(sessionKey: string): boolean;
  settings(): CommandSettings;
  workspace(agentId: string): string;
  agents(): readonly { readonly id: string; readonly name?: string }[];
  tools(message: InboxMessage, body: MessageBody, entry: SessionEntry): Promise<readonly string[]>;
  contextReport(message: InboxMessage, body: MessageBody, entry: SessionEntry): Promise<ContextReport>;
  restart(): void;
}

const RESTART_AFTER_MS = 500;

export function createCommandRunner(parts: CommandWorldParts) {
  const commands = createCommands({ knowsModel: (ref) => knowsModel(parts.models, ref) });

  async function run(record: RunRecord, body: MessageBody): Promise<RanCommands> {
    const patch: Record<string, unknown> = {};
    const world = createWorld(record, body, parts, patch);
    const recognition = body.recognised as Parameters<typeof commands.run>[0] | undefined;
    const outcome = await commands.run(recognition ?? { kind: "text", text: body.text }, world);
    // What it changed of who may do what is written down before anybody is told that it was done.
    if (parts.audit.isUnsettled) await parts.audit.settled();
    return { outcome, hasPatch: Object.keys(patch).length > 0, patch: (entry) => applyPatch(entry, patch) };
  }

  return { commands, run };
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
  const { ledger, config } = parts;
  const requester = requesterOf(message, body);
  const inName: InName = (work) => parts.audit.inNameOf(actorOf(message, body), work);
  const timeZone = config.current().agents?.defaults?.userTimezone;
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
  const tools = async () => parts.tools(message, body, (await session()) ?? { sessionId: "", updatedAt: admittedAt });
  return {
    version: parts.version,
    now: admittedAt,
    startedAt: parts.startedAt,
    ...(timeZone ? { timeZone } : {}),
    requester,
    settings: parts.settings(),
    sessionKey,
    agentId,
    defaults: defaultsOf(config.current()),
    session,
    patchSession: async (fields: SessionPatch) => void Object.assign(patch, fields),
    elevated: () => elevatedFor(config, agentId, requester),
    models: modelsFor(agentId, session, parts),
    config: configFor(config, inName),
    debug: overridesFor(config, inName),
    approvals: approvalsFor(parts.approvals, requester.name ?? requester.id, inName),
    tree: treeFor({
      branches: parts.branches,
      transcripts: parts.transcripts,
      by: runId,
      at: admittedAt,
      requireSession,
      isBusy: () => parts.isBusy(sessionKey),
      moved: () => void Object.assign(patch, { totalTokensFresh: false }),
    }),
    helpers: helpersFor(message, { requester, tools, subagents: () => parts.subagents() }),
    compact: (instructions) => compactNow(instructions, message, parts),
    usage: () => usageFor(message, ledger),
    budgets: () => budgetsFor(message, requester, parts.budgets),
    contextReport: async () => parts.contextReport(message, body, await requireSession()),
    exportSession: async (path) => {
      const workspace = parts.workspace(agentId);
      return exportSession(path, await requireSession(), message, { workspace, transcripts: parts.transcripts });
    },
    restart: async () => {
      // A command that is run again after the restart it asked for must not ask for another.
      if (parts.startedAt <= admittedAt) parts.clock.after(RESTART_AFTER_MS, () => parts.restart());
      return { kind: "restarting" };
    },
    agents: () => parts.agents(),
    tools,
  };
}

/** What holds where a session says nothing. */
function defaultsOf(config: ChelaConfig): SessionDefaults {
  const { exec, ...usual } = usualChoices(config);
  return { ...usual, reasoning: "off", exec: { host: "gateway", ...exec }, activation: "mention" };
}

function approvalsFor(approvals: Approvals, by: string, inName: InName): CommandApprovals {
  return {
    list: async () =>
      approvals.list().map(({ id, request, expiresAtMs }) => ({
        id: id.slice(0, 8),
        command: request.command,
        expiresAt: expiresAtMs,
      })),
    resolve: async (id, decision) =>
      orRefusal(() => {
        const waiting = approvals.list().find((one) => one.id.startsWith(id));
        inName(() => approvals.resolve(id, decision, by));
        return { kind: "resolved" as const, command: waiting?.request.command ?? "" };
      }),
  };
}

async function compactNow(
  instructions: string,
  message: InboxMessage,
  { inbound, ledger }: CommandWorldParts,
): ReturnType<CommandWorld["compact"]> {
  const { runId, agentId, sessionKey } = message;
  await inbound().stopEarlier(message);
  const body: MessageBody = { text: "", chore: { kind: "compaction", ...(instructions ? { instructions } : {}) } };
  const admitted = await inbound().chore({ runId: `compact:${runId}`, agentId, sessionKey, body });
  const outcome =
    admitted.kind === "accepted" || admitted.kind === "duplicate"
      ? ((await admitted.done) ?? (await ledger.run(`compact:${runId}`))?.outcome)
      : undefined;
  const meta = outcome?.meta ?? {};
  if (meta["kind"] !== "compacted") {
    return { kind: "kept", why: String(meta["why"] ?? outcome?.error ?? "The conversation stays as it is.") };
  }
  const [before, after, window] = [Number(meta["before"]), Number(meta["after"]), Number(meta["window"])];
  return { kind: "compacted", before, after, window };
}
