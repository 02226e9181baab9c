// Turns what a person said to a node into a message in the node's own conversation; the node is nobody's owner there.
import type { SpokenMessage } from "./room.ts";
import { invalid, type Client } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

/** Resolves when the message is on the disk. */
export async function hearNode(gateway: House, client: Client, { text, key }: SpokenMessage): Promise<void> {
  const nodeId = client.deviceId ?? "";
  const agentId = gateway.keys().defaultAgentId;
  const runId = `node:${nodeId}:${key ?? gateway.ids.uuid()}`;
  const { displayName } = (await gateway.nodes()).find(nodeId) ?? {};
  const outcome = await gateway.inbound.receive({
    door: "node",
    runId,
    channel: "webchat",
    account: "default",
    messageId: runId,
    route: { agentId, sessionKey: `agent:${agentId}:node-${nodeId}`, matchedBy: "node" },
    body: {
      text,
      client: { id: client.info.id, mode: client.info.mode },
      sender: {
        kind: "sender",
        id: nodeId,
        ...(displayName ? { name: displayName } : {}),
        isOwner: false,
        standing: "node",
        isAuthorised: false,
        canApprove: false,
      },
    },
  });
  if (outcome.kind === "refused") throw invalid(outcome.why);
}
