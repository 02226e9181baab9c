// Methods of a chat window: send, history, abort, inject.
import type { InboundOutcome } from "../../flow/arrival.ts";
import { injectMessage } from "../../flow/inject-message.ts";
import {
  type CHAT_METHODS,
  type MethodParams,
  invalid,
  type CallContext,
  type Handlers,
  holdsScope,
} from "@chela/sdk/protocol";
import { canonicalSessionKey } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { stoppedText } from "./agent.ts";
import { historyMessages, numberedPath } from "./chat-history.ts";
import { readDelivery } from "./delivery-params.ts";
import { clientOf, keepAttachments, senderOf } from "./inbound-params.ts";

export function chatMethods(gateway: House): Pick<Handlers, keyof typeof CHAT_METHODS> {
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };

  return {
    async "chat.send"(params, call) {
      if (params.systemInputProvenance || params.systemProvenanceReceipt !== undefined) refuseProvenance(call);
      return sendMessage(gateway, params, call);
    },

    async "chat.history"({ sessionKey: written, limit = 200 }) {
      const sessionKey = keyOf(written);
      const entry = await gateway.ledger.session(sessionKey);
      if (!entry) return { sessionKey, messages: [], thinkingLevel: "off" };
      return {
        sessionKey,
        sessionId: entry.sessionId,
        messages: await lastMessages(gateway, entry.sessionId, limit),
        thinkingLevel: entry.thinkingLevel ?? "off",
        ...(entry.verboseLevel ? { verboseLevel: entry.verboseLevel } : {}),
      };
    },

    "chat.abort"({ sessionKey: written, runId }) {
      const sessionKey = keyOf(written);
      const owner = runId === undefined ? undefined : gateway.runs.sessionOf(runId);
      if (owner !== undefined && owner !== sessionKey) throw invalid("runId does not match sessionKey");
      const runIds = gateway.inbound.stop(sessionKey, "rpc", runId);
      return { ok: true as const, aborted: runIds.length > 0, runIds };
    },

    async "chat.inject"({ sessionKey: written, message, label }) {
      const sessionKey = keyOf(written);
      const text = label ? `[${label}]\n\n${message}` : message;
      const messageId = await injectMessage(sessionKey, text, gateway);
      if (messageId === undefined) throw invalid("session not found");
      gateway.runEvents.announceInjected(sessionKey, messageId, text);
      return { ok: true as const, messageId };
    },
  };
}

type Sent = Omit<MethodParams<"chat.send">, "systemProvenanceReceipt">;

/** What a chat window says, on its way in. */
export async function sendMessage(gateway: House, params: Sent, call: CallContext) {
  const text = cleanText(params.message);
  const media = await keepAttachments(gateway, params.attachments);
  if (!text.trim() && media.length === 0) throw invalid("message or attachment required");
  // Most chat windows do not know where else a conversation is led: without such a place nothing is wrong.
  const wish = { deliver: params.deliver, bestEffortDeliver: true };
  const deliverTo = await readDelivery(gateway, wish, params.sessionKey);
  const outcome = await gateway.inbound.receive({
    door: "client",
    runId: params.idempotencyKey,
    channel: "webchat",
    account: "default",
    messageId: `chat:${params.idempotencyKey}`,
    sender: senderOf(call.client),
    sessionKey: params.sessionKey,
    body: {
      text,
      client: clientOf(call.client),
      ...(media.length > 0 ? { media } : {}),
      ...(deliverTo ? { deliverTo } : {}),
      ...(params.thinking ? { thinking: params.thinking } : {}),
      ...(params.timeoutMs ? { timeoutMs: params.timeoutMs } : {}),
      ...(params.systemInputProvenance ? { provenance: params.systemInputProvenance } : {}),
    },
  });
  return started(gateway, params, outcome, call);
}

/** The newest messages of a conversation, with their places in it. */
export async function lastMessages(gateway: House, sessionId: string, limit: number) {
  return historyMessages(await numberedPath(gateway, sessionId, limit * 2 + 20), limit);
}

/** What says where words really come from is believed of the bridge to editors alone. */
function refuseProvenance({ client }: CallContext): void {
  const { id, mode, displayName } = client.info;
  const isBridge =
    id === "cli" && mode === "cli" && displayName === "ACP" && holdsScope(client.scopes, "operator.admin");
  if (!isBridge) throw invalid("system provenance fields are reserved for the ACP bridge");
}

/** One spelling of each character, and none that only confuse terminals and logs. */
function cleanText(text: string): string {
  if (text.includes("\0")) throw invalid("message must not contain null bytes");
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed here
  return text.normalize("NFC").replace(/[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
}

type SendAnswer =
  | { readonly runId: string; readonly status: "started" | "in_flight" | "ok" }
  | { readonly ok: true; readonly aborted: boolean; readonly runIds: string[] };

function started(
  gateway: House,
  params: { idempotencyKey: string; sessionKey: string },
  outcome: InboundOutcome,
  call: CallContext,
): SendAnswer {
  const runId = params.idempotencyKey;
  switch (outcome.kind) {
    case "refused":
      throw invalid(outcome.why);
    case "stopped":
      gateway.hub.broadcast(
        "chat",
        {
          runId,
          sessionKey: params.sessionKey,
          seq: 0,
          state: "final",
          message: {
            role: "assistant",
            content: [
              {
                type: "text",
                text: stoppedText(outcome),
              },
            ],
            timestamp: gateway.clock.now(),
          },
        },
        { scope: "operator.read" },
      );
      return { ok: true, aborted: outcome.runIds.length > 0, runIds: [...outcome.runIds] };
    case "ignored":
      return { runId, status: "ok" };
    case "accepted":
      gateway.runEvents.watch(runId, outcome.sessionKey, call.client);
      // The bridge to editors waits for the very name it gave, not for the one it stands for.
      if (params.sessionKey.startsWith("acp:")) {
        gateway.runEvents.spell(runId, outcome.sessionKey, { client: call.client, sessionKey: params.sessionKey });
      }
      return { runId, status: "started" };
    case "duplicate":
      return { runId, status: outcome.run.outcome ? "ok" : "in_flight" };
  }
}
