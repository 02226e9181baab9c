// The gateway as the code of a command sees it. What finds, connects and asks it is loaded with the first question.
import type { CommandCall, GatewayCaller } from "@chela/sdk/command-line";

/** What a gateway is found by. */
export type Caller = Omit<CommandCall, "gateway">;

const load = () => import("./ask-gateway.ts");

export function withGateway(caller: Caller): CommandCall {
  return { ...caller, gateway: gatewayOf(caller) };
}

function gatewayOf(caller: Caller): GatewayCaller {
  return {
    ask: async (work) => (await load()).askGateway(caller, work),
    askOrOffline: async (work, options) => (await load()).askGatewayOrFiles(caller, work, options),
    call: async (method, params) => (await load()).callGateway(caller, method, params),
    connect: async (options) => (await load()).openLink(caller, options),
    offline: async (method, ...params) => (await load()).askOffline(caller)(method, ...params),
  };
}
