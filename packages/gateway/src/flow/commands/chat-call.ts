// Chat commands of one message: whose they are, what they change of the session, and carrying them out.
import type { ChatCall, ContextReport, InboxMessage, RunRecord, SessionEntry } from "@chela/sdk";
import { GatewayError } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import type { Commands } from "../../rooms/commands/room.ts";
import { commandSettings } from "../../rooms/config/room.ts";
import { actorOf, requesterOf, type MessageBody } from "../message-body.ts";
import type { RanCommands } from "../turn/kit.ts";

/** What turns of a message would be made with. */
export interface TurnFacts {
  tools(message: InboxMessage, body: MessageBody, entry: SessionEntry): Promise<readonly string[]>;
  runTool(
    message: InboxMessage,
    body: MessageBody,
    entry: SessionEntry,
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  contextReport(message: InboxMessage, body: MessageBody, entry: SessionEntry): Promise<ContextReport>;
}

type CallHouse = Pick<House, "ledger" | "config" | "audit">;

export async function runChatCommands(
  record: RunRecord,
  body: MessageBody,
  commands: Commands,
  house: CallHouse,
  facts: TurnFacts,
): Promise<RanCommands> {
  const patch: Record<string, unknown> = {};
  const call = chatCall(record.message, body, patch, house, facts);
  const recognition = body.recognised as Parameters<Commands["run"]>[0] | undefined;
  const outcome = await commands.run(recognition ?? { kind: "text", text: body.text }, call);
  // What it changed of who may do what is written down before anybody is told that it was done.
  if (house.audit.isUnsettled) await house.audit.settled();
  return { outcome, hasPatch: Object.keys(patch).length > 0, patch: (entry) => applyPatch(entry, patch) };
}

function applyPatch(entry: SessionEntry, patch: Readonly<Record<string, unknown>>): SessionEntry {
  const next: Record<string, unknown> = { ...entry, ...patch };
  for (const [field, value] of Object.entries(patch)) if (value === null) delete next[field];
  return next as SessionEntry;
}

function chatCall(
  message: InboxMessage,
  body: MessageBody,
  patch: Record<string, unknown>,
  { ledger, config, audit }: CallHouse,
  facts: TurnFacts,
): ChatCall {
  const { sessionKey, agentId, admittedAt } = message;
  const unborn = { sessionId: "", updatedAt: admittedAt };
  const session = async () => {
    const entry = await ledger.session(sessionKey);
    if (!entry && Object.keys(patch).length === 0) return undefined;
    return applyPatch(entry ?? unborn, patch);
  };
  return {
    message,
    sessionKey,
    agentId,
    now: admittedAt,
    requester: requesterOf(message, body),
    settings: commandSettings(config.current()),
    session,
    patchSession: async (fields) => void Object.assign(patch, fields),
    inName: (work) => audit.inNameOf(actorOf(message, body), work),
    tools: async () => facts.tools(message, body, (await session()) ?? unborn),
    runTool: async (name, args) => facts.runTool(message, body, (await session()) ?? unborn, name, args),
    async contextReport() {
      const entry = await session();
      if (!entry?.sessionId) throw new GatewayError("SESSION_TREE", "this conversation has not begun yet");
      return facts.contextReport(message, body, entry);
    },
  };
}
