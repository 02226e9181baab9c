// All method handlers together; the type of the result makes sure that none is missing.
import type { Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";
import { agentMethods } from "./agent.ts";
import { agentsMethods } from "./agents.ts";
import { approvalMethods } from "./approvals.ts";
import { chatMethods } from "./chat.ts";
import { configMethods } from "./config.ts";
import { deviceMethods } from "./devices.ts";
import { sessionTreeMethods } from "./session-tree.ts";
import { runMethods } from "./runs.ts";
import { sessionUsageMethods } from "./session-usage.ts";
import { sessionMethods } from "./sessions.ts";
import { systemMethods } from "./system.ts";
import { toolMethods } from "./tools.ts";
import { usageMethods } from "./usage.ts";

export function createHandlers(gateway: GatewayParts): Handlers {
  return {
    ...agentMethods(gateway),
    ...agentsMethods(gateway),
    ...approvalMethods(gateway),
    ...chatMethods(gateway),
    ...configMethods(gateway),
    ...deviceMethods(gateway),
    ...runMethods(gateway),
    ...sessionUsageMethods(gateway),
    ...sessionMethods(gateway),
    ...sessionTreeMethods(gateway),
    ...systemMethods(gateway),
    ...toolMethods(gateway),
    ...usageMethods(gateway),
  };
}
