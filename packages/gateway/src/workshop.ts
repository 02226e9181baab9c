// What turns are made with: tools, approvals, prompts, commands. Opened when the first message or question arrives.
import type { Clock, Ids, Ledger } from "@chela/sdk";
import type { ApprovalEvent, Approvals } from "./approvals/room.ts";
import type { AuditTrail } from "./audit/room.ts";
import type { LogSink } from "./base/log.ts";
import type { Budgets } from "./budgets/room.ts";
import { elevatedFor } from "./command-world/elevated.ts";
import type { AgentSettings, ConfigStore, StatePaths } from "./config/room.ts";
import type { Outbox } from "./delivery/room.ts";
import type { Believed } from "./base/believed.ts";
import type { Devices } from "./devices/room.ts";
import type { InboundFlow } from "./flow/inbound.ts";
import type { Workbench } from "./flow/line.ts";
import type { Runs } from "./flow/runs.ts";
import type { HookBell } from "./automation/hook-bell.ts";
import type { TurnBus } from "./flow/turn-bus.ts";
import type { TurnParts } from "./flow/turn-parts.ts";
import { gatewayTool, type GatewayToolParts } from "./config/gateway-tool.ts";
import { cronTool } from "./cron/cron-tool.ts";
import type { Cron } from "./cron/room.ts";
import { joinCronTool } from "./automation/join-cron-tool.ts";
import type { WakeEvent } from "./automation/join-automation.ts";
import { joinMessageTool } from "./join-message-tool.ts";
import { joinPrompt } from "./join-prompt.ts";
import { joinSessionTools } from "./join-session-tools.ts";
import { joinTools } from "./join-tools.ts";
import { joinTurns } from "./join-turns.ts";
import { joinVision } from "./join-vision.ts";
import type { Media } from "./media/room.ts";
// Past the room, which would load all of memory with the first message.
import { isStillKnown, NO_BLOCK, readBlock } from "./memory/learned-block.ts";
import { memoryGetTool, memorySearchTool } from "./memory/memory-tools.ts";
import type { LearnedBlock, Memory } from "./memory/room.ts";
import type { MessageDesk } from "./message-desk/request.ts";
import type { Models } from "./models/room.ts";
import { nodesTool, type Nodes } from "./nodes/room.ts";
import type { KeyDefaults } from "./routing/room.ts";
import type { Sandboxes } from "./sandbox/room.ts";
import type { HistorySearch } from "./search/room.ts";
import type { Branches, Lanes, SessionStore, Transcripts } from "./sessions/room.ts";
import { sessionsSpawnTool, subagentsTool, type Subagents } from "./subagents/room.ts";
import {
  agentsListTool,
  messageTool,
  seesSession,
  sessionsHistoryTool,
  sessionsListTool,
  sessionsSearchTool,
  sessionsSendTool,
  sessionStatusTool,
  type Toolbox,
} from "./tools/room.ts";

export interface WorkshopParts {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly ledger: Ledger;
  readonly models: Models;
  readonly devices: Devices;
  readonly believed: Believed;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly branches: Branches;
  readonly lanes: Lanes;
  readonly runs: Runs;
  readonly bus: TurnBus;
  readonly outbox: Outbox;
  readonly budgets: Budgets;
  readonly audit: AuditTrail;
  readonly sandboxes: Sandboxes;
  readonly writeReply: TurnParts["writeReply"];
  readonly takeIn: TurnParts["takeIn"];
  readonly filesBehind: TurnParts["filesBehind"];
  /** Ends what waits for the disk. */
  readonly shutdown: AbortSignal;
  readonly restart: () => void;
  keys(): KeyDefaults;
  agentOf(agentId: string): AgentSettings;
  inbound(): InboundFlow;
  readonly hookFiles: HookBell["files"];
  media(): Promise<Media>;
  desk(): Promise<MessageDesk>;
  subagents(): Promise<Subagents>;
  cron(): Promise<Cron>;
  nodes(): Promise<Nodes>;
  search(): Promise<HistorySearch>;
  memory(): Promise<Memory>;
  hasMemory(agentId: string): boolean;
  wake(event: WakeEvent): Promise<void>;
  hasChannels(): boolean;
  /** Makes sure that a conversation that lies in files is there before it is continued. */
  completeImport(sessionKey: string): Promise<void>;
  /** Whether somebody is there who may answer questions about commands. */
  canAsk(sessionKey: string | undefined, runId?: string): boolean | Promise<boolean>;
  announceApproval(event: ApprovalEvent): void;
  /** What is allowed for good has changed. */
  approvalsSaved(): void;
  /** Shows a text to those who watch the session, and to the chat it was last led in; once for each run. */
  announceText(sessionKey: string, text: string, runId: string): Promise<void>;
}

export interface Workshop extends Workbench {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
  close(): Promise<void>;
}

export function openWorkshop(parts: WorkshopParts): Workshop {
  const { clock, log, config, agentOf } = parts;
  const sessionTools = joinSessionTools({
    ...parts,
    announce: (sessionKey, text, runId) => parts.announceText(sessionKey, text, runId),
  });
  const memory = {
    open: () => parts.memory(),
    isOn: (agentId: string) => parts.hasMemory(agentId),
    citations: () => config.current().memory?.citations ?? "auto",
  };
  const { toolbox, approvals, close } = joinTools({
    ...parts,
    workspace: (agentId) => agentOf(agentId).workspace,
    vision: joinVision(parts),
    seesSession: (caller, key) => seesSession(sessionTools, caller, key),
    more: [
      sessionsListTool(sessionTools),
      sessionsHistoryTool(sessionTools),
      sessionsSearchTool(sessionTools),
      sessionsSendTool(sessionTools),
      sessionStatusTool(sessionTools),
      agentsListTool(sessionTools),
      messageTool(joinMessageTool(parts)),
      cronTool(joinCronTool(parts)),
      gatewayTool(gatewayToolParts(parts)),
      sessionsSpawnTool({ open: () => parts.subagents() }),
      subagentsTool({ open: () => parts.subagents() }),
      memorySearchTool(memory),
      memoryGetTool(memory),
      nodesTool({ ids: parts.ids, open: () => parts.nodes(), hasNodes: () => hasNodes(parts.devices) }),
    ],
    circumstances: () => (hasNodes(parts.devices) ? "nodes" : ""),
    announce: (event) => parts.announceApproval(event),
    approvalsSaved: () => parts.approvalsSaved(),
    mayElevate: (agentId, requester) => elevatedFor(config, agentId, requester).kind === "allowed",
    notifyExit({ agentId, sessionKey, processId, text, standing }) {
      const key = `exec:${processId}:${clock.now()}`;
      parts
        .wake({ agentId, sessionKey, text, mode: "now", reason: "exec-event", key, standing })
        .catch((error: unknown) => log.warn("nobody could be told that a command ended", { error: String(error) }));
    },
  });
  const prompts = joinPrompt({
    clock,
    log,
    config,
    agentOf,
    hookFiles: parts.hookFiles,
    sandboxOf: (subject) => parts.sandboxes.describe(subject),
    learnedOf: (agentId) => learnedOf(agentId, parts),
    isStillKnown: (agentId, block) => isStillKnown(parts.ledger, agentId, block),
  });
  return { ...joinTurns({ ...parts, tools: toolbox, approvals, prompts }), tools: toolbox, approvals, close };
}

/** After a moment, so that the turn that asks for it is among those that are waited for. */
const RESTART_AFTER_MS = 500;

function gatewayToolParts({ clock, config, audit, restart }: WorkshopParts): GatewayToolParts {
  return {
    config,
    inNameOf: ({ requester: { channel, account, id } }, work) => audit.inNameOf(`${channel}:${account}:${id}`, work),
    restart: () => void clock.after(RESTART_AFTER_MS, () => restart()),
  };
}

/** What the owner's own words taught, for the prompt. */
async function learnedOf(agentId: string, { config, ledger, hasMemory }: WorkshopParts): Promise<LearnedBlock> {
  const { enabled = true, inPrompt = true } = config.current().memory?.learning ?? {};
  return enabled && inPrompt && hasMemory(agentId) ? await readBlock(ledger, agentId) : NO_BLOCK;
}

function hasNodes(devices: Devices): boolean {
  return devices.list().paired.some(({ role, roles = [] }) => role === "node" || roles.includes("node"));
}
