// The way out of the house: what goes out is written into the outbox.
import { auditChange, deliveryEvent } from "../rooms/audit/room.ts";
import { Outbox } from "../rooms/delivery/room.ts";
import type { House } from "./house.ts";

const WEBCHAT = "webchat";

export function openOutbox(house: Pick<House, "ledger" | "clock" | "log" | "runEvents" | "channels">): Outbox {
  return new Outbox({
    ledger: house.ledger,
    clock: house.clock,
    log: house.log,
    isOwn: ({ channel }) => channel === WEBCHAT,
    tell: (item) => house.runEvents.announceReply(item),
    toldChanges: (item, attempts, at) => [auditChange(deliveryEvent(item, { state: "delivered", attempts }, true), at)],
    post: async (item, mayHaveArrived) => (await house.channels()).post.take(item, mayHaveArrived),
  });
}
