// Decides who may have commands run with fewer questions.
import { rightsOf, type Refusal, type Requester } from "@chela/sdk";
import { writtenAgent, type ConfigStore } from "../../rooms/config/room.ts";

/** The channel of those who came through the gateway's own door. */
const OPERATORS = "webchat";

type Elevating = Pick<Requester, "id" | "channel" | "isOwner" | "standing">;

/** Whoever runs the gateway may; a sender in a channel only when named there, and never by "*". */
export function elevatedFor(
  config: ConfigStore,
  agentId: string,
  requester: Elevating,
): { readonly kind: "allowed" } | Refusal {
  const own = writtenAgent(config.current(), agentId)?.tools?.elevated;
  const all = config.current().tools?.elevated;
  if (all?.enabled === false || own?.enabled === false) {
    return { kind: "refused", why: "Elevated commands are switched off (tools.elevated.enabled)." };
  }
  if (requester.channel === OPERATORS && requester.isOwner) return { kind: "allowed" };
  const names = (lists: typeof all) => lists?.allowFrom?.[requester.channel]?.map(String) ?? [];
  const isNamed = (lists: typeof all) => !["", "*"].includes(requester.id) && names(lists).includes(requester.id);
  if (rightsOf(requester, "").host === "never") {
    const why = "Only owners and members may have commands run on this machine itself, whatever tools.elevated says.";
    return { kind: "refused", why };
  }
  if (isNamed(all) && (own?.allowFrom === undefined || isNamed(own))) return { kind: "allowed" };
  return { kind: "refused", why: "You are not in tools.elevated.allowFrom." };
}
