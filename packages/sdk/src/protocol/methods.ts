// Every method a client may call, declared once: what it takes, what it gives back, who may call it.
import type * as z from "zod";
import type { Parsed } from "../schema.ts";
import { ACCESS_METHODS } from "./methods/safety/access-methods.ts";
import { AGENT_IDENTITY_METHODS, AGENTS_METHODS } from "./methods/agents-methods.ts";
import { APPROVAL_METHODS } from "./methods/safety/approval-methods.ts";
import { AUDIT_METHODS } from "./methods/safety/audit-methods.ts";
import { CREDENTIAL_METHODS } from "./methods/safety/credential-methods.ts";
import { CHANNEL_METHODS, DIRECTORY_METHODS, DELIVERY_METHODS } from "./methods/channel-methods.ts";
import { AGENT_METHODS, CHAT_METHODS, MEDIA_METHODS, COMMAND_METHODS } from "./methods/sessions/chat-methods.ts";
import { CONFIG_METHODS } from "./methods/config-methods.ts";
import { CONVERSATION_METHODS } from "./methods/sessions/conversation-methods.ts";
import { CRON_METHODS } from "./methods/cron-methods.ts";
import { DEVICE_METHODS, DEVICE_SETUP_METHODS } from "./methods/safety/device-methods.ts";
import { EDITOR_METHODS } from "./methods/editor-methods.ts";
import { HEALTH_METHODS, LOG_METHODS, STATUS_METHODS } from "./methods/health-methods.ts";
import { HEARTBEAT_METHODS } from "./methods/heartbeat-methods.ts";
import { HOOKS_METHODS } from "./methods/hooks-methods.ts";
import { MEMORY_METHODS } from "./methods/memory-methods.ts";
import { NODE_METHODS } from "./methods/node-methods.ts";
import { PAIRING_METHODS } from "./methods/safety/pairing-methods.ts";
import { MESSAGE_METHODS } from "./methods/message-methods.ts";
import { PEOPLE_METHODS } from "./methods/safety/people-methods.ts";
import { PRESENCE_METHODS } from "./methods/presence-methods.ts";
import { RUN_METHODS } from "./methods/sessions/run-methods.ts";
import { SANDBOX_METHODS } from "./methods/safety/sandbox-methods.ts";
import { SECURITY_METHODS } from "./methods/safety/security-methods.ts";
import { SECRET_METHODS } from "./methods/safety/secret-methods.ts";
import { SESSION_METHODS, SESSION_TREE_METHODS, SESSION_USAGE_METHODS } from "./methods/sessions/session-methods.ts";
import { SESSION_LIVE_METHODS } from "./methods/sessions/session-live-methods.ts";
import { SESSION_HISTORY_METHODS } from "./methods/sessions/session-history-methods.ts";
import { SETUP_METHODS } from "./methods/setup-methods.ts";
import { SUBAGENT_METHODS } from "./methods/subagent-methods.ts";
import { MODEL_METHODS, TOOL_METHODS } from "./methods/tool-methods.ts";
import { USAGE_METHODS } from "./methods/sessions/usage-methods.ts";
import { WEBHOOK_METHODS } from "./methods/webhook-methods.ts";
import type { MethodSpec } from "./methods/method-spec.ts";

export {
  ACCESS_METHODS,
  AGENT_IDENTITY_METHODS,
  AGENTS_METHODS,
  APPROVAL_METHODS,
  AUDIT_METHODS,
  CHANNEL_METHODS,
  DIRECTORY_METHODS,
  DELIVERY_METHODS,
  AGENT_METHODS,
  CHAT_METHODS,
  MEDIA_METHODS,
  COMMAND_METHODS,
  CONFIG_METHODS,
  CONVERSATION_METHODS,
  CREDENTIAL_METHODS,
  CRON_METHODS,
  DEVICE_METHODS,
  DEVICE_SETUP_METHODS,
  EDITOR_METHODS,
  HEALTH_METHODS,
  LOG_METHODS,
  STATUS_METHODS,
  HEARTBEAT_METHODS,
  HOOKS_METHODS,
  MEMORY_METHODS,
  MESSAGE_METHODS,
  NODE_METHODS,
  PAIRING_METHODS,
  PEOPLE_METHODS,
  PRESENCE_METHODS,
  RUN_METHODS,
  SANDBOX_METHODS,
  SECRET_METHODS,
  SECURITY_METHODS,
  SESSION_HISTORY_METHODS,
  SESSION_LIVE_METHODS,
  SESSION_METHODS,
  SESSION_TREE_METHODS,
  SESSION_USAGE_METHODS,
  SETUP_METHODS,
  SUBAGENT_METHODS,
  MODEL_METHODS,
  TOOL_METHODS,
  USAGE_METHODS,
  WEBHOOK_METHODS,
};
export type { MethodSpec, OfflineUse, Role } from "./methods/method-spec.ts";
export {
  SESSION_ROW_FIELDS,
  SessionsListParams,
  SessionRow,
  SessionsPatchParams,
} from "./methods/sessions/session-methods.ts";
export { ExecApprovalsFile } from "./methods/safety/approval-methods.ts";
export { SystemEventParams } from "./methods/presence-methods.ts";
export { Attachment, AgentParams, ChatSendParams } from "./methods/sessions/chat-methods.ts";

/** Who an agent is, is a question about agents; clients know it in the middle of these. */
const { agent, ...agentMethods } = AGENT_METHODS;

/** The order is the order of hello-ok's list. */
export const METHODS = {
  ...HEALTH_METHODS,
  ...LOG_METHODS,
  ...STATUS_METHODS,
  ...CHANNEL_METHODS,
  ...DIRECTORY_METHODS,
  ...DELIVERY_METHODS,
  ...USAGE_METHODS,
  ...CONFIG_METHODS,
  ...SETUP_METHODS,
  ...APPROVAL_METHODS,
  ...AUDIT_METHODS,
  ...CREDENTIAL_METHODS,
  ...MODEL_METHODS,
  ...TOOL_METHODS,
  ...AGENTS_METHODS,
  ...SECRET_METHODS,
  ...SESSION_METHODS,
  ...SESSION_TREE_METHODS,
  ...SESSION_USAGE_METHODS,
  ...SESSION_LIVE_METHODS,
  ...SESSION_HISTORY_METHODS,
  ...MEMORY_METHODS,
  ...RUN_METHODS,
  ...HEARTBEAT_METHODS,
  ...CRON_METHODS,
  ...NODE_METHODS,
  ...DEVICE_METHODS,
  ...DEVICE_SETUP_METHODS,
  ...EDITOR_METHODS,
  ...ACCESS_METHODS,
  ...PAIRING_METHODS,
  ...PEOPLE_METHODS,
  ...PRESENCE_METHODS,
  ...MESSAGE_METHODS,
  agent,
  ...AGENT_IDENTITY_METHODS,
  ...agentMethods,
  ...CHAT_METHODS,
  ...MEDIA_METHODS,
  ...COMMAND_METHODS,
  ...CONVERSATION_METHODS,
  ...HOOKS_METHODS,
  ...SUBAGENT_METHODS,
  ...WEBHOOK_METHODS,
  ...SANDBOX_METHODS,
  ...SECURITY_METHODS,
} as const satisfies Record<string, MethodSpec>;

export type MethodName = keyof typeof METHODS;
export type MethodParams<M extends MethodName> = Parsed<(typeof METHODS)[M]["params"]>;
export type MethodResult<M extends MethodName> = z.input<ReturnType<(typeof METHODS)[M]["result"]>>;
/** What a client reads of a result. */
export type MethodAnswer<M extends MethodName> = z.output<ReturnType<(typeof METHODS)[M]["result"]>>;
