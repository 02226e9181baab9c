// Methods about the sub-agents of a conversation.
import { agentOfSessionKey, canonicalSessionKey } from "@chela/sdk";
import { type SUBAGENT_METHODS, grantsOf, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

const A_DAY_MINUTES = 1440;

export function subagentMethods(gateway: House): Pick<Handlers, keyof typeof SUBAGENT_METHODS> {
  const { ids, ledger } = gateway;
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };
  return {
    async "subagents.list"({ sessionKey: written, recursive = false, recentMinutes = A_DAY_MINUTES }) {
      const sessionKey = keyOf(written);
      // Asked for with every chat that is looked at; most gateways never had one.
      const [known] = await ledger.errands({ kind: "subagent", limit: 1 });
      if (!known) return { sessionKey, subagents: [] };
      const room = await gateway.subagents.whenReady();
      const subagents = await room.list(sessionKey, { recentMinutes, isRecursive: recursive });
      return { sessionKey, subagents: subagents.map((one) => ({ ...one })) };
    },

    async "subagents.kill"({ sessionKey, target }) {
      const killed = await (await gateway.subagents.whenReady()).kill(keyOf(sessionKey), target);
      if (killed.kind === "refused") throw invalid(killed.why);
      return { ok: true as const, killed: killed.children.map((one) => ({ ...one })) };
    },

    async "subagents.steer"({ sessionKey: written, target, message }, { client }) {
      const sessionKey = keyOf(written);
      const agentId = agentOfSessionKey(sessionKey) ?? gateway.keys().defaultAgentId;
      const { isOwner, standing } = grantsOf(client.scopes);
      const requester = { channel: "webchat", account: "default", id: client.info.id, isOwner, standing };
      const caller = { agentId, sessionKey, runId: ids.uuid(), toolCallId: "steer", requester };
      const steered = await (await gateway.subagents.whenReady()).steer(caller, target, message);
      if (steered.kind === "refused") throw invalid(steered.why);
      const { kind: mode, runId, child } = steered;
      return { ok: true as const, mode, runId, childSessionKey: child.sessionKey };
    },
  };
}
