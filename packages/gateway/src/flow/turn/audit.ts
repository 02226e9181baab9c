// Audit events of a turn: each call of a tool and of a model, in the commit that makes it true.
import type {
  AssistantMessage,
  Change,
  InboxMessage,
  ModelAttempt,
  ModelRequest,
  ToolCallBlock,
  ToolResultMessage,
} from "@chela/sdk";
import { auditChange, modelEvent, promptDigest, toolEvent, type Whose } from "../../rooms/audit/room.ts";
import { meantTool } from "../../rooms/tools/search/meant-tool.ts";
import { actorOf, type MessageBody } from "../message-body.ts";

/** A model that was asked, and what it was told. */
export type AskedModel = Pick<ModelRequest, "system" | "tools" | "messages">;

export function whoseRun(message: InboxMessage, body: Pick<MessageBody, "sender" | "client">): Whose {
  const { agentId, sessionKey, channel, runId } = message;
  const person = body.sender?.person?.id;
  return { actor: actorOf(message, body), person, agentId, sessionKey, channel, traceId: runId };
}

export class TurnAudit {
  readonly #whose: Whose;
  /** Calls whose result is not written yet, by id. */
  readonly #open = new Map<string, { readonly call: ToolCallBlock; readonly wasInterrupted?: true }>();
  readonly #deciders = new Map<string, string>();
  #pending: Change[] = [];

  constructor(message: InboxMessage, body: MessageBody) {
    this.#whose = whoseRun(message, body);
  }

  attempted(attempt: ModelAttempt, asked: AskedModel, isPriced: boolean): void {
    this.#pending.push(auditChange(modelEvent(this.#whose, attempt, promptDigest(asked), isPriced), attempt.endedAt));
  }

  called({ content }: AssistantMessage): void {
    for (const block of content) {
      if (block.type === "toolCall") this.#open.set(String(block["id"]), { call: block as ToolCallBlock });
    }
  }

  /** A call that was running when the process died: what came of it is not known. */
  interrupted(call: ToolCallBlock): void {
    this.#open.set(call.id, { call, wasInterrupted: true });
  }

  /** The gate kept a call from running, or ended it. */
  decided(toolCallId: string, by: string): void {
    this.#deciders.set(toolCallId, by);
  }

  /** What is written with the result of a call. */
  ended(result: ToolResultMessage, at: number): Change {
    const { toolCallId, toolName, content, isError } = result;
    const { call, ...how } = this.#open.get(toolCallId) ?? {};
    const { name = toolName, arguments: args } = call ? meantTool(call) : {};
    const decidedBy = this.#deciders.get(toolCallId) ?? (wasDenied(result) ? "approval" : undefined);
    this.#open.delete(toolCallId);
    this.#deciders.delete(toolCallId);
    const what = { name, toolCallId, args, content, isError };
    return auditChange(toolEvent(this.#whose, { ...what, ...how, ...(decidedBy ? { decidedBy } : {}) }), at);
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Calls of models since the last commit. */
  take(): Change[] {
    const changes = this.#pending;
    this.#pending = [];
    return changes;
  }
}

/** A command that a person or a rule said no to; its tool ran, and found that out. */
function wasDenied({ details }: ToolResultMessage): boolean {
  return (details as { readonly status?: unknown } | null | undefined)?.status === "denied";
}
