// Methods that send to channels and act in their chats, in an operator's name.
import { defined } from "@chela/sdk/base";
import { describeRequester, canonicalSessionKey } from "@chela/sdk";
import {
  type MESSAGE_METHODS,
  type MethodParams,
  invalid,
  WireError,
  type Handlers,
  type Client,
  holdsScope,
} from "@chela/sdk/protocol";
import {
  ACTIONS,
  readPoll,
  type Delivered,
  type MessageAction,
  type MessageRequest,
  type MessageResult,
} from "./request.ts";
import type { House } from "../../house/house.ts";

const SECONDS_PER_HOUR = 3600;

export function messageMethods(gateway: House): Pick<Handlers, keyof typeof MESSAGE_METHODS> {
  const sessionOf = (written: string | undefined): string | undefined => {
    if (written === undefined) return undefined;
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };
  const perform = async (
    request: MessageRequest,
    key: string,
    { scopes }: Pick<Client, "scopes">,
    { agentId, sessionKey }: { agentId?: string | undefined; sessionKey?: string | undefined } = {},
  ): Promise<MessageResult> => {
    // As with chat.inject: only an owner's words are put into an agent's mouth.
    const sentFor = holdsScope(scopes, "operator.admin") ? undefined : describeRequester({ standing: "operator" });
    const by = { kind: "operator" as const, key, agentId, sessionKey: sessionOf(sessionKey), sentFor };
    return (await gateway.messages()).perform(request, by);
  };

  return {
    async send(params, { client }) {
      const { to, message, mediaUrl, mediaUrls = [], idempotencyKey } = params;
      const media = [...(mediaUrl ? [mediaUrl] : []), ...mediaUrls];
      if (!message?.trim() && media.length === 0) throw invalid("invalid send params: text or media is required");
      const { channel, accountId, threadId } = params;
      const request = { action: "send" as const, target: to, channel, accountId, threadId, message, media };
      return receiptOf(await perform(request, `send:${idempotencyKey}`, client, params), idempotencyKey);
    },

    async poll(params, { client }) {
      const { to, question, options, maxSelections, isAnonymous, idempotencyKey, durationHours } = params;
      const hours = durationHours === undefined ? undefined : durationHours * SECONDS_PER_HOUR;
      const durationSeconds = params.durationSeconds ?? hours;
      const { channel, accountId, threadId, silent } = params;
      const poll = { question, options, maxSelections, durationSeconds, isAnonymous };
      const request = { action: "poll" as const, target: to, channel, accountId, threadId, silent, poll };
      return receiptOf(await perform(request, `poll:${idempotencyKey}`, client), idempotencyKey);
    },

    async "message.action"(params, { client }) {
      const action: MessageAction = params.action === "delete" ? "unsend" : params.action;
      if (ACTIONS[action] !== "look" && !holdsScope(client.scopes, "operator.write")) {
        throw invalid("missing scope: operator.write");
      }
      if (needsKey(action) && params.idempotencyKey === undefined) {
        throw invalid(`invalid message.action params: "${action}" needs an idempotencyKey`);
      }
      const key = `message:${params.idempotencyKey ?? gateway.ids.uuid()}`;
      const result = await perform(requestOf(action, params), key, client, params);
      if (result.kind === "done") {
        const { channel, to, found } = result;
        return { action, ok: true, channel, ...defined({ to }), ...found };
      }
      const { deliveries } = result;
      const payload = { action, ok: deliveries.every(isThere), deliveries: deliveries.map((one) => ({ ...one })) };
      const lost = deliveries.find(({ state }) => state === "undeliverable");
      if (lost && !params.bestEffort) throw undelivered(lost, payload);
      return payload;
    },
  };
}

/** A thread is made by the platform at once; there is no row that could be found again. */
function needsKey(action: MessageAction): boolean {
  return ACTIONS[action] === "send" && action !== "thread-create";
}

function requestOf(action: MessageAction, params: MethodParams<"message.action">): MessageRequest {
  const { media, buffer, filename, contentType } = params;
  return {
    ...params,
    action,
    media: typeof media === "string" ? [media] : media,
    file: buffer ? { base64: buffer, name: filename, mimeType: contentType } : undefined,
    poll: readPoll(params),
  };
}

function isThere({ state }: Delivered): boolean {
  return state === "delivered" || state === "planned";
}

/** Only what the platform has confirmed is answered with a yes. */
function receiptOf(result: MessageResult, runId: string) {
  const [delivered] = result.kind === "sent" ? result.deliveries : [];
  if (!delivered) throw new TypeError("a send without a delivery");
  const { channel, messageId, chatId, state } = delivered;
  if (state !== "delivered" || messageId === undefined) throw undelivered(delivered, { runId, ...delivered });
  return { runId, messageId, channel, ...defined({ chatId }) };
}

function undelivered({ channel, to, state, error }: Delivered, payload: unknown): WireError {
  const why = error ? `: ${error}` : "";
  const isWaiting = state === "queued";
  const message = isWaiting
    ? `The message to ${to} (${channel}) is kept and will be sent, but did not arrive yet${why}. Repeat the call with the same idempotencyKey to see what became of it.`
    : `The message to ${to} (${channel}) could not be delivered${why}`;
  return new WireError({ code: "UNAVAILABLE", message, ...(isWaiting ? { retryable: true } : {}) }, payload);
}
