// All method handlers together; the type of the result makes sure that none is missing.
import type { Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";
import { agentMethods } from "./agent.ts";
import { chatMethods } from "./chat.ts";
import { configMethods } from "./config.ts";
import { deviceMethods } from "./devices.ts";
import { sessionMethods } from "./sessions.ts";
import { systemMethods } from "./system.ts";
import { usageMethods } from "./usage.ts";

export function createHandlers(gateway: GatewayParts): Handlers {
  return {
    ...agentMethods(gateway),
    ...chatMethods(gateway),
    ...configMethods(gateway),
    ...deviceMethods(gateway),
    ...sessionMethods(gateway),
    ...systemMethods(gateway),
    ...usageMethods(gateway),
  };
}
