// Answers a channel's event at once, without a turn: with a pairing code, that something was stopped, or a refusal.
import { defined } from "@chela/sdk/base";
import { isStoreFailing, toGatewayError, type Received } from "@chela/sdk";
import type { House } from "../house/house.ts";
import type { ChannelArrival, InboundOutcome } from "./arrival.ts";
import { runIdOf } from "./event-body.ts";
import type { JudgedMessage } from "./receive.ts";
import { ownReplyId, type NewDelivery } from "./reply/delivery.ts";

export type EventOutcome =
  | InboundOutcome
  | { readonly kind: "settled"; readonly why: string }
  /** Of somebody who may speak here. */
  | { readonly kind: "failed"; readonly error: unknown };

type Answering = Pick<House, "ledger" | "clock" | "log" | "outbox" | "channels">;

/** Only while nothing can be written does it help when the event comes again; all else is told to its sender. */
export async function answerEvent(
  arrival: ChannelArrival,
  outcome: EventOutcome,
  message: JudgedMessage | undefined,
  house: Answering,
): Promise<Received> {
  const { runId, channel, account, event } = arrival;
  switch (outcome.kind) {
    case "accepted": {
      const { replies } = await house.channels();
      const { agentId = "" } = message?.route ?? {};
      const wasMentioned = message?.body.origin?.wasMentioned ?? false;
      replies.accepted(channel, account, event, { runId, agentId, wasMentioned });
      return { kind: "accepted" };
    }
    case "failed": {
      const error = toGatewayError(outcome.error, "TURN_FAILED");
      if (isStoreFailing(error)) throw error;
      house.log.error("a message could not be taken", { run: runId, code: error.code, error: error.stack });
      await say(runId, arrival, `⚠️ ${error.explain()}`, house);
      return { kind: "settled", why: error.detail };
    }
    case "stopped":
      await say(runId, arrival, stoppedText(outcome), house);
      return { kind: "settled", why: outcome.kind };
    case "refused":
      if (outcome.tell) {
        const { once, text } = outcome.tell;
        await say(`refused-${runIdOf(channel, account, { id: once })}`, arrival, text, house);
        return { kind: "settled", why: outcome.why };
      }
      return { kind: "settled", why: outcome.kind };
    case "settled":
      return { kind: "settled", why: outcome.why };
    default:
      return { kind: "settled", why: outcome.kind };
  }
}

/** Tells somebody who is not known yet how to be let in; once for each code, whatever happens in between. */
export async function introduceSender(
  arrival: ChannelArrival,
  house: Answering,
): Promise<{ readonly kind: "settled"; readonly why: string }> {
  const { channel, account, event } = arrival;
  const { gate } = await house.channels();
  const told = await gate.introduce(channel, account, event);
  if (told) {
    const id = runIdOf(channel, account, { id: `${event.sender.id} ${told.code}` });
    await say(`pairing-${id}`, arrival, told.text, house);
  }
  return { kind: "settled", why: "the sender has to be approved first" };
}

async function say(runId: string, arrival: ChannelArrival, text: string, house: Answering): Promise<void> {
  const { channel, account, event } = arrival;
  const { to, threadId } = event.replyTarget;
  const payload = { content: { kind: "text", markdown: text }, ...defined({ threadId }) };
  const createdAt = house.clock.now();
  const item: NewDelivery = { id: ownReplyId(runId), runId, channel, account, to, payload, createdAt };
  if (await house.ledger.delivery(item.id)) return;
  await house.ledger.commit([{ kind: "outbox-add", item }]);
  await house.outbox.send({ ...item, attempts: 0, state: "pending" });
}

function stoppedText({ runIds, helpers, isLeft }: Extract<InboundOutcome, { kind: "stopped" }>): string {
  const isNothing = runIds.length + helpers === 0;
  if (isNothing && isLeft)
    return "⚙️ What is running here was asked for by somebody else: they or an owner can stop it.";
  if (isNothing) return "⚙️ There is nothing to stop.";
  if (helpers === 0) return "⚙️ Stopped.";
  return `⚙️ Stopped, and ${helpers === 1 ? "1 sub-agent" : `${helpers} sub-agents`} with it.`;
}
