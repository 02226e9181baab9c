// Sub-agents: the errands, lanes, models and conversations they work in.
import { defined } from "@chela/sdk/base";
import { textOf, type AgentMessage, type ErrandDelivery, type InboxMessage, type TranscriptEntry } from "@chela/sdk";
import { findWorker } from "../../rooms/acp/room.ts";
import { subagentSettings } from "../../rooms/config/room.ts";
import { MessageBody, type ErrandTerms } from "../message-body.ts";
import type { OwnWorkHouse } from "./wake.ts";
import { findPlace } from "./places.ts";
import { loadSubagents, type Subagents, type SubagentsParts } from "../../rooms/subagents/room.ts";

const WEBCHAT = "webchat";

export async function openSubagents(house: OwnWorkHouse): Promise<Subagents> {
  const { ledger, config, transcripts } = house;

  /** Where the turn that starts one is answered, so that the result is told there as well. */
  const placeOf: SubagentsParts["placeOf"] = async ({ runId, sessionKey }) => {
    const errand = await ledger.errand(runId);
    if (errand) return errand.kind === "subagent" ? undefined : errand.delivery;
    if (sessionKey.includes(":subagent:")) return undefined;
    const run = await ledger.run(runId);
    return (run && placeOfMessage(run.message)) ?? findPlace({}, sessionKey, house);
  };

  let isClosing = false;
  const { createSubagents } = await loadSubagents();
  const room = createSubagents(house, {
    isClosing: () => isClosing,
    settings: (agentId) => subagentSettings(config.current(), agentId),
    findWorker: (written) => findWorker(config.current(), written),
    isSandboxed: (agentId, sessionKey, requester) =>
      house.sandboxes.need({ agentId, sessionKey, requester }).kind === "required",
    placeOf,
    async say({ agentId, sessionKey }, runId, { text, sender, terms, extraSystemPrompt, provenance }) {
      await house.inbound.errand("subagent", {
        runId,
        agentId,
        sessionKey,
        body: {
          text,
          sender: { kind: "sender", ...sender, isAuthorised: false, canApprove: false },
          errand: { ...(terms as ErrandTerms), isSaidMeanwhile: true },
          ...(extraSystemPrompt ? { extraSystemPrompt } : {}),
          ...(provenance ? { provenance } : {}),
        },
      });
    },
    async lastMessages(sessionId, limit) {
      const path = await transcripts.path(sessionId, limit * 3);
      return path.flatMap(saidIn).slice(-limit);
    },
  });
  await room.takeUp();
  return {
    ...room,
    leave() {
      isClosing = true;
      return room.leave();
    },
  };
}

/** Undefined for what came from no person's place: then the conversation's own is asked for. */
function placeOfMessage({ channel, account, sessionKey, body }: InboxMessage): ErrandDelivery | undefined {
  const { origin, deliverTo } = MessageBody().parse(body);
  const chat = deliverTo ?? (origin && { channel, account, ...origin.target });
  if (chat) {
    const { threadId, ...place } = chat;
    return { mode: "chat", ...place, ...defined({ threadId }) };
  }
  return channel === WEBCHAT ? { mode: "chat", channel: WEBCHAT, to: sessionKey } : undefined;
}

function saidIn(entry: TranscriptEntry): Array<{ role: string; text: string }> {
  if (entry.type !== "message" || !("message" in entry)) return [];
  const message = entry.message as AgentMessage;
  const text = textOf(message).trim();
  return text === "" ? [] : [{ role: message.role, text }];
}
