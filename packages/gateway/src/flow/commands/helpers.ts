// The sub-agents of a conversation, as chat commands see them.
import type { InboxMessage } from "@chela/sdk";
import type { CommandHelpers, CommandRequester } from "../../rooms/commands/room.ts";
import type { Subagents } from "../../rooms/subagents/room.ts";

export interface HelperNeeds {
  subagents(): Promise<Subagents>;
  tools(): Promise<readonly string[]>;
  readonly requester: CommandRequester;
}

const RECENT_MINUTES = 30;
const LOGGED = 10;

export function helpersFor(message: InboxMessage, needs: HelperNeeds): CommandHelpers {
  const { sessionKey, agentId, runId } = message;
  const { requester } = needs;
  const caller = { agentId, sessionKey, runId, toolCallId: "command", requester };
  const find: CommandHelpers["find"] = async (target) => {
    const found = await (await needs.subagents()).find(sessionKey, target);
    if (found.kind === "refused") return found;
    const [helper, another] = found.children;
    return helper && !another ? { kind: "found", helper } : { kind: "refused", why: "Name one of them." };
  };
  return {
    list: async () => (await needs.subagents()).list(sessionKey, { recentMinutes: RECENT_MINUTES }),
    find,
    async kill(target) {
      const killed = await (await needs.subagents()).kill(sessionKey, target);
      return killed.kind === "refused" ? killed : { kind: "killed", helpers: killed.children };
    },
    async steer(target, text) {
      const told = await (await needs.subagents()).steer(caller, target, text);
      return told.kind === "refused" ? told : { kind: told.kind, helper: told.child };
    },
    async spawn(task, wanted) {
      const asking = { ...caller, tools: await needs.tools() };
      const started = await (await needs.subagents()).spawn(asking, { task, ...(wanted ? { agentId: wanted } : {}) });
      return started.kind === "refused" ? started : { kind: "started", runId: started.runId };
    },
    async log(helper) {
      const room = await needs.subagents();
      return room.log(helper, LOGGED);
    },
  };
}
