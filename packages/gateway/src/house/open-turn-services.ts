// What turns are made with: tools, approvals, prompts, commands. Opened when the first message or question arrives.
import { announceApproval } from "../server/announce-approval.ts";
import { holdsScope } from "@chela/sdk/protocol";
import type { House } from "./house.ts";
import { agentOfSessionKey } from "@chela/sdk";
import type { ApprovalEvent, Approvals } from "../rooms/approvals/room.ts";
import { elevatedFor } from "../flow/commands/elevated.ts";
import { memorySettings } from "../rooms/config/room.ts";
import type { Devices } from "../rooms/devices/room.ts";
import type { TurnRunner } from "../flow/queue.ts";
import { gatewayTool, type GatewayToolParts } from "../rooms/config/gateway-tool.ts";
import { cronTool } from "../rooms/cron/cron-tool.ts";
import { cronToolParts } from "../flow/own-work/cron-tool.ts";
import { messageToolParts } from "../flow/messages/message-tool.ts";
import { openPrompts } from "../flow/turn/prompt.ts";
import { sessionToolParts } from "./tools/session-tools.ts";
import { openTools } from "./tools/open-tools.ts";
import { openTurns } from "../flow/turn/open-turns.ts";
import { openVision } from "./tools/vision.ts";
// Past the room, which would load all of memory with the first message.
import { isStillKnown, NO_BLOCK, readBlock } from "../rooms/memory/learned-block.ts";
import { memoryGetTool, memorySearchTool } from "../rooms/memory/memory-tools.ts";
import type { LearnedBlock } from "../rooms/memory/room.ts";
import { nodesTool } from "../rooms/nodes/room.ts";
import { sessionsSpawnTool, subagentsTool } from "../rooms/subagents/room.ts";
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
} from "../rooms/tools/room.ts";

export interface TurnServices extends TurnRunner {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
  close(): Promise<void>;
}

export function openTurnServices(house: House): TurnServices {
  const { clock, log, config, agentOf } = house;
  const sessionTools = sessionToolParts(house);
  const memory = {
    open: () => house.memory(),
    isOn: (agentId: string) => hasMemory(agentId, house),
    citations: () => config.current().memory?.citations ?? "auto",
  };
  const { toolbox, approvals, close } = openTools(house, {
    vision: openVision(house),
    seesSession: (caller, key) => seesSession(sessionTools, caller, key),
    more: [
      sessionsListTool(sessionTools),
      sessionsHistoryTool(sessionTools),
      sessionsSearchTool(sessionTools),
      sessionsSendTool(sessionTools),
      sessionStatusTool(sessionTools),
      agentsListTool(sessionTools),
      messageTool(messageToolParts(house)),
      cronTool(cronToolParts(house)),
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
  const prompts = openPrompts({
    clock,
    log,
    config,
    agentOf,
    hookFiles: house.hookStarter.files,
    sandboxOf: (subject) => house.sandboxes.describe(subject),
    learnedOf: (agentId) => learnedOf(agentId, house),
    isStillKnown: (agentId, block) => isStillKnown(house.ledger, agentId, block),
  });
  return { ...openTurns(house, { tools: toolbox, approvals, prompts }), tools: toolbox, approvals, close };
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
