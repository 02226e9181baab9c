// Errands: their turns are admitted like messages, and their results go where they were promised.
import { defined } from "@chela/sdk/base";
import { listAgents } from "../../rooms/routing/room.ts";
import type { House } from "../../house/house.ts";
import {
  agentOfSessionKey,
  normalizeAgentId,
  isStoreFailing,
  toGatewayError,
  type Errand,
  type ErrandDelivered,
  type ErrandDelivery,
  type ErrandOutcome,
  type ErrandRecord,
  type MediaRef,
  type RunOutcome,
  type ErrandTurn,
} from "@chela/sdk";
import { createErrands, type Errands } from "../../rooms/errands/room.ts";
import type { InboundOutcome } from "../arrival.ts";
import type { ErrandTerms } from "../message-body.ts";
import type { Delivered } from "../messages/request.ts";

type ErrandHouse = Pick<
  House,
  | "clock"
  | "log"
  | "ledger"
  | "config"
  | "inbound"
  | "messages"
  | "media"
  | "keys"
  | "cron"
  | "subagents"
  | "errandTable"
>;

const WEBCHAT = "webchat";

export function openErrands(house: ErrandHouse): Errands {
  const { ledger, clock, log } = house;
  const hasAgent = (agentId: string): boolean =>
    listAgents(house.config.current()).some(({ id }) => id === normalizeAgentId(agentId));

  async function runTurn(errand: Errand, turn: ErrandTurn, signal: AbortSignal): Promise<ErrandOutcome | undefined> {
    const { runId, agentId, sessionKey } = errand;
    const run = await ledger.run(runId);
    // What was answered while the agent was there is its result, whoever is there now.
    const hasResult = run?.state === "done" && run.outcome?.status !== "aborted";
    if (!hasResult && !hasAgent(agentId)) return withoutAgent(errand);
    const { terms, sender, text, thinking, timeoutMs, extraSystemPrompt, label, spawnedBy, provenance, job } = turn;
    const admitted = await house.inbound.errand(errand.kind, {
      runId,
      agentId,
      sessionKey,
      body: {
        text,
        sender: { kind: "sender", ...sender, isAuthorised: false, canApprove: false },
        ...(terms ? { errand: terms as ErrandTerms } : {}),
        ...(thinking ? { thinking } : {}),
        ...defined({ timeoutMs }),
        ...(extraSystemPrompt ? { extraSystemPrompt } : {}),
        ...(label ? { label } : {}),
        ...(spawnedBy ? { spawnedBy } : {}),
        ...(provenance ? { provenance } : {}),
        ...(job ? { job } : {}),
      },
    });
    // There was nothing to stop until now.
    if (signal.aborted) house.inbound.stop(sessionKey, "rpc", runId);
    const outcome = await doneOf(admitted);
    if (!outcome || outcome.stopReason === "shutdown") return undefined;
    return toErrandOutcome(outcome);
  }

  /** What it may do went with its agent: nobody else's rights take their place, also not for a turn that was begun. */
  function withoutAgent({ runId, agentId, sessionKey }: Errand): ErrandOutcome {
    house.inbound.stop(sessionKey, "rpc", runId);
    const error = `The agent "${agentId}" is not configured any more, so nobody can do this.`;
    return { status: "error", texts: [], error, reason: "no-agent" };
  }

  async function deliver(
    errand: ErrandRecord,
    delivery: ErrandDelivery,
    texts: readonly string[],
  ): Promise<ErrandDelivered | undefined> {
    switch (delivery.mode) {
      case "nowhere":
        return { status: "not-delivered", error: delivery.why };
      case "webhook":
        return (await house.cron()).post(errand, delivery.url);
      case "session":
        return (await house.subagents()).announceIn(errand, delivery.sessionKey);
      case "chat":
        return delivery.channel === WEBCHAT ? sayAtHome(errand, delivery.to, texts) : send(errand, delivery, texts);
    }
  }

  /** Shown to whoever looks at the conversation in our own page or terminal. */
  async function sayAtHome(
    errand: ErrandRecord,
    sessionKey: string,
    texts: readonly string[],
  ): Promise<ErrandDelivered | undefined> {
    const receipts = [{ channel: WEBCHAT, to: sessionKey }];
    if (sessionKey === errand.sessionKey) return { status: "delivered", receipts };
    const admitted = await house.inbound.chore({
      runId: `${errand.runId}:say`,
      sessionKey,
      agentId: agentOfSessionKey(sessionKey) ?? house.keys().defaultAgentId,
      body: { text: texts.join("\n\n"), chore: { kind: "say", ...jobOf(errand) } },
    });
    const outcome = await doneOf(admitted);
    if (!outcome || outcome.stopReason === "shutdown") return undefined;
    if (outcome.status === "ok") return { status: "delivered", receipts };
    return { status: "not-delivered", error: outcome.error ?? "It was stopped before it could be shown." };
  }

  /** Waits for the platform's receipt, however long the outbox tries. */
  async function send(
    errand: ErrandRecord,
    { channel, account, to, threadId }: Extract<ErrandDelivery, { mode: "chat" }>,
    texts: readonly string[],
  ): Promise<ErrandDelivered | undefined> {
    const { runId, agentId, sessionKey } = errand;
    try {
      const media = await handlesOf(errand);
      for (;;) {
        const result = await (
          await house.messages()
        ).perform(
          { action: "send", channel, accountId: account, target: to, threadId, message: texts.join("\n\n"), media },
          {
            kind: "operator",
            key: runId,
            agentId,
            saidIn: sessionKey,
            ...(errand.kind === "hook" ? { sentFor: `the webhook "${errand.owner}"` } : {}),
          },
        );
        const [delivered] = result.kind === "sent" ? result.deliveries : [];
        if (!delivered) return { status: "unknown" };
        if (delivered.state !== "queued") return toDelivered(delivered);
        if (isStopping) return undefined;
      }
    } catch (thrown) {
      const error = toGatewayError(thrown, "CHANNEL_REFUSED");
      // It never got as far as the channel.
      if (isStoreFailing(error)) throw error;
      return { status: "not-delivered", error: error.message };
    }
  }

  /** Files that its turn attached. */
  async function handlesOf({ outcome, sessionKey }: ErrandRecord): Promise<string[]> {
    const files = (outcome?.details?.["media"] ?? []) as readonly MediaRef[];
    if (files.length === 0) return [];
    const media = await house.media();
    return files.map(({ id }) => media.mintHandle(sessionKey, id));
  }

  let isStopping = false;
  const errands = createErrands({
    ledger,
    clock,
    log,
    handlerOf: (kind) => house.errandTable.get(kind)?.(),
    runTurn,
    deliver,
    stopTurn: ({ sessionKey, runId }) => void house.inbound.stop(sessionKey, "rpc", runId),
  });
  return {
    ...errands,
    close() {
      isStopping = true;
      errands.close();
    },
  };
}

async function doneOf(admitted: InboundOutcome): Promise<RunOutcome | undefined> {
  if (admitted.kind === "accepted") return admitted.done;
  return admitted.kind === "duplicate" ? (admitted.done ?? admitted.run.outcome) : undefined;
}

function toErrandOutcome({ status, texts, error, stopReason, meta, media }: RunOutcome): ErrandOutcome {
  const agentMeta = (meta?.["agentMeta"] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    status: status === "aborted" ? "killed" : status,
    texts,
    ...(error ? { error } : {}),
    ...(stopReason && status !== "ok" ? { reason: stopReason } : {}),
    details: { ...agentMeta, ...(media ? { media } : {}) },
  };
}

function toDelivered({ state, channel, to, messageId, error }: Delivered): ErrandDelivered {
  const receipts = [{ channel, to, ...defined({ messageId }) }];
  if (state === "delivered") return { status: "delivered", receipts };
  return { status: "not-delivered", error: error ?? `${channel} did not take it.` };
}

/** Whose result it is, so that nobody takes it for an answer. */
function jobOf({ kind, owner, work }: ErrandRecord): { readonly job?: { readonly id: string; readonly name: string } } {
  const name = work["name"];
  return kind === "cron" && typeof name === "string" ? { job: { id: owner, name } } : {};
}
