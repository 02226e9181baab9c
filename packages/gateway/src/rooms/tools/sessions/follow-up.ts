// Carries an exchange between two sessions on after `sessions_send` has answered its caller.
import type { Requester } from "@chela/sdk";
import { afterAnswer, announcementIn, beginExchange, nextStep, type ExchangeStep } from "./exchange.ts";
import type { SendOutcome, SendParts, SendRequest } from "./parts.ts";
import type { VisibleSession } from "./visible-sessions.ts";

export interface FollowUp {
  readonly requesterKey: string;
  readonly target: VisibleSession;
  readonly requester: Requester;
  readonly askedIn: string;
  /** How the first message went as far as the caller waited for it. */
  readonly first: SendOutcome;
  readonly maxTurns: number;
}

/** How long a step may take: nobody is waiting any more. */
const STEP_SECONDS = 600;

export function canAnnounceIn({ entry }: VisibleSession): boolean {
  return (entry?.deliveryContext?.channel ?? entry?.lastChannel) !== undefined;
}

/** Never rejects: what fails ends the exchange and is logged. */
export async function followUp(parts: SendParts, exchange: FollowUp): Promise<void> {
  try {
    await carryOn(parts, exchange);
  } catch (error) {
    parts.log.warn("an exchange between two sessions broke off", {
      from: exchange.requesterKey,
      to: exchange.target.key,
      error: String(error),
    });
  }
}

async function carryOn(
  parts: SendParts,
  { requesterKey, target, requester, askedIn, first, maxTurns }: FollowUp,
): Promise<void> {
  const firstReply = replyOf(first.status === "ok" ? first : await parts.waitFor(first.runId, STEP_SECONDS));
  if (firstReply === undefined) return;
  const ask = async (step: Exclude<ExchangeStep, { kind: "over" }>): Promise<SendOutcome> => {
    const isForRequester = step.kind === "reply" && step.speaker === "requester";
    const request: SendRequest = {
      sessionKey: isForRequester ? requesterKey : target.key,
      message: step.message,
      note: step.note,
      provenance: {
        kind: "inter_session",
        sourceSessionKey: isForRequester ? target.key : requesterKey,
        sourceTool: "sessions_send",
      },
      requester,
      askedIn,
      timeoutSeconds: STEP_SECONDS,
    };
    return parts.send(request);
  };
  let state = beginExchange(firstReply, { maxTurns, canAnnounce: canAnnounceIn(target) });
  for (let step = nextStep(state); step.kind !== "over"; step = nextStep(state)) {
    const outcome = await ask(step);
    const answer = replyOf(outcome);
    const news = step.kind === "announce" ? announcementIn(answer) : undefined;
    if (news !== undefined) await parts.announce(target.key, news, outcome.runId);
    state = afterAnswer(state, answer);
  }
}

/** Undefined when the turn failed or is still going on: there is nothing to answer to. */
function replyOf({ status, reply }: SendOutcome): string | undefined {
  return status === "ok" ? (reply ?? "") : undefined;
}
