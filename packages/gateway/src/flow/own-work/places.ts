// Finds the place for a result nobody waits for: a chat that is named, the one its agent was last spoken to in, or our own page.
import { defined } from "@chela/sdk/base";
import type { House } from "../../house/house.ts";
import { canonicalSessionKey, toGatewayError, type ErrandDelivery, type KeyDefaults } from "@chela/sdk";
import { MessageBody } from "../message-body.ts";

/** As somebody wrote it. "last", or no channel: where the conversation was led last. */
export interface WrittenPlace {
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
}

/** The chat somebody asked in, or else where this conversation is led. */
export async function findPlaceHere(
  { sessionKey, runId }: { readonly sessionKey: string; readonly runId: string },
  { ledger }: Pick<House, "ledger">,
): Promise<Readonly<Record<string, string>>> {
  const asked = (await ledger.run(runId))?.message;
  const origin = asked && MessageBody().safeParse(asked.body).data?.origin;
  if (asked && origin) {
    const { to, threadId } = origin.target;
    return { channel: asked.channel, to, accountId: asked.account, ...defined({ threadId }) };
  }
  const { lastChannel, lastTo, lastAccountId, lastThreadId } = (await ledger.session(sessionKey)) ?? {};
  if (!lastChannel || lastChannel === WEBCHAT || !lastTo) return { channel: WEBCHAT, to: sessionKey };
  return {
    channel: lastChannel,
    to: lastTo,
    ...(lastAccountId ? { accountId: lastAccountId } : {}),
    ...(lastThreadId === undefined ? {} : { threadId: String(lastThreadId) }),
  };
}

export type PlaceNeeds = Pick<House, "keys" | "hasChannels" | "channels">;

const WEBCHAT = "webchat";

/** `sessionKey`: the conversation that stands for the person, usually the agent's main one. */
export async function findPlace(
  { channel, to, accountId, threadId }: WrittenPlace,
  sessionKey: string,
  house: PlaceNeeds,
): Promise<ErrandDelivery> {
  const isLast = channel === undefined || channel === "last";
  if (channel === WEBCHAT) return findConversation(to ?? sessionKey, house.keys());
  if (!house.hasChannels()) {
    if (isLast && to === undefined) return { mode: "chat", channel: WEBCHAT, to: sessionKey };
    return { mode: "nowhere", why: `${channel ?? "A channel"} is not configured, so nothing can be sent there.` };
  }
  const { routes } = await house.channels();
  if (isLast && to === undefined && !(await routes.last(sessionKey))) {
    return { mode: "chat", channel: WEBCHAT, to: sessionKey };
  }
  const written = { channel: isLast ? undefined : channel, to, account: accountId, threadId };
  const found = await routes.find(written, sessionKey).catch((error: unknown) => ({
    kind: "none" as const,
    why: toGatewayError(error, "CHANNEL_OFFLINE").message,
  }));
  if (found.kind === "none") return { mode: "nowhere", why: `There is no place for the result: ${found.why}.` };
  return { mode: "chat", ...found.route };
}

/** In the words of any other door, so that people find it where they look. */
function findConversation(written: string, keys: KeyDefaults): ErrandDelivery {
  const to = canonicalSessionKey(written, keys);
  if (to) return { mode: "chat", channel: WEBCHAT, to };
  return { mode: "nowhere", why: `"${written}" is no conversation. Write a session key, such as main.` };
}
