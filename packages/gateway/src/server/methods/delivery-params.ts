// Reads where else an answer shall go: from what a client says about it, and from where the session was last led.
import type { MessageBody } from "../../flow/message-body.ts";
import { allChannels } from "../../rooms/channels/index.ts";
import { canonicalSessionKey, mainSessionKey } from "@chela/sdk";
import { invalid } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export interface DeliveryParams {
  readonly deliver?: boolean | undefined;
  readonly bestEffortDeliver?: boolean | undefined;
  readonly agentId?: string | undefined;
  readonly channel?: string | undefined;
  readonly replyChannel?: string | undefined;
  readonly to?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly accountId?: string | undefined;
  readonly replyAccountId?: string | undefined;
  readonly threadId?: string | undefined;
}

/** No channel, or none but our own door. */
const HERE = ["", "last", "webchat"];
/** Blocks under `channels` that are no channel. */
const NO_CHANNELS = ["defaults", "modelByChannel"];

/** Undefined when the answer goes to whoever asked, and to nobody else. A wish that cannot be fulfilled is an error. */
export async function readDelivery(
  gateway: Pick<House, "config" | "channels" | "keys">,
  params: DeliveryParams,
  writtenKey: string | undefined,
): Promise<MessageBody["deliverTo"]> {
  const named = (params.replyChannel || params.channel || "").trim().toLowerCase();
  const configured = Object.keys(gateway.config.current().channels ?? {}).filter((id) => !NO_CHANNELS.includes(id));
  const isKnown = HERE.includes(named) || configured.includes(named) || allChannels().some(({ id }) => id === named);
  if (!isKnown) throw invalid(`invalid agent params: unknown channel: ${named}`);
  // Who only names a channel, and wants nothing sent there, need not have it set up.
  if (!params.deliver || named === "webchat") return undefined;
  const found = configured.length === 0 ? undefined : await findRoute(gateway, params, named, writtenKey);
  if (found?.kind === "found") return { ...found.route };
  if (params.bestEffortDeliver) return undefined;
  throw invalid(`delivery channel is required: ${found?.why ?? "no channel is configured to deliver to"}`);
}

async function findRoute(
  { channels, keys }: Pick<House, "channels" | "keys">,
  params: DeliveryParams,
  named: string,
  writtenKey: string | undefined,
) {
  const { routes } = await channels();
  const own = writtenKey === undefined ? undefined : canonicalSessionKey(writtenKey, keys());
  const sessionKey = own ?? mainSessionKey(params.agentId ?? keys().defaultAgentId, keys());
  const written = {
    channel: HERE.includes(named) ? undefined : named,
    to: params.replyTo || params.to || undefined,
    account: params.replyAccountId || params.accountId || undefined,
    threadId: params.threadId || undefined,
  };
  return routes.find(written, sessionKey);
}
