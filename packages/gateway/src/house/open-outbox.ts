// Opens the outbox: what is told to our own clients, how one delivery is attempted, and what is noted of it.
import type { Change, OutboxItem } from "@chela/sdk";
import { sendItem } from "../flow/reply/send-item.ts";
import { auditChange, deliveryEvent } from "../rooms/audit/room.ts";
import { DeliveryQueue, Outbox } from "../rooms/delivery/room.ts";
import { randomFraction } from "../base/ids.ts";
import type { House } from "./house.ts";

const WEBCHAT = "webchat";

export function openOutbox(house: House): Outbox {
  const { ledger, clock, log, ids } = house;
  const queue = new DeliveryQueue({
    ledger,
    clock,
    log,
    random: () => randomFraction(ids),
    attempt: (item, mayHaveArrived) => sendItem(item, mayHaveArrived, house),
    pace: async (channel) => (await house.channels()).channels.traits(channel)?.pace,
    afterSending: (item, attempts, at, messageId) => [
      auditChange(deliveryEvent(item, { state: "delivered", attempts, messageId }, false), at),
    ],
    afterGivingUp: (item, why) => undeliverable(item, why, house),
  });
  return new Outbox({
    ledger,
    clock,
    log,
    queue,
    isOwn: ({ channel }) => channel === WEBCHAT,
    tell: (item) => house.runEvents.announceReply(item),
    toldChanges: (item, attempts, at) => [auditChange(deliveryEvent(item, { state: "delivered", attempts }, true), at)],
  });
}

/** The agent hears of it with its next turn there. */
async function undeliverable(
  item: OutboxItem,
  why: string,
  { ledger, clock }: Pick<House, "ledger" | "clock">,
): Promise<readonly Change[]> {
  const at = clock.now();
  const event = auditChange(
    deliveryEvent(item, { state: "undeliverable", attempts: item.attempts, error: why }, false),
    at,
  );
  const sessionKey = (await ledger.run(item.runId))?.message.sessionKey;
  if (!sessionKey) return [event];
  const text = `Your last message to ${item.channel} (${item.to}) could not be delivered: ${why}`;
  const aside = { sessionKey, kind: "note" as const, key: `undeliverable:${item.id}`, at, body: { text } };
  return [event, { kind: "aside-add", aside }];
}
