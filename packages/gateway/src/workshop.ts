// What turns are made with: tools, approvals, prompts, commands. Opened when the first message or question arrives.
import { announceApproval } from "./server/announce-approval.ts";
import { holdsScope } from "./server/scopes.ts";
import type { House } from "./house/house.ts";
import { agentOfSessionKey } from "@chela/sdk";
import type { ApprovalEvent, Approvals } from "./approvals/room.ts";
import { elevatedFor } from "./command-world/elevated.ts";
import { memorySettings } from "./config/room.ts";
import type { Devices } from "./devices/room.ts";
import type { Workbench } from "./flow/line.ts";
import { gatewayTool, type GatewayToolParts } from "./config/gateway-tool.ts";
import { cronTool } from "./cron/cron-tool.ts";
import { joinCronTool } from "./automation/join-cron-tool.ts";
import { joinMessageTool } from "./join-message-tool.ts";
import { joinPrompt } from "./join-prompt.ts";
import { joinSessionTools } from "./join-session-tools.ts";
import { joinTools } from "./join-tools.ts";
import { joinTurns } from "./join-turns.ts";
import { joinVision } from "./join-vision.ts";
// Past the room, which would load all of memory with the first message.
import { isStillKnown, NO_BLOCK, readBlock } from "./memory/learned-block.ts";
import { memoryGetTool, memorySearchTool } from "./memory/memory-tools.ts";
import type { LearnedBlock } from "./memory/room.ts";
import { nodesTool } from "./nodes/room.ts";
import { sessionsSpawnTool, subagentsTool } from "./subagents/room.ts";
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

export interface Workshop extends Workbench {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
  close(): Promise<void>;
}

export function openWorkshop(house: House): Workshop {
  const { clock, log, config, agentOf } = house;
  const sessionTools = joinSessionTools(house);
  const memory = {
    open: () => house.memory(),
    isOn: (agentId: string) => hasMemory(agentId, house),
    citations: () => config.current().memory?.citations ?? "auto",
  };
  const { toolbox, approvals, close } = joinTools(house, {
    vision: joinVision(house),
    seesSession: (caller, key) => seesSession(sessionTools, caller, key),
    more: [
      sessionsListTool(sessionTools),
      sessionsHistoryTool(sessionTools),
      sessionsSearchTool(sessionTools),
      sessionsSendTool(sessionTools),
      sessionStatusTool(sessionTools),
      agentsListTool(sessionTools),
      messageTool(joinMessageTool(house)),
      cronTool(joinCronTool(house)),
      gatewayTool(gatewayToolParts(house)),
      sessionsSpawnTool({ open: () => house.subagents.open() }),
      subagentsTool({ open: () => house.subagents.open() }),
      memorySearchTool(memory),
      memoryGetTool(memory),
      nodesTool({ ids: house.ids, open: () => house.nodes(), hasNodes: () => hasNodes(house.devices) }),
    ],
    canAsk: (sessionKey, runId) => canAsk(house, sessionKey, runId),
    circumstances: () => (hasNodes(house.devices) ? "nodes" : ""),
    announce: (event) => announceEverywhere(event, house),
    mayElevate: (agentId, requester) => elevatedFor(config, agentId, requester).kind === "allowed",
    notifyExit({ agentId, sessionKey, processId, text, standing }) {
      const key = `exec:${processId}:${clock.now()}`;
      house
        .wake({ agentId, sessionKey, text, mode: "now", reason: "exec-event", key, standing })
        .catch((error: unknown) => log.warn("nobody could be told that a command ended", { error: String(error) }));
    },
  });
  const prompts = joinPrompt({
    clock,
    log,
    config,
    agentOf,
    hookFiles: house.hookBell.files,
    sandboxOf: (subject) => house.sandboxes.describe(subject),
    learnedOf: (agentId) => learnedOf(agentId, house),
    isStillKnown: (agentId, block) => isStillKnown(house.ledger, agentId, block),
  });
  return { ...joinTurns(house, { tools: toolbox, approvals, prompts }), tools: toolbox, approvals, close };
}

/** After a moment, so that the turn that asks for it is among those that are waited for. */
const RESTART_AFTER_MS = 500;

function gatewayToolParts({ clock, config, audit, restart }: House): GatewayToolParts {
  return {
    config,
    inNameOf: ({ requester: { channel, account, id } }, work) => audit.inNameOf(`${channel}:${account}:${id}`, work),
    restart: () => void clock.after(RESTART_AFTER_MS, () => restart()),
  };
}

/** What the owner's own words taught, for the prompt. */
async function learnedOf(agentId: string, house: House): Promise<LearnedBlock> {
  const { config, ledger } = house;
  const { enabled = true, inPrompt = true } = config.current().memory?.learning ?? {};
  return enabled && inPrompt && hasMemory(agentId, house) ? await readBlock(ledger, agentId) : NO_BLOCK;
}

function hasNodes(devices: Devices): boolean {
  return devices.list().paired.some(({ role, roles = [] }) => role === "node" || roles.includes("node"));
}

function hasMemory(agentId: string, { config, paths, workspaceOf }: House): boolean {
  return memorySettings(config.current(), agentId, workspaceOf(agentId), paths).isOn;
}

/** Who is asked about a command, or told what became of it: the trail, our own clients, the chats. */
function announceEverywhere(event: ApprovalEvent, { auditing, hub, runEvents, channels }: House): void {
  auditing.approval(event);
  announceApproval({ hub, runEvents }, event);
  void channels.known()?.then(({ approvals }) => approvals.hear(event));
}

/** Whether somebody is there who may answer questions about commands. */
async function canAsk(
  { hub, channels }: House,
  sessionKey: string | undefined,
  runId: string | undefined,
): Promise<boolean> {
  const mayAnswer = (scopes: readonly string[]) => holdsScope(scopes, "operator.approvals");
  if ([...hub.clients].some(({ role, scopes }) => role === "operator" && mayAnswer(scopes))) return true;
  const side = await channels.known();
  const agentId = sessionKey === undefined ? undefined : agentOfSessionKey(sessionKey);
  return side ? side.approvals.canAsk({ agentId, sessionKey, runId }) : false;
}
