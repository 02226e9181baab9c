// Methods of clients that lead sessions by their keys: open, say, stop, read, follow.
import { defined } from "@chela/sdk/base";
import { agentOfSessionKey, canonicalSessionKey } from "@chela/sdk";
import {
  type SESSION_LIVE_METHODS,
  MAX_WATCHED,
  type MethodParams,
  invalid,
  WireError,
  type CallContext,
  type Handlers,
} from "@chela/sdk/protocol";
import { listAgents } from "../../rooms/routing/room.ts";
import type { House } from "../../house/house.ts";
import { SessionEvents } from "../live/session-events.ts";
import { lastMessages, sendMessage } from "./chat.ts";
import { patchSession } from "../../rooms/sessions/methods/sessions.ts";

type SessionLiveMethods = Pick<Handlers, keyof typeof SESSION_LIVE_METHODS>;

const MOST_MESSAGES = 1000;
const FEW_MESSAGES = 200;

export function sessionLiveMethods(gateway: House): SessionLiveMethods {
  const { ledger, subscribers } = gateway;
  const events = new SessionEvents(gateway);
  gateway.bus.onAny((event) => events.hearTurn(event));
  ledger.onCommit((note) => events.hearCommit(note));
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };

  const say = async (params: MethodParams<"sessions.send">, call: CallContext, reason: "send" | "steer") => {
    const sessionKey = keyOf(params.key);
    const entry = await ledger.session(sessionKey);
    if (!entry) throw invalid(`session not found: ${sessionKey}`);
    const { key: _key, idempotencyKey = gateway.ids.uuid(), ...rest } = params;
    const stopped = reason === "steer" ? await stopAll(gateway, sessionKey) : [];
    const messageSeq = await nextPlace(gateway, entry.sessionId);
    const sent = await sendMessage(gateway, { ...rest, sessionKey, idempotencyKey }, call);
    subscribers.note(sessionKey, reason);
    const isNew = "status" in sent && sent.status === "started";
    return { ...sent, ...(isNew ? { messageSeq } : {}), ...(stopped.length > 0 ? { interruptedActiveRun: true } : {}) };
  };

  return {
    async "sessions.create"(params, call) {
      const { label, model } = params;
      const parent = params.parentSessionKey === undefined ? undefined : keyOf(params.parentSessionKey);
      if (parent !== undefined && !(await ledger.session(parent))) throw invalid(`unknown parent session: ${parent}`);
      const key = newKey(gateway, params, keyOf);
      const entry = await patchSession(gateway, key, {
        ...defined({ label, model, parentSessionKey: parent }),
      });
      subscribers.note(key, "create");
      const opened = { ok: true as const, key, sessionId: entry.sessionId, entry };
      const message = params.message ?? params.task;
      if (!message?.trim()) return { ...opened, runStarted: false };
      try {
        return { ...opened, runStarted: true, ...(await say({ key, message }, call, "send")) };
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        return { ...opened, runStarted: false, runError: { code: error.shape.code, message: error.shape.message } };
      }
    },

    "sessions.send": (params, call) => say(params, call, "send"),

    "sessions.steer": (params, call) => say(params, call, "steer"),

    "sessions.abort"({ key: written, runId }) {
      const key = keyOf(written);
      const [first] = gateway.inbound.stop(key, "rpc", runId);
      if (first === undefined) return { ok: true as const, abortedRunId: null, status: "no-active-run" as const };
      subscribers.note(key, "abort");
      return { ok: true as const, abortedRunId: first, status: "aborted" as const };
    },

    async "sessions.get"({ key, sessionKey, limit = FEW_MESSAGES }) {
      const written = key || sessionKey;
      if (!written) throw invalid("key required");
      const entry = await ledger.session(keyOf(written));
      const most = Math.min(MOST_MESSAGES, Math.max(1, Math.floor(limit) || FEW_MESSAGES));
      return { messages: entry ? await lastMessages(gateway, entry.sessionId, most) : [] };
    },

    "sessions.subscribe"(_params, { client }) {
      subscribers.add(client);
      return { subscribed: true };
    },

    "sessions.unsubscribe"(_params, { client }) {
      subscribers.remove(client);
      return { subscribed: false };
    },

    "sessions.messages.subscribe"({ key: written }, { client }) {
      const key = keyOf(written);
      if (!subscribers.ofOne.add(client, key)) {
        throw invalid(
          `a connection may follow ${MAX_WATCHED} sessions; end one with sessions.messages.unsubscribe first`,
        );
      }
      return { subscribed: true, key };
    },

    "sessions.messages.unsubscribe"({ key: written }, { client }) {
      const key = keyOf(written);
      subscribers.ofOne.remove(client, key);
      return { subscribed: false, key };
    },
  };
}

/** The one that was asked for, or one of its own; of an agent there is. */
function newKey(
  gateway: House,
  { key: written, agentId }: MethodParams<"sessions.create">,
  keyOf: (written: string) => string,
): string {
  const agent = agentId?.trim().toLowerCase() ?? gateway.keys().defaultAgentId;
  const key = written === undefined ? `agent:${agent}:dashboard:${gateway.ids.uuid()}` : keyOf(written);
  const owner = agentOfSessionKey(key);
  if (agentId !== undefined && owner !== agent) {
    throw invalid(`sessions.create key agent (${owner ?? "none"}) does not match agentId (${agent})`);
  }
  const known = listAgents(gateway.config.current()).map(({ id }) => id);
  if (owner !== undefined && !known.includes(owner)) {
    throw invalid(`unknown agent id "${owner}" (known: ${known.join(", ")})`);
  }
  return key;
}

/** Where the next message will stand. */
async function nextPlace({ sessionPaths }: House, sessionId: string): Promise<number> {
  return (await sessionPaths.tip(sessionId)).total + 1;
}

async function stopAll({ inbound, lanes }: House, sessionKey: string): Promise<readonly string[]> {
  const stopped = inbound.stop(sessionKey, "interrupt");
  if (stopped.length > 0) await lanes.settled(sessionKey);
  return stopped;
}
